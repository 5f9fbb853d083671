"""Where servers listen: whether one answers at an address, and a port that is free for another."""

from __future__ import annotations

import socket

from flows.errors import ServerError
from flows.settings import LOOPBACK


def answers(url: str) -> bool:
    """Whether a server answers at ``url`` that all is well."""
    import httpx

    try:
        # Certificates, which no plain address needs, take longer to read than the answer.
        return httpx.get(url, timeout=5, verify=not url.startswith("http://")).status_code == httpx.codes.OK
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return False


def free_port(preferred: int, host: str = LOOPBACK) -> int:
    """A port nobody listens on: the preferred one where it is free."""
    for port in (preferred, 0):
        with socket.socket() as probe:
            # As servers do: a port that only waits for late packets of a stopped server counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerError(f"No free port on {host}.")
