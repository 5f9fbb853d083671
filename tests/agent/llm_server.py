"""A real HTTP server that speaks the OpenAI and the Anthropic protocol, with scripted answers and failures."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class Reply:
    """One scripted reply.

    Attributes:
        text: What the model says.
        thinking: What it thought before, in a block of its own (Anthropic's protocol).
        tools: Tool calls: name and arguments, a dict or broken JSON as text.
        status: HTTP status; others than 200 send ``error``.
        error: Type and message of the error.
        headers: Further headers.
        raw: Sent as the body instead of anything else.
        cut: Close the connection in the middle of the body.
        finish: Why the model stopped.
        usage: Prompt, completion, cached and reasoning tokens; ``None`` sends no usage.
    """

    text: str = ""
    thinking: str = ""
    tools: Sequence[tuple[str, dict[str, Any] | str]] = ()
    status: int = 200
    error: tuple[str, str] = ("error", "scripted failure")
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    cut: bool = False
    finish: str | None = None
    usage: tuple[int, int, int, int] | None = (100, 20, 0, 0)


TOO_MANY = Reply(status=429, error=("rate_limit_error", "too many requests at once"))

Script = Sequence[Reply | str] | Callable[[dict[str, Any]], Reply | str]


@dataclass(frozen=True)
class Request:
    """What was asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """All text of the messages."""
        return "\n".join([_text(self.body.get("system", "")), *(_text(m["content"]) for m in self.body["messages"])])


class LlmServer:
    """Answers each request with the next reply of its script, or with what a function says.

    Args:
        script: The replies; a text is a ``Reply`` with that text.
        context: Longest prompt in tokens; longer ones are refused in the protocol's own words.
        at_once: Requests it takes at the same time; further ones are answered with status 429.
        seconds: How long it thinks about each.

    Attributes:
        requests: All that were asked and not refused for being too many.
        most_at_once: Requests that were under way at the same time, refused ones included.
    """

    def __init__(
        self, script: Script, *, context: int = 200_000, at_once: int | None = None, seconds: float = 0.0
    ) -> None:
        self.requests: list[Request] = []
        self.most_at_once = 0
        self._under_way = 0
        self._at_once = at_once
        self._seconds = seconds
        self._script = script
        self._context = context
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> LlmServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        """The server's address, as Anthropic's library wants it; OpenAI's wants ``/v1`` behind."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, request: Request) -> Reply:
        """Think, and take the next reply; refuse what comes while too many are thought about."""
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            is_refused = self._at_once is not None and self._under_way > self._at_once
        try:
            if is_refused:
                return TOO_MANY
            time.sleep(self._seconds)
            return self.next_reply(request)
        finally:
            with self._lock:
                self._under_way -= 1

    def next_reply(self, request: Request) -> Reply:
        """Take the next reply of the script."""
        with self._lock:
            self.requests.append(request)
            if len(request.prompt) > self._context * CHARACTERS_PER_TOKEN:
                return _too_long(request.path, self._context)
            if callable(self._script):
                reply = self._script(request.body)
            elif len(self.requests) <= len(self._script):
                reply = self._script[len(self.requests) - 1]
            else:
                reply = Reply(status=400, error=("invalid_request_error", "the script of the test is over"))
        return Reply(reply) if isinstance(reply, str) else reply

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                reply = server.answer(request)
                protocol = _anthropic if self.path.endswith("/messages") else _openai
                streaming = bool(body.get("stream")) and reply.status == 200 and reply.raw is None
                content = b"".join(protocol.stream(reply, body)) if streaming else protocol.whole(reply, body)
                self._send(reply, content, "text/event-stream" if streaming else "application/json")

            def _send(self, reply: Reply, content: bytes, kind: str) -> None:
                self.send_response(reply.status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if reply.cut else content)
                self.close_connection = True

            def log_message(self, *args: object) -> None:
                pass

        return Handler


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(_text(b.get("text") or b.get("content") or "") for b in blocks if isinstance(b, dict))


def _too_long(path: str, context: int) -> Reply:
    if path.endswith("/messages"):
        return Reply(status=400, error=("invalid_request_error", f"prompt is too long: > {context} tokens maximum"))
    message = f"This model's maximum context length is {context} tokens. Please reduce the length of the messages."
    return Reply(status=400, error=("context_length_exceeded", message))


def _arguments(given: dict[str, Any] | str) -> str:
    return given if isinstance(given, str) else json.dumps(given)


class _openai:  # noqa: N801 (a namespace)
    @staticmethod
    def whole(reply: Reply, body: dict[str, Any]) -> bytes:
        if reply.raw is not None:
            return reply.raw
        if reply.status != 200:
            kind, why = reply.error
            return json.dumps({"error": {"message": why, "type": kind, "code": kind, "param": None}}).encode()
        message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
        if reply.tools:
            message["tool_calls"] = [_openai.tool(i, *tool) for i, tool in enumerate(reply.tools)]
        choice = {"index": 0, "message": message, "finish_reason": _openai.finish(reply)}
        answer = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"]}
        return json.dumps({**answer, "choices": [choice], **_openai.usage(reply)}).encode()

    @staticmethod
    def stream(reply: Reply, body: dict[str, Any]) -> Iterator[bytes]:
        base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}

        def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return f"data: {json.dumps({**base, 'choices': [choice]})}\n\n".encode()

        yield event({"role": "assistant", "content": ""})
        for start in range(0, len(reply.text), 40):
            yield event({"content": reply.text[start : start + 40]})
        for i, tool in enumerate(reply.tools):
            yield event({"tool_calls": [{"index": i, **_openai.tool(i, *tool)}]})
        yield event({}, _openai.finish(reply))
        if (body.get("stream_options") or {}).get("include_usage"):
            yield f"data: {json.dumps({**base, 'choices': [], **_openai.usage(reply)})}\n\n".encode()
        yield b"data: [DONE]\n\n"

    @staticmethod
    def tool(index: int, name: str, given: dict[str, Any] | str) -> dict[str, Any]:
        function = {"name": name, "arguments": _arguments(given)}
        return {"id": f"call_{index}", "type": "function", "function": function}

    @staticmethod
    def finish(reply: Reply) -> str:
        return reply.finish or ("tool_calls" if reply.tools else "stop")

    @staticmethod
    def usage(reply: Reply) -> dict[str, Any]:
        if reply.usage is None:
            return {}
        prompt, completion, cached, reasoning = reply.usage
        return {
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
                "prompt_tokens_details": {"cached_tokens": cached},
                "completion_tokens_details": {"reasoning_tokens": reasoning},
            }
        }


class _anthropic:  # noqa: N801 (a namespace)
    @staticmethod
    def whole(reply: Reply, body: dict[str, Any]) -> bytes:
        if reply.raw is not None:
            return reply.raw
        if reply.status != 200:
            kind, message = reply.error
            return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
        return json.dumps({**_anthropic.message(reply, body), "content": _anthropic.blocks(reply)}).encode()

    @staticmethod
    def stream(reply: Reply, body: dict[str, Any]) -> Iterator[bytes]:
        def event(kind: str, **data: Any) -> bytes:
            return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()

        message = _anthropic.message(reply, body)
        yield event("message_start", message={**message, "content": [], "stop_reason": None})
        for i, block in enumerate(_anthropic.blocks(reply)):
            if block["type"] == "text":
                yield event("content_block_start", index=i, content_block={"type": "text", "text": ""})
                delta = {"type": "text_delta", "text": block["text"]}
            else:
                yield event("content_block_start", index=i, content_block={**block, "input": {}})
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield event("content_block_delta", index=i, delta=delta)
            yield event("content_block_stop", index=i)
        stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        yield event("message_delta", delta=stop, usage=message["usage"])
        yield event("message_stop")

    @staticmethod
    def message(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
        prompt, completion, cached, _ = reply.usage or (0, 0, 0, 0)
        usage = {
            "input_tokens": prompt - cached,
            "output_tokens": completion,
            "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": 0,
        }
        stop = reply.finish or ("tool_use" if reply.tools else "end_turn")
        base = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"]}
        return {**base, "stop_reason": stop, "stop_sequence": None, "usage": usage}

    @staticmethod
    def blocks(reply: Reply) -> list[dict[str, Any]]:
        text = [{"type": "text", "text": reply.text}] if reply.text else []
        tools = [
            {"type": "tool_use", "id": f"toolu_{i}", "name": name, "input": json.loads(_arguments(given))}
            for i, (name, given) in enumerate(reply.tools)
        ]
        thinking = [{"type": "thinking", "thinking": reply.thinking, "signature": "signed"}] if reply.thinking else []
        return [*thinking, *text, *tools]
