"""The language model of ``mlab audit --extractor``, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pydantic import JsonValue

from evaluation.claims.reading.model import FoundClaims, ModelReader
from flows.errors import FlowError, UsageError
from foundation.errors import MlabError

if TYPE_CHECKING:
    from flows.structured import StructuredModel


class ExtractionError(FlowError):
    """A text was not read: the model gave no answer to it that fits."""


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

        def ask(prompt: str, record: type[FoundClaims]) -> FoundClaims | None:
            missed: MlabError = _no_answer(prompt)
            try:
                answer, _ = self._model.ask(prompt, record)
            except (PromptTooLongError, RefusedError) as error:
                answer, missed = None, error
            if answer is None:
                self._unread += 1
                note(missed)
            return answer

        self._reader = ModelReader(ask)
        return self._reader

    def line(self) -> str:
        """What it took: ``extractor: 12 calls, 3,400 tokens, $0.02``."""
        refused = self._reader.refused if self._reader else 0
        notes = [f", {self._unread} without claims"] if self._unread else []
        notes += [f", {refused} claims refused"] if refused else []
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


def _no_answer(prompt: str) -> ExtractionError:
    text = " ".join(prompt.rpartition("\nText, written in step ")[2].partition(":\n")[2].split())[:60]
    return ExtractionError(f"The model gave no answer that fits to: {text}…", hint="Try a larger model.max_tokens.")
