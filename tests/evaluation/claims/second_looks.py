"""What a model answered, at its second look, to accusations that its readings had led to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evaluation.claims.reading.second_look import Accusation, second_prompt
from evaluation.record.known import Known

LOOKS = Path(__file__).parent / "second_looks.jsonl"
"""One accusation a line: ``source``, ``step`` and ``field`` of the text, ``quote``, ``note``, ``answer``, ``why``."""


class Key(NamedTuple):
    """What is accused of what: an answer holds for it however many others of its text are accused by now."""

    source: str
    step: int
    field: str
    quote: str
    note: str


@dataclass(frozen=True)
class Looked:
    """The accusations of one text, as the model is shown them.

    Attributes:
        source: The log.
        accused: They.
        prose: The text.
        field: Part of the prose that it is.
        known: What the record held before it.
    """

    source: str
    accused: Sequence[Accusation]
    prose: str
    field: str
    known: Known

    @property
    def keys(self) -> list[Key]:
        """What is accused, in order."""
        of = (self.source, self.known.step, self.field)
        return [Key(*of, each.reading.quote, each.finding.note) for each in self.accused]

    @property
    def prompt(self) -> str:
        """The whole prompt."""
        return second_prompt(self.accused, self.prose, self.field, self.known)


class RecordedLooks:
    """A reader's second looks at the texts of one log, as they were answered once; the rest of what is accused stands.

    Attributes:
        looked: All texts that had an accusation.
        unseen: Those with one that the model was never asked about.
    """

    def __init__(self, source: str) -> None:
        self.looked: list[Looked] = []
        self.unseen: list[Looked] = []
        self._source = source
        self._answers = {key: row for key, row in answers().items() if key.source == source}

    def withdrawn(self, accused: Sequence[Accusation], prose: str, field: str, known: Known) -> Mapping[int, str]:
        """Which accusations the model did not uphold, and why."""
        looked = Looked(self._source, accused, prose, field, known)
        self.looked.append(looked)
        rows = [self._answers.get(key) for key in looked.keys]
        if None in rows:
            self.unseen.append(looked)
        return {n: row["why"] for n, row in enumerate(rows) if row and row["answer"] != "false"}


def answers() -> dict[Key, dict[str, str]]:
    """All that were kept."""
    rows = [json.loads(line) for line in LOOKS.read_text(encoding="utf-8").splitlines()]
    return {Key(*(row[name] for name in Key._fields)): row for row in rows}
