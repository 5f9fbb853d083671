"""HTTP over a socket of the host: JSON in, JSON or a stream of events out."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

_LARGEST = 16 * 2**20
"""Bytes of a request."""


class RefusedRequestError(Exception):
    """A request that is not answered: its status and why."""

    def __init__(self, status: int, kind: str, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.kind = kind


@dataclass(frozen=True)
class Request:
    """What a script asks.

    Attributes:
        path: Without the host and the question.
        body: What stands behind the question mark, and over it the JSON object that was sent.
    """

    path: str
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    """One event of a stream; where it has no name, its data alone is sent."""

    data: Mapping[str, Any] | str
    name: str = ""

    def encoded(self) -> bytes:
        """As it goes over the wire."""
        data = self.data if isinstance(self.data, str) else json.dumps(self.data)
        return (f"event: {self.name}\n" if self.name else "").encode() + f"data: {data}\n\n".encode()


Answer = Mapping[str, Any] | Sequence[Event]
"""One JSON object, or a stream of events."""


class GatewayServer:
    """Answers requests until it is closed.

    Args:
        socket: Where it listens, at a path of any length.
        answer: What it says to a request; may raise ``RefusedRequestError``. Called from several threads.
    """

    def __init__(self, socket: Path, answer: Callable[[Request], Answer]) -> None:
        self._server = _server_at(socket, _handler(answer))
        socket.chmod(0o666)  # commands run as another user; the folder it lies in is the harness's own
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="mlab-gateway", daemon=True
        ).start()

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingMixIn, UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


def _server_at(socket: Path, handler: type[BaseHTTPRequestHandler]) -> _Server:
    """A socket's own name has at most 107 characters; one below a descriptor is always short."""
    folder = os.open(socket.parent, os.O_PATH)
    try:
        return _Server(f"/proc/self/fd/{folder}/{socket.name}", handler)
    finally:
        os.close(folder)


def _handler(answer: Callable[[Request], Answer]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_HEAD(self) -> None:
            self._send(200, "application/json", b"")

        def do_POST(self) -> None:
            try:
                body = self._body()
            except RefusedRequestError as error:
                self._refuse(error)
            else:
                self._answer(body)

        def _answer(self, body: Mapping[str, Any]) -> None:
            asked = urlsplit(self.path)
            try:
                given = answer(Request(asked.path, {**dict(parse_qsl(asked.query)), **body}))
            except RefusedRequestError as error:
                self._refuse(error)
            else:
                if isinstance(given, Mapping):
                    self._send(200, "application/json", json.dumps(given).encode())
                else:
                    self._send(200, "text/event-stream", b"".join(event.encoded() for event in given))

        def _body(self) -> dict[str, Any]:
            try:
                size = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(size)) if size <= _LARGEST else None
            except ValueError:
                body = None
            if not isinstance(body, dict):
                raise RefusedRequestError(400, "invalid_request_error", "give one JSON object")
            return body

        def _refuse(self, error: RefusedRequestError) -> None:
            fault = {"message": str(error), "type": error.kind, "code": error.kind}
            self._send(error.status, "application/json", json.dumps({"type": "error", "error": fault}).encode())

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def address_string(self) -> str:
            return "sandbox"

        def log_message(self, *args: object) -> None:
            pass

    return Handler
