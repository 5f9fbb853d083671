"""Fetches large files so that a broken connection costs nothing: resumed, checked, with a progress bar."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import httpx
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from tasks_catalog.library.data.digest import sha256
from tasks_catalog.library.errors import NotFetchedError, PrepareError

TIMEOUT = httpx.Timeout(30.0)
ATTEMPTS = 5


def download(
    url: str,
    target: Path,
    *,
    checksum: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Path:
    """Fetch ``url`` into ``target``, going on where an earlier try stopped.

    Args:
        url: An http or https address; redirects are followed.
        target: The file to make; kept as it is where it exists with the right checksum.
        checksum: SHA-256 in hex of the file; ``None`` takes what the server sends.
        headers: Sent with the request, and not to another host it redirects to.

    Raises:
        PrepareError: No network, a refusal of the server, or a wrong checksum.
        httpx.HTTPStatusError: The server answered 401 or 403; the caller knows what that means.
    """
    if target.is_file() and (checksum is None or sha256(target) == checksum):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.part")
    try:
        for attempt in Retrying(
            stop=stop_after_attempt(ATTEMPTS),
            wait=wait_exponential(multiplier=0.2, max=10),
            retry=retry_if_exception_type(httpx.TransportError),
            reraise=True,
        ):
            with attempt:
                _fetch(url, partial, headers or {})
    except httpx.TransportError as error:
        raise NotFetchedError(
            f"{url} cannot be fetched: {error}", hint="Check the network; what was fetched so far is kept."
        ) from error
    except httpx.HTTPStatusError as error:
        if error.response.status_code in (401, 403):
            raise
        raise PrepareError(f"{url} answered {error.response.status_code} {error.response.reason_phrase}") from error
    if checksum is not None and (found := sha256(partial)) != checksum:
        partial.unlink()
        raise PrepareError(
            f"{url} has the SHA-256 {found}, expected {checksum}",
            hint="The file was removed; try again. Twice the same means that the source has changed.",
        )
    return partial.replace(target)


def _fetch(url: str, partial: Path, headers: Mapping[str, str]) -> None:
    have = partial.stat().st_size if partial.exists() else 0
    asked = {**headers, "Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with (
        httpx.Client(timeout=TIMEOUT, follow_redirects=True) as client,
        client.stream("GET", url, headers=asked) as got,
    ):
        if got.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            return  # already whole
        got.raise_for_status()
        resumed = got.status_code == httpx.codes.PARTIAL_CONTENT
        rest = got.headers.get("Content-Length")
        total = int(rest) + (have if resumed else 0) if rest else None
        with partial.open("ab" if resumed else "wb") as file, _progress() as progress:
            bar = progress.add_task(partial.stem, total=total, completed=have if resumed else 0)
            for chunk in got.iter_bytes(1 << 18):
                file.write(chunk)
                progress.advance(bar, len(chunk))


def _progress() -> Progress:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn())
    return Progress(
        *columns, TransferSpeedColumn(), TimeRemainingColumn(), console=console, disable=not console.is_terminal
    )
