"""The language model of ``mlab audit --extractor``, and what it costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from pydantic import JsonValue

from environment.records.display import counted
from evaluation.claims.claim import Claim
from evaluation.claims.reading.model import Answer, FoundClaims, ModelReader
from flows.errors import FlowError, UsageError
from flows.text import one_line
from foundation.errors import MlabError

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

    from flows.structured import StructuredModel

_SHOWN = 60
"""Characters of a text by which it is named."""


class ExtractionError(FlowError):
    """The model gave no answer to a text that fits, or no claim that can be used."""


class PaidExtractor:
    """Finds claims with a model, and knows what that took.

    Args:
        model: Is asked, once for each text.
    """

    def __init__(self, model: StructuredModel) -> None:
        self._model = model
        self._unread = 0
        self._reader: ModelReader | None = None

    def finding(self, note: Callable[[MlabError], None]) -> ModelReader:
        """The extractor; a text that the model does not read is told to ``note``, and has no claims."""
        from agent.models.errors import PromptTooLongError, RefusedError

        def ask(prompt: str, record: type[Answer], /) -> Answer | None:
            missed: MlabError | None = None
            try:
                answer, _ = self._model.ask(prompt, record)
            except (PromptTooLongError, RefusedError) as error:
                answer, missed = None, error
            if answer is None:
                self._unread += record is FoundClaims
                note(missed or _no_answer(prompt, self._model.unfit))
            return answer

        self._reader = ModelReader(ask)
        return self._reader

    def checked(self, claims: Iterable[Claim], note: Callable[[MlabError], None]) -> Iterator[Claim]:
        """The claims; where the model found some and none of them could be used, that is told to ``note``."""
        any_used = False
        for claim in claims:
            any_used = True
            yield claim
        if not any_used and self._refused:
            found = counted(self._refused.total(), "claim")
            hint = "Nothing was checked. Ask another model, or leave --extractor out for the built-in rules."
            note(ExtractionError(f"The model gave {found}, and none can be used: {self._why}.", hint=hint))

    @property
    def _refused(self) -> Counter[str]:
        return self._reader.refused if self._reader else Counter()

    @property
    def _why(self) -> str:
        return ", ".join(f"{reason} ({count})" for reason, count in self._refused.most_common())

    def line(self) -> str:
        """What it took: ``extractor: 12 calls, 3,400 tokens, $0.02``; nothing where no call was answered."""
        if not self._model.spent.calls:
            return ""
        notes = [f", {self._unread} without claims"] if self._unread else []
        if self._refused:
            notes.append(f", {counted(self._refused.total(), 'claim')} refused: {self._why}")
        return f"extractor: {self._model.spent.line()}{''.join(notes)}"


def paid_extractor(model: str | None, settings: dict[str, JsonValue], *, limit: float | None) -> PaidExtractor | None:
    """The extractor that was asked for, or ``None`` for the built-in rules.

    Raises:
        UsageError: Something is asked of an extractor and none is named.
    """
    if model is None:
        if settings or limit is not None:
            raise UsageError("--set and --max-cost are the extractor's.", hint="Give --extractor provider:model.")
        return None
    # LangChain takes a second to import, and the rules do without.
    from flows.structured import StructuredModel

    return PaidExtractor(StructuredModel(model, settings, limit=limit))


def _no_answer(prompt: str, answer: AIMessage | None) -> ExtractionError:
    from agent.models.endings import is_cut

    text = prompt.rpartition("\nText, written in step ")[2].partition(":\n")[2].rpartition("\n\nAnswer with JSON")[0]
    text, again, _ = text.partition("\n\nClaims that would be called false:\n")
    said = f"The model's {'second look at' if again else 'answer to'} {_begun(text)} does not fit"
    if answer is None:
        return ExtractionError(f"{said}.")
    if is_cut(answer):
        return ExtractionError(f"{said}: it is cut off.", hint="Try a larger model.max_tokens.")
    told = str(answer.text) or ", ".join(f"a call of {call['name']}" for call in answer.tool_calls) or "nothing"
    return ExtractionError(
        f"{said}: {_begun(told)}", hint="It has to call the tool it is given, or to write JSON alone."
    )


def _begun(text: str) -> str:
    return one_line(text)[:_SHOWN]
