"""Reads claims with a language model that sees the text and the ledger of what was known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, Field, ValidationError

from evaluation.claims.quotes import with_number
from evaluation.claims.reading.prompt import prompt_for
from evaluation.claims.reading.reader import QUOTE, Reading
from evaluation.claims.reading.second_look import UNANSWERED, Accusation, Looks, second_prompt
from evaluation.claims.registry import ASSERTED
from evaluation.record.known import Known

_KEPT_ANSWERS = 1_000


class FoundClaim(BaseModel):
    """One claim of the text."""

    quote: str = Field(description="exact part of the text, at most 200 characters")
    says: dict[str, Any] = Field(description="what it asserts: an object with a type and that type's fields")


class FoundClaims(BaseModel):
    """All claims of the text, in order."""

    claims: list[FoundClaim] = Field(default_factory=list)


Answer = TypeVar("Answer", bound=BaseModel)


class Ask(Protocol):
    """A model."""

    def __call__(self, prompt: str, record: type[Answer], prose: str, /) -> Answer | None:
        """Its answer to a prompt about an agent's prose; ``None`` where it gives none that fits the record."""
        ...


class ModelReader:
    """Finds claims with a language model through structured output.

    A claim is refused where its quote is no exact part of the text, where it names a row that does not exist or was
    not known yet, or where a number it gives does not stand in the quote. What would be an accusation is shown to the
    model once more, and only what it upholds is one. The same prompt is not paid for twice.

    Args:
        ask: Puts a prompt to the model.

    Attributes:
        refused: How many claims were refused, by why.
        silent: Why the model says nothing where it does not.
        unanswered: How many accusations were taken back because a second look said nothing of them.
    """

    def __init__(self, ask: Ask) -> None:
        self._find = lru_cache(_KEPT_ANSWERS)(lambda prompt, prose: ask(prompt, FoundClaims, prose))
        self._look = lru_cache(_KEPT_ANSWERS)(lambda prompt, prose: ask(prompt, Looks, prose))
        self.refused = Counter[str]()
        self.silent = UNANSWERED
        self.unanswered = 0

    def __call__(self, prose: str, field: str, known: Known) -> Iterable[Reading]:
        """The assertions of one prose."""
        if not prose.strip():
            return []
        found = self._find(prompt_for(prose, field, known), prose)
        return list(self._readings(found, prose, known)) if found else []

    def withdrawn(self, accused: Sequence[Accusation], prose: str, field: str, known: Known) -> Mapping[int, str]:
        """Which accusations of one prose the model does not uphold, by their places, and why."""
        looks = self._look(second_prompt(accused, prose, field, known), prose)
        unsaid = UNANSWERED if looks else self.silent
        withdrawn = (looks or Looks()).withdrawn(len(accused), unsaid)
        self.unanswered += [*withdrawn.values()].count(unsaid)
        return withdrawn

    def _readings(self, found: FoundClaims, prose: str, known: Known) -> Iterator[Reading]:
        for claim in found.claims:
            start = prose.find(claim.quote) if claim.quote.strip() else -1
            try:
                says = ASSERTED.validate_python(claim.says, context={"quote": claim.quote})
            except ValidationError:
                self.refused["of no type with these fields"] += 1
                continue
            if start < 0:
                self.refused["quote not in the text"] += 1
                continue
            if not all(id_ in known.rows for id_ in says.ids()):
                self.refused["a row that was not known"] += 1
                continue
            quote, start = with_number(claim.quote, start, prose)
            yield Reading(quote[:QUOTE], start, says)
