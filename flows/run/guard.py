"""``--guard``: tells an agent, with its next observation, which of its statements the record contradicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.settings import MODEL_PREFIX
from environment.records import Decision, Effect, ModelCall, Outcome, RunConfig, Step
from evaluation.claims.guard import contradicted, remark
from evaluation.claims.reading.model import Answer, Ask, FoundClaims, ModelReader
from evaluation.record.log import LogStep, exchange_of, of_task, prose_of
from flows.run.observer import current_observer
from flows.text import named_by
from foundation.storable import JsonObject
from tasks_catalog.library.spec import Task, Variant

HELD_BACK = (
    "Your final answer was not handed in yet, because of what the last lines say. "
    "Give it again, mended or as it is: the next one counts."
)


@dataclass
class Guard:
    """Holds each new statement of an agent against the record before its next step.

    A final answer that the record contradicts comes back once, for after it there is no next step.

    Attributes:
        task: Its text is what was known from the start.
        variant: Of its data.
        reader: Finds the statements; ``None`` for the built-in rules.
        calls: Those of the reader's model since they were last taken.
    """

    task: Task
    variant: Variant
    reader: ModelReader | None = None
    calls: list[ModelCall] = field(default_factory=list)

    def watch(self, steps: Sequence[Step], decision: Decision, effect: Effect) -> Effect:
        """The effect with what the guard has to say of the decision's words.

        Args:
            steps: Those before.
            decision: What the agent wrote.
            effect: What its action did.
        """
        log = of_task(self.task, self.variant, steps, source="guard")
        written = LogStep(prose=prose_of(decision), exchanges=(exchange_of(decision, effect),))
        found = contradicted(log.model_copy(update={"steps": (*log.steps, written)}), reader=self.reader)
        calls = tuple(self.calls)
        self.calls.clear()
        if not found:
            return effect.model_copy(update={"calls": calls})
        observation, final = effect.observation, effect.final
        if final and not any(step.effect.held_back for step in steps):
            observation, final = observation.model_copy(update={"text": HELD_BACK, "outcome": Outcome.REFUSED}), False
        return effect.model_copy(
            update={
                "observation": observation.remarked(map(remark, found)),
                "final": final,
                "held_back": effect.final and not final,
                "calls": calls,
            }
        )


def guard_of(config: RunConfig, task: Task) -> Guard:
    """The guard of a run that asks for one."""
    guard = Guard(task, config.variant)
    if config.guard_model is not None:
        guard.reader = ModelReader(_asking(config.guard_model, config.settings, guard.calls))
    return guard


def _asking(name: str, settings: JsonObject, calls: list[ModelCall]) -> Ask:
    # LangChain takes a second to import, and the rules do without.
    from agent.models.errors import ModelCallError, PromptTooLongError, RefusedError
    from flows.structured import StructuredModel

    of_models = {key: value for key, value in settings.items() if key.startswith(f"{MODEL_PREFIX}.")}
    model, warned = StructuredModel(name, of_models), current_observer().warned

    def ask(prompt: str, record: type[Answer], prose: str, /) -> Answer | None:
        try:
            answer, call = model.ask(prompt, record)
        except (PromptTooLongError, RefusedError) as error:
            warned(_unanswered(record, prose, error.message))
            return None
        except ModelCallError as error:
            raise type(error)(f"The guard's model: {error.message}", hint=error.hint) from error
        calls.append(call)
        if answer is None:
            warned(_unanswered(record, prose, "its answer does not fit"))
        return answer

    return ask


def _unanswered(record: type[Answer], prose: str, why: str) -> str:
    asked = "did not read" if record is FoundClaims else "took no second look at"
    return f'The model of --guard-model {asked} "{named_by(prose)}": {why}. The agent is told nothing of it.'
