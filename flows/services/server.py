"""The Prefect server of a run: the configured one, or a local one that the first run starts and all share."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from flows.errors import ServerError, UsageError
from flows.services.addresses import answers
from flows.services.password import credentials
from flows.services.processes import Service, ServiceRecord
from flows.services.variables import server_environment
from flows.settings import Settings
from foundation.disk import is_full
from foundation.text import shown

PREFERRED_PORT = 4210
_LOOK_SECONDS = 5.0
_ASK_SECONDS = 15.0
"""Between two looks at a server that many runs may share."""


def prefect_service(settings: Settings) -> Service:
    """The local Prefect server of a home folder, with its interface."""
    return Service(
        name="The local Prefect server",
        folder=settings.layout.prefect,
        port=PREFERRED_PORT,
        command=lambda port: [
            sys.executable,
            "-m",
            "flows.services.prefect_server",
            str(port),
            str(settings.server_idle_seconds),
        ],
        environment=lambda port: server_environment(settings, port),
        ready=lambda record: is_healthy(api_url(record.url)),
        host=settings.host,
    )


def begin(settings: Settings) -> None:
    """Have the local server start, if none is configured, while this process does something else.

    It knows the server's address from then on, so that Prefect, where it is imported meanwhile, finds it.

    Raises:
        UsageError: What is configured is no address.
        ServerError: The configured server does not answer.
    """
    if settings.prefect_api_url:
        connect(settings)
    else:
        _point_at(prefect_service(settings).begin(), settings)


def connect(settings: Settings) -> str:
    """Point this process at a Prefect server, starting the local one if none is configured.

    Returns:
        The address of the server's interface.

    Raises:
        UsageError: What is configured is no address.
        ServerError: The configured server does not answer, or the local one does not start.
    """
    if settings.prefect_api_url:
        _check_address(settings.prefect_api_url)
        if settings.auth or _is_local(settings.prefect_api_url, settings):
            os.environ.setdefault("PREFECT_API_AUTH_STRING", credentials(settings))
        if not is_healthy(settings.prefect_api_url):
            raise ServerError(
                f"No Prefect server answers at {settings.prefect_api_url}.",
                hint="Start it, or unset PREFECT_API_URL to use the local server.",
            )
        return settings.prefect_api_url.removesuffix("/api")
    record = prefect_service(settings).ensure()
    _point_at(record, settings)
    return record.url


def _check_address(api: str) -> None:
    # Loading what reads addresses takes longer than to look for the local server.
    from pydantic import HttpUrl, TypeAdapter, ValidationError

    try:
        TypeAdapter(HttpUrl).validate_python(api)
    except ValidationError:
        raise UsageError(
            f"PREFECT_API_URL is no URL of a server: {shown(api)}",
            hint="Write it as in http://127.0.0.1:4200/api, or unset it to use the local server.",
        ) from None


def _point_at(record: ServiceRecord, settings: Settings) -> None:
    before = os.environ.get("PREFECT_API_URL")
    os.environ["PREFECT_API_URL"] = api_url(record.url)
    os.environ["PREFECT_API_AUTH_STRING"] = credentials(settings)
    if before != os.environ["PREFECT_API_URL"] and "prefect.context" in sys.modules:
        # Prefect has read the variables as it was imported.
        from prefect.context import refresh_global_settings_context

        refresh_global_settings_context()


def _is_local(api: str, settings: Settings) -> bool:
    """Whether a configured address is that of this home folder's own server."""
    record = prefect_service(settings).running()
    return record is not None and api.rstrip("/") == api_url(record.url)


def is_up(settings: Settings) -> bool:
    """Whether the local server listens already: one that has only begun does not."""
    record = prefect_service(settings).running()
    return record is not None and record.listens()


@contextmanager
def kept_alive(settings: Settings, tell: Callable[[str], None], full: Callable[[], None]) -> Iterator[None]:
    """Meanwhile, start the local server again where it dies, and keep it from taking itself for idle.

    A configured server is somebody else's: that it is away is only told.

    Args:
        settings: Where it lives.
        tell: Told, from another thread, when it had died, has no room or does not answer.
        full: Called, from another thread, when it has no room and so can't answer.
    """
    ended = threading.Event()
    look: Callable[[], str]
    if settings.prefect_api_url is None:
        look, pause = partial(_revived, settings, full), min(_LOOK_SECONDS, settings.server_idle_seconds / 4)
    else:
        look, pause = _Answering(settings.prefect_api_url), _ASK_SECONDS
    threading.Thread(target=_tell_news, args=(look, pause, tell, ended), daemon=True, name="keep server alive").start()
    try:
        yield
    finally:
        ended.set()


def _tell_news(look: Callable[[], str], pause: float, tell: Callable[[str], None], ended: threading.Event) -> None:
    last = ""
    while not ended.wait(pause):
        news = look()
        if news and news != last and not ended.is_set():
            tell(news)
        last = news


def _revived(settings: Settings, full: Callable[[], None]) -> str:
    """What there is to tell of the local server, which is started again where it has died."""
    service = prefect_service(settings)
    try:
        news = f"{service.name} had ended and was started again." if service.revive() else ""
    except (ServerError, OSError) as error:
        news = f"{service.name} has ended and does not start again: {error}"
    if is_full(settings.layout.home):
        full()
        news = f"The disk of {settings.layout.home} is full. Free some space, then resume the run."
    record = service.running()
    if record:
        is_healthy(api_url(record.url))
    return news


class _Answering:
    """Says that a server does not answer, and that it does again."""

    def __init__(self, api: str) -> None:
        self._api = api
        self._is_away = False

    def __call__(self) -> str:
        """What there is to tell."""
        was_away, self._is_away = self._is_away, not is_healthy(self._api)
        if self._is_away:
            return f"The Prefect server at {self._api} does not answer; the run waits for it, for a quarter of an hour."
        return f"The Prefect server at {self._api} answers again." if was_away else ""


def page_of(flow_run_id: str) -> str:
    """The page of a flow run in the interface of the server that this process is connected to."""
    interface = os.environ.get("PREFECT_UI_URL") or os.environ.get("PREFECT_API_URL", "").removesuffix("/api")
    return f"{interface}/runs/flow-run/{flow_run_id}"


def api_url(url: str) -> str:
    """What ``PREFECT_API_URL`` must be for a server at ``url``."""
    return f"{url}/api"


def is_healthy(api: str) -> bool:
    """Whether a Prefect server answers at this API address."""
    return answers(f"{api}/health")
