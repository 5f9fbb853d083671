"""The language model of ``mlab audit --extractor``, and what it costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from pydantic import JsonValue

from environment.records.display import counted
from evaluation.claims.claim import Claim
from flows.errors import FlowError, SpendLimitError, UsageError
from flows.text import named_by
from foundation.errors import MlabError

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

    from evaluation.claims.reading.model import Answer, ModelReader
    from flows.structured import StructuredModel

_AGAIN = "What was read before is told, what stands behind it was not read. The same command begins anew."


class ExtractionError(FlowError):
    """The model gave no answer to a text that fits, or no claim that can be used, or no more answers at all."""


class PaidExtractor:
    """Finds claims with a model, and knows what that took.

    Args:
        model: Is asked, once for each text, and once more for a text with an accusation.

    Attributes:
        source: The log that is read, by which what is said of it begins.
        ended: Why the model is not asked any more.
        interrupted: Somebody stopped the command: what was read before is told, and nothing more is read.
    """

    def __init__(self, model: StructuredModel) -> None:
        self.source = ""
        self.ended: MlabError | None = None
        self.interrupted = False
        self._model = model
        self._unread = 0
        self._reader: ModelReader | None = None

    def finding(self, note: Callable[[MlabError], None]) -> ModelReader:
        """The extractor; a text that the model does not read is told to ``note``, and has no claims.

        So have all texts after a failure that another call would not be spared, or after the limit on money.
        """
        from evaluation.claims.reading.model import FoundClaims, ModelReader

        def ask(prompt: str, record: type[Answer], prose: str, /) -> Answer | None:
            answer = None if self.ended else self._answer(prompt, record, prose, note)
            self._unread += answer is None and record is FoundClaims
            return answer

        self._reader = ModelReader(ask)
        return self._reader

    def _answer(
        self, prompt: str, record: type[Answer], prose: str, note: Callable[[MlabError], None]
    ) -> Answer | None:
        from agent.models.errors import ModelCallError, PromptTooLongError, RefusedError
        from evaluation.claims.reading.model import FoundClaims

        try:
            answer, _ = self._model.ask(prompt, record)
        except (PromptTooLongError, RefusedError) as error:
            note(error)
            return None
        except (ModelCallError, SpendLimitError) as error:
            if not self._model.spent.calls:
                raise
            self._end(prose, error.message, error.hint, _not_asked(error), note)
            return None
        except KeyboardInterrupt:
            self.interrupted = True
            self._end(prose, "it was interrupted", "", "the model was not asked, for it was interrupted", note)
            return None
        if answer is None:
            which = "answer to" if record is FoundClaims else "second look at"
            note(_no_answer(f'{self.source}: the model\'s {which} "{named_by(prose)}"', self._model.unfit))
        return answer

    def _end(self, prose: str, why: str, hint: str, silent: str, note: Callable[[MlabError], None]) -> None:
        """Ask the model no more, from a text on."""
        said = f'{self.source}: the model was asked no more from "{named_by(prose)}" on: {why}'
        self.ended = ExtractionError(said, hint=f"{hint.rstrip('.')}. {_AGAIN}".lstrip(". "))
        note(self.ended)
        if self._reader:
            self._reader.silent = silent

    def checked(self, claims: Iterable[Claim], note: Callable[[MlabError], None]) -> Iterator[Claim]:
        """The claims up to an interruption; where all that the model found are of no use, ``note`` is told."""
        any_used = False
        try:
            for claim in claims:
                any_used = True
                yield claim
        except KeyboardInterrupt:
            self.interrupted = True
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
        if self._reader and self._reader.unanswered:
            notes.append(f", {counted(self._reader.unanswered, 'accusation')} taken back without a second look")
        return f"extractor: {self._model.line()}{''.join(notes)}"


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


def _not_asked(error: MlabError) -> str:
    """Why a model that is asked no more takes no second look."""
    from agent.models.errors import RetryableError

    if isinstance(error, SpendLimitError):
        return "the model was not asked, for no more money may be spent"
    return f"the model could not be {'reached' if isinstance(error, RetryableError) else 'asked'}"


def _no_answer(which: str, answer: AIMessage | None) -> ExtractionError:
    from agent.models.endings import is_cut

    said = f"{which} does not fit"
    if answer is None:
        return ExtractionError(f"{said}.")
    if is_cut(answer):
        return ExtractionError(f"{said}: it is cut off.", hint="Try a larger model.max_tokens.")
    told = str(answer.text) or ", ".join(f"a call of {call['name']}" for call in answer.tool_calls) or "nothing"
    return ExtractionError(
        f"{said}: {named_by(told)}", hint="It has to call the tool it is given, or to write JSON alone."
    )
