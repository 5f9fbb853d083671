"""What a task itself offers to its scripts: papers to search, and a recorded model; each a limited number of times."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from environment.errors import ActionError, SandboxUnavailableError
from environment.gateway.recorded import RecordedModel, read_answers
from environment.gateway.server import Answer, GatewayServer, RefusedRequestError, Request
from environment.literature import Arxiv, Literature, SavedLiterature, read_papers
from environment.sandbox.base import Sandbox
from environment.sandbox.offering import SOCKET, OfferedSandbox
from environment.snapshots.walk import scratch_folder
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import OffersSpec, Task

RECORDED = "recorded"
"""The name of the model that a task offers."""
LITERATURE = "/v1/literature"
CHAT = "/v1/chat/completions"
MOST_PAPERS = 20
_CHARACTERS_PER_TOKEN = 4


class Offered:
    """Answers searches and questions, and counts them.

    Args:
        limits: How many of each one script may have.
        literature: Where papers are searched.
        model: Who answers questions.
    """

    def __init__(self, limits: OffersSpec, literature: Literature, model: RecordedModel) -> None:
        self._limits = limits
        self._literature = literature
        self._model = model
        self._lock = threading.Lock()
        self.begin()

    def begin(self) -> None:
        """A script begins: nothing is used yet."""
        self._searches = self._model_calls = self._tokens = 0

    @property
    def used(self) -> dict[str, int]:
        """How often the script has used what."""
        return {"searches": self._searches, "model_calls": self._model_calls, "tokens": self._tokens}

    def answer(self, request: Request) -> Answer:
        """The answer to a request of a script.

        Raises:
            RefusedRequestError: Nothing answers there, the request cannot be read, or the limit is reached.
        """
        if request.path == LITERATURE:
            return self.search(request.body)
        if request.path == CHAT and request.body.get("model") == RECORDED:
            return self.ask(request.body)
        raise RefusedRequestError(
            404, "not_found", f"there is {LITERATURE}, and {CHAT} with the model {RECORDED!r}; nothing else"
        )

    def search(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The papers that a search finds."""
        with self._lock:
            if self._searches >= self._limits.searches:
                raise _used_up(f"{self._limits.searches} searches")
            self._searches += 1
        return searched(self._literature, body)

    def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What the recorded model says to the last message, as a chat completion."""
        with self._lock:
            if self._model_calls >= self._limits.model_calls:
                raise _used_up(f"{self._limits.model_calls} questions to the model")
            self._model_calls += 1
        question = _last_message(body)
        answer = self._model.answer(question)
        prompt, completion = (-(-len(text) // _CHARACTERS_PER_TOKEN) for text in (question, answer))
        with self._lock:
            self._tokens += prompt + completion
        return {
            "id": "chatcmpl-recorded",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": RECORDED,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }


def offered_by(task: Task, prepared: Prepared) -> Offered | None:
    """What a task offers, from its prepared data; where that holds no papers, arXiv itself is searched."""
    offers = task.spec.offers
    if offers is None:
        return None
    papers = prepared.private / offers.papers
    literature = SavedLiterature(read_papers(papers)) if papers.is_file() else Arxiv()
    return Offered(offers, literature, RecordedModel(read_answers(prepared.private / offers.answers)))


@contextmanager
def offering(task: Task, prepared: Prepared, sandbox: Sandbox) -> Iterator[Sandbox]:
    """A sandbox whose commands find what the task offers, outside of any run; the same one where it offers nothing.

    Raises:
        SandboxUnavailableError: The sandbox has no network of its own to offer anything on.
    """
    offered = offered_by(task, prepared)
    if offered is None:
        yield sandbox
        return
    require_own_network(task, sandbox)
    with scratch_folder("mlab-gateway-") as folder:
        server = GatewayServer(folder / SOCKET, offered.answer)
        try:
            yield OfferedSandbox(sandbox, folder, offered)
        finally:
            server.close()


def require_own_network(task: Task, sandbox: Sandbox) -> None:
    """Make sure that something can be offered inside of a sandbox.

    Raises:
        SandboxUnavailableError: It has no network of its own.
    """
    if sandbox.name == "none":
        raise SandboxUnavailableError(
            f"{task.name} offers literature and a model to its scripts, inside a sandbox only",
            hint="Leave --unsafe-no-sandbox out.",
        )


def searched(literature: Literature, body: Mapping[str, Any]) -> dict[str, Any]:
    """The papers that literature has for a request, as JSON.

    Raises:
        RefusedRequestError: The request cannot be read, or the search is not possible now.
    """
    query, limit = body.get("query"), _whole(body.get("limit", 10))
    if not isinstance(query, str) or not query.strip() or limit is None:
        raise RefusedRequestError(
            400, "invalid_request_error", f"give query, a text, and limit, a number from 1 to {MOST_PAPERS}"
        )
    try:
        found = literature.search(query, limit)
    except ActionError as error:
        raise RefusedRequestError(503, "server_error", error.message) from error
    return {"papers": [paper.model_dump(mode="json") for paper in found]}


def _whole(value: object) -> int | None:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_PAPERS else None


def _last_message(body: Mapping[str, Any]) -> str:
    messages = body.get("messages")
    last = messages[-1] if isinstance(messages, Sequence) and messages else None
    content = last.get("content") if isinstance(last, Mapping) else None
    if not isinstance(content, str) or body.get("stream"):
        raise RefusedRequestError(
            400, "invalid_request_error", "give messages, the last of which has a text for its content, without stream"
        )
    return content


def _used_up(limit: str) -> RefusedRequestError:
    return RefusedRequestError(429, "insufficient_quota", f"a script has {limit}, and they are used up")
