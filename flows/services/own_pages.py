"""Keeps a server to its own pages: no other site's page may ask it, whatever name it gives the server."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.settings import LOOPBACK

_NAMES = frozenset({LOOPBACK, "localhost"})


class OwnPages:
    """An application that answers its own pages and programs, which send no ``Origin``, and nobody else.

    Args:
        app: What is kept.
        names: Host names by which it may be asked; ``None`` allows any. A name that another site has
            pointed at this machine would make that site's page one of our own.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] | None) -> None:
        self._app, self._names = app, names

    @classmethod
    def listening_on(cls, host: str, app: ASGIApp) -> OwnPages:
        """Keep a server that listens on an address; beyond loopback, others may know this machine by any name."""
        return cls(app, _NAMES if host == LOOPBACK else None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or refuse."""
        if scope["type"] == "lifespan" or not self._is_foreign(Headers(scope=scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse("Only this server's own pages may ask it.\n", 403)(scope, receive, send)

    def _is_foreign(self, headers: Headers) -> bool:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._names is not None and _name(host) not in self._names:
            return True
        return origin is not None and origin not in (f"http://{host}", f"https://{host}")


def _name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
