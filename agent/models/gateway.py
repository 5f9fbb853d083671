"""Models for what runs in the sandbox: OpenAI's chat protocol on a local socket, under the run's budget.

Each call goes through a ``ModelSession``: counted, repeated, recorded before it is used, and found again when a step is
carried out once more after a crash. Keys never enter the sandbox.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer
from typing import TYPE_CHECKING, Any

from agent.models.calls import Models, ModelSession, Role
from agent.models.endings import is_cut
from agent.models.errors import ModelCallError, RetryableError
from environment.records import ModelCall

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

_LARGEST = 16 * 2**20
"""Bytes of a request."""

Affords = Callable[[Sequence[ModelCall]], bool]


class RefusedRequestError(Exception):
    """A request that is not answered by a model: its status and why."""

    def __init__(self, status: int, kind: str, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.kind = kind


class Gateway:
    """Answers one call at a time, in the order in which they come.

    Args:
        models: The run's own; a request for the model ``fast`` gets the fast one, any other the main one.
        socket: Where it listens.
        affords: Whether the budget holds, besides some calls not yet counted, another one.
    """

    def __init__(self, models: Models, socket: Path, affords: Affords) -> None:
        self._models = models
        self._affords = affords
        self._lock = threading.Lock()
        self._session = models.session(0)
        self._uncounted: list[ModelCall] = []
        self._server = _server_at(socket, _handler(self))
        socket.chmod(0o666)  # commands run as another user; the folder it lies in is the run's own
        threading.Thread(target=self._server.serve_forever, name="mlab-gateway", daemon=True).start()

    def begin(self, n: int) -> None:
        """From now on calls belong to step ``n``."""
        with self._lock:
            self._session = self._models.session(n)

    def taken(self) -> tuple[ModelCall, ...]:
        """The calls made since it was asked last."""
        with self._lock:
            calls, self._uncounted = tuple(self._uncounted), []
        return calls

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a chat request, in OpenAI's words.

        Raises:
            RefusedRequestError: The budget is used up, the request cannot be read, or the model failed.
        """
        with self._lock:
            if not self._affords(self._uncounted):
                raise RefusedRequestError(429, "insufficient_quota", "the run's budget of tokens or money is used up")
            session, before = self._session, len(self._session.calls)
            try:
                answer = _ask(self._models, session, body)
            except RetryableError as error:
                raise RefusedRequestError(503, "server_error", error.message) from error
            except ModelCallError as error:
                raise RefusedRequestError(400, "invalid_request_error", error.message) from error
            except (KeyError, TypeError, ValueError, NotImplementedError) as error:
                raise RefusedRequestError(400, "invalid_request_error", f"no chat request: {error}") from error
            finally:
                self._uncounted += session.calls[before:]
            return _told(answer, session.calls[-1])


def _ask(models: Models, session: ModelSession, body: Mapping[str, Any]) -> AIMessage:
    from langchain_core.messages import convert_to_messages

    role: Role = "fast" if body.get("model") == "fast" else "main"
    messages = convert_to_messages(body["messages"])
    tools, stop = body.get("tools"), body.get("stop")
    chat = models.chat(role)
    if not tools:
        return session.perform(role, messages, lambda: chat.invoke(messages, stop=stop))
    bound = chat.bind_tools(tools, tool_choice=body.get("tool_choice"))
    return session.perform(role, messages, lambda: bound.invoke(messages, stop=stop))


def _told(answer: AIMessage, call: ModelCall) -> dict[str, Any]:
    from langchain_core.messages import convert_to_openai_messages

    message = convert_to_openai_messages([answer])[0]
    finish = "length" if is_cut(answer) else "tool_calls" if answer.tool_calls else "stop"
    usage = {
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "total_tokens": call.prompt_tokens + call.completion_tokens,
    }
    return {
        "id": "chatcmpl-gateway",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": call.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage,
    }


class _Server(ThreadingMixIn, UnixStreamServer):
    daemon_threads = True


def _server_at(socket: Path, handler: type[BaseHTTPRequestHandler]) -> _Server:
    """A server at a path of any length; a socket's own name has at most 107 characters."""
    folder = os.open(socket.parent, os.O_PATH)
    try:
        return _Server(f"/proc/self/fd/{folder}/{socket.name}", handler)
    finally:
        os.close(folder)


def _handler(gateway: Gateway) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            try:
                if not self.path.endswith("/chat/completions"):
                    raise RefusedRequestError(
                        404, "not_found", f"there is no {self.path}; there is /v1/chat/completions"
                    )
                self._send(200, gateway.answer(self._body()))
            except RefusedRequestError as error:
                self._send(error.status, {"error": {"message": str(error), "type": error.kind, "code": error.kind}})

        def _body(self) -> dict[str, Any]:
            try:
                size = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(size)) if size <= _LARGEST else None
            except ValueError:
                body = None
            if not isinstance(body, dict) or body.get("stream"):
                raise RefusedRequestError(400, "invalid_request_error", "give one JSON object, without stream")
            return body

        def _send(self, status: int, content: dict[str, Any]) -> None:
            text = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def address_string(self) -> str:
            return "sandbox"

        def log_message(self, *args: object) -> None:
            pass

    return Handler
