"""Models and literature for what runs in the sandbox, on a local socket, under the run's budget.

Each call of a model goes through a ``ModelSession``: counted, repeated, recorded before it is used, and found again
when a step is carried out once more after a crash. So are searches, which cost nothing. Keys never enter the sandbox.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from agent.models.calls import Models, ModelSession, Role
from agent.models.errors import ModelCallError, RetryableError
from agent.models.messages import to_json
from agent.models.overheard import Overheard
from agent.models.protocols.chat import ChatCompletions
from agent.models.protocols.messages import Messages
from agent.models.protocols.responses import Responses
from agent.models.protocols.spoken import Asked, Spoken
from agent.protocol import CallRecorder
from environment.gateway.offered import CHAT, LITERATURE, RECORDED, Offered, searched
from environment.gateway.server import Answer, GatewayServer, RefusedRequestError, Request
from environment.literature import Literature
from environment.records import Followed, ModelCall

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

Affords = Callable[[Sequence[ModelCall]], bool]

_SPOKEN: Mapping[str, Spoken] = {
    CHAT: ChatCompletions(),
    "/v1/responses": Responses(),
    "/v1/messages": Messages(),
}
_COUNT = "/v1/messages/count_tokens"
_MODELS = "/v1/models"
SEARCH = "search"
"""The role of searches among the calls of a run."""


@dataclass(frozen=True)
class Offers:
    """What scripts may ask for.

    Attributes:
        models: The run's own; a request for the model ``fast`` gets the fast one, any other the main one.
        literature: Where papers are searched.
        task: What the task itself offers, in place of any other literature.
    """

    models: Models | None = None
    literature: Literature | None = None
    task: Offered | None = None

    @property
    def searches(self) -> bool:
        """Whether papers can be searched."""
        return self.literature is not None or self.task is not None


class Gateway:
    """Answers one call at a time, in the order in which they come.

    Args:
        offers: What is answered.
        socket: Where it listens.
        affords: Whether the budget holds, besides some calls not yet counted, another one.
        recorder: Where answers that cost nothing are kept.
    """

    def __init__(self, offers: Offers, socket: Path, affords: Affords, recorder: CallRecorder | None = None) -> None:
        self.offers = offers
        self._affords = affords
        self._recorder = recorder
        self._lock = threading.Lock()
        self._uncounted: list[ModelCall] = []
        self._overheard = Overheard()
        self._start(0)
        self._server = GatewayServer(socket, self.answer)

    def begin(self, n: int) -> None:
        """From now on calls belong to step ``n``."""
        with self._lock:
            self._start(n)

    def taken(self) -> tuple[ModelCall, ...]:
        """The calls made since it was asked last."""
        with self._lock:
            calls, self._uncounted = tuple(self._uncounted), []
        return calls

    def followed(self) -> tuple[Followed, ...]:
        """What a command line that talks with the models has done since it was asked last."""
        with self._lock:
            return self._overheard.taken()

    def close(self) -> None:
        """Answer no more."""
        self._server.close()

    def answer(self, request: Request) -> Answer:
        """The answer to a request, in the words of the protocol it is in.

        Raises:
            RefusedRequestError: The budget is used up, the request cannot be read, or the model failed.
        """
        path, body, task = request.path, request.body, self.offers.task
        if path == _MODELS:
            return {"object": "list", "data": [{"id": name, "object": "model"} for name in self._names()]}
        with self._lock:
            if not self._affords(self._uncounted):
                raise RefusedRequestError(429, "insufficient_quota", "the run's budget of tokens or money is used up")
            if path == LITERATURE and self.offers.searches:
                return self._free(SEARCH, request, self._searched)
            if path == CHAT and task is not None and body.get("model") == RECORDED:
                return self._free(RECORDED, request, task.ask)
            if self.offers.models is not None and path == _COUNT:
                return _counted(_read(_SPOKEN["/v1/messages"], body))
            if self.offers.models is not None and path in _SPOKEN:
                return self._paid(self.offers.models, _SPOKEN[path], body)
        raise RefusedRequestError(404, "not_found", f"there is no {path}; there is {', '.join(self._paths())}")

    def _start(self, n: int) -> None:
        self._step = n
        self._found = 0
        self._session = self.offers.models.session(n) if self.offers.models else None

    def _names(self) -> list[str]:
        return [*(["main", "fast"] if self.offers.models else []), *([RECORDED] if self.offers.task else [])]

    def _paths(self) -> list[str]:
        models = [*_SPOKEN] if self.offers.models else [CHAT] if self.offers.task else []
        return [*models, *([LITERATURE] if self.offers.searches else [])]

    def _searched(self, body: Mapping[str, Any]) -> dict[str, Any]:
        if self.offers.task is not None:
            return self.offers.task.search(body)
        assert self.offers.literature is not None
        return searched(self.offers.literature, body)

    def _free(
        self, what: str, request: Request, answer: Callable[[Mapping[str, Any]], dict[str, Any]]
    ) -> dict[str, Any]:
        """An answer that costs no money: recorded, and counted as a call."""
        from langchain_core.messages import AIMessage, HumanMessage

        asked = json.dumps(dict(request.body), sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(f"{what} {asked}".encode()).hexdigest()[:16]
        key = f"{self._step:05d}-{what}{self._found:03d}-{digest}"
        recorded = self._recorder.load(key) if self._recorder else None
        if isinstance(recorded, dict):
            call = ModelCall.model_validate(recorded["call"])
            reply = cast("dict[str, Any]", recorded["answer"])
        else:
            reply = answer(request.body)
            used = reply.get("usage", {})
            call = ModelCall(
                model=f"offered:{what}",
                role=what,
                prompt_tokens=used.get("prompt_tokens", 0),
                completion_tokens=used.get("completion_tokens", 0),
                cost=0.0,
            )
            if self._recorder is not None:
                shown = json.dumps(reply, ensure_ascii=False)
                record: dict[str, Any] = {
                    "prompt": [to_json(HumanMessage(asked))],
                    "message": to_json(AIMessage(shown)),
                    "answer": reply,
                    "call": call.model_dump(mode="json"),
                }
                self._recorder.save(key, record, call)
        self._found += 1
        self._uncounted.append(call)
        return reply

    def _paid(self, models: Models, spoken: Spoken, body: Mapping[str, Any]) -> Answer:
        asked = _read(spoken, body)
        session = self._session or models.session(self._step)
        before = len(session.calls)
        try:
            answer = _ask(models, session, asked)
        except RetryableError as error:
            raise RefusedRequestError(503, "server_error", error.message) from error
        except ModelCallError as error:
            raise RefusedRequestError(400, "invalid_request_error", error.message) from error
        finally:
            self._uncounted += session.calls[before:]
        self._overheard.note(asked.messages, answer)
        reply = spoken.reply(answer, session.calls[-1])
        return spoken.events(reply) if asked.stream else reply


def _read(spoken: Spoken, body: Mapping[str, Any]) -> Asked:
    try:
        return spoken.read(body)
    except (KeyError, TypeError, ValueError, AttributeError, NotImplementedError) as error:
        raise RefusedRequestError(400, "invalid_request_error", f"no request for a model: {error!r}") from error


def _ask(models: Models, session: ModelSession, asked: Asked) -> AIMessage:
    role: Role = "fast" if asked.model == "fast" else "main"
    messages = _in_order(asked.messages)
    chat = models.chat(role)
    if not asked.tools:
        return session.perform(role, messages, lambda: chat.invoke(messages, stop=asked.stop))
    bound = chat.bind_tools(asked.tools, tool_choice=asked.tool_choice)
    return session.perform(role, messages, lambda: bound.invoke(messages, stop=asked.stop))


def _in_order(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """One system message at the beginning, which every provider takes; what the system says later, the user says."""
    from langchain_core.messages import HumanMessage, SystemMessage

    first = next((n for n, message in enumerate(messages) if not isinstance(message, SystemMessage)), len(messages))
    system = "\n\n".join(str(message.text) for message in messages[:first])
    later = [
        HumanMessage(message.content) if isinstance(message, SystemMessage) else message for message in messages[first:]
    ]
    return [*([SystemMessage(system)] if system else []), *later]


def _counted(asked: Asked) -> dict[str, Any]:
    from langchain_core.messages.utils import count_tokens_approximately

    return {"input_tokens": count_tokens_approximately([*asked.messages, json.dumps(list(map(dict, asked.tools)))])}
