"""The one place where models are called: repeated where it helps, counted, and recorded with prompt and answer.

MLflow's traces of the calls are written from the records (``environment.mlflow.traces``), so that
a call never waits for MLflow, and no trace is lost when it is down.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import JsonValue

from agent.errors import AgentSettingsError
from agent.models.attempts import Attempts, Times
from agent.models.caching import MARKED, marked
from agent.models.endings import finish_reason, is_cut, refuse_refusal
from agent.models.errors import ModelCallError, NetworkError
from agent.models.factory import make_model
from agent.models.messages import from_json, to_json
from agent.models.prices import Price, load_prices
from agent.models.secrets import read_secrets
from agent.models.settings import ModelSettings
from agent.protocol import AgentContext
from agent.settings import MODEL_PREFIX, read_settings
from environment.records import ModelCall
from foundation.storable import storable

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage

Role = Literal["main", "fast", "edit"]


class Models:
    """The models of one agent, by role.

    Args:
        context: Names of the models, settings under ``model.``, and where answers are kept.

    Raises:
        AgentSettingsError: No model is named, or a setting is wrong.
    """

    def __init__(self, context: AgentContext) -> None:
        if context.model is None:
            raise AgentSettingsError(
                "This agent needs a model and none is named",
                hint="Give --model provider:model, such as anthropic:claude-sonnet-4-5.",
            )
        self.settings = read_settings(ModelSettings, MODEL_PREFIX, context.settings)
        self.recorder = context.calls
        self.secrets = read_secrets()
        self.attempts = Attempts(self.settings)
        self.turn = context.turn
        self._names: Mapping[Role, str] = {
            "main": context.model,
            "fast": context.fast_model or context.model,
            "edit": context.edit_model or context.model,
        }
        self._prices = load_prices(self.settings.prices)
        self._made: dict[str, BaseChatModel] = {}

    def session(self, step: int) -> ModelSession:
        """The calls of one decision."""
        return ModelSession(self, step)

    def name(self, role: Role) -> str:
        """``provider:model`` of a role."""
        return self._names[role]

    def chat(self, role: Role) -> BaseChatModel:
        """The LangChain model of a role, made at its first use."""
        name = self._names[role]
        if name not in self._made:
            self._made[name] = make_model(name, self.settings, self.secrets)
        return self._made[name]

    def counted(self, role: Role, prompt: Sequence[BaseMessage], answer: AIMessage, times: Times) -> ModelCall:
        """What a call used."""
        from agent.models.usage import count

        return count(
            self._names[role], role, prompt, answer, self.price(role), seconds=times.worked, waited=times.waited
        )

    def price(self, role: Role) -> Price | None:
        """What the model of a role costs, as far as known."""
        return self._prices.price(self._names[role], self.settings.base_url)


class ModelSession:
    """The model calls of one decision.

    Each answer is recorded under the step, its position and a digest of the prompt before anybody uses
    it. When a decision is made again after a crash, recorded answers are used and nothing is paid twice.

    Attributes:
        calls: What the calls so far used, recorded ones included.
    """

    def __init__(self, models: Models, step: int) -> None:
        self._models = models
        self._step = step
        self.calls: list[ModelCall] = []

    def ask(self, role: Role, messages: Sequence[BaseMessage], *, stop: Sequence[str] = ()) -> AIMessage:
        """The model's answer to some messages.

        Raises:
            PromptTooLongError, RefusedError, QuotaError, BadKeyError, BadRequestError: As named.
            RetryableError: Still failing after all attempts.
        """
        stops = list(stop) if self._models.settings.stop else None
        sent = marked(messages) if self._models.name(role).startswith(f"{MARKED}:") else list(messages)
        return self.perform(role, messages, lambda: self._models.chat(role).invoke(sent, stop=stops))

    def text(self, role: Role, prompt: str) -> str:
        """The text a model answers to a prompt; of an answer that was cut off it says so at its end."""
        from langchain_core.messages import HumanMessage

        answer = self.ask(role, [HumanMessage(prompt)])
        return f"{answer.text}\n[This text {self.limit}.]" if is_cut(answer) else str(answer.text)

    @property
    def limit(self) -> str:
        """What became of an answer that was cut off: "was cut off at …"."""
        return (
            f"was cut off at the longest answer allowed, {self._models.settings.max_tokens:,} tokens (model.max_tokens)"
        )

    def perform(self, role: Role, messages: Sequence[BaseMessage], call: Callable[[], AIMessage]) -> AIMessage:
        """Make a call that another part of LangChain has prepared; see ``ask``.

        Args:
            role: Whose name and price count.
            messages: The prompt, which names the record together with step and position.
            call: Makes the call and returns the answer.
        """
        prompt = [to_json(message) for message in messages]
        key = self._key(role, prompt)
        recorder = self._models.recorder
        recorded = recorder.load(key) if recorder else None
        if isinstance(recorded, dict):
            used = ModelCall.model_validate(recorded["call"])
            message = cast("dict[str, JsonValue]", recorded["message"])
        else:
            used, message = self._paid(role, messages, call)
            if recorder:
                record = self._redacted({"prompt": prompt, "message": message, "call": used.model_dump(mode="json")})
                recorder.save(key, record, used)
        self.calls.append(used)
        answer = cast("AIMessage", from_json([message])[0])
        refuse_refusal(answer, used.model)
        return answer

    def _paid(
        self, role: Role, messages: Sequence[BaseMessage], call: Callable[[], AIMessage]
    ) -> tuple[ModelCall, dict[str, JsonValue]]:
        """Make the call; returns what it used and the answer without secrets."""
        self._models.chat(role)  # its library is imported for the first one, which is no time of the model's
        times = Times()
        answer = self._models.attempts.make(lambda: self._in_turn(role, call, times), times)
        used = self._models.counted(role, messages, answer, times)
        return used, self._redacted(to_json(answer))

    def _in_turn(self, role: Role, call: Callable[[], AIMessage], times: Times) -> AIMessage:
        """Make the call when the provider has room for one more."""
        asked = time.monotonic()
        with self._models.turn(self._models.name(role).partition(":")[0]):
            times.waited += time.monotonic() - asked
            return self._once(role, call)

    def _once(self, role: Role, call: Callable[[], AIMessage]) -> AIMessage:
        from agent.models.failures import classified

        name = self._models.name(role)
        try:
            answer = call()
        except ModelCallError:
            raise
        except Exception as error:
            ours = classified(error, name, self._models.secrets.redact(str(error)))
            if ours is None:
                raise
            raise ours from None  # the provider's exception may hold the request, and with it the key
        if self._models.settings.streaming and not finish_reason(answer):
            raise NetworkError(f"The answer of {name} broke off before its end")
        return answer

    def _key(self, role: Role, prompt: list[dict[str, Any]]) -> str:
        identity = json.dumps([self._models.name(role), prompt], sort_keys=True, default=str).encode()
        return f"{self._step:05d}-{len(self.calls):03d}-{hashlib.sha256(identity).hexdigest()[:16]}"

    def _redacted(self, value: Mapping[str, Any]) -> dict[str, JsonValue]:
        text = json.dumps(value, default=str, ensure_ascii=False)
        return cast("dict[str, JsonValue]", storable(json.loads(self._models.secrets.redact(text))))
