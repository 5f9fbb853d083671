"""What a model answered, at its second look, to accusations that its readings had led to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from pathlib import Path

from evaluation.claims.reading.second_look import Accusation
from evaluation.record.known import Known

LOOKS = Path(__file__).parent / "second_looks.jsonl"
"""One accusation a line: ``source``, ``step`` and ``field`` of the text, ``quote``, ``note``, ``answer``, ``why``."""


@dataclass
class RecordedLooks:
    """A reader's second looks at the texts of one log, as they were answered once.

    They hold for a claim and what was found of it, however many others of the text are accused by now.

    Attributes:
        source: The log.
        accused: Accusations so far.
        unseen: Of these, those that the model was never asked about; they stand.
    """

    source: str
    accused: int = 0
    unseen: int = 0
    _looks: dict[tuple[int, str, str, str], tuple[str, str]] = attribute(default_factory=dict)

    def __post_init__(self) -> None:
        lines = LOOKS.read_text(encoding="utf-8").splitlines()
        for row in (row for row in map(json.loads, lines) if row["source"] == self.source):
            self._looks[row["step"], row["field"], row["quote"], row["note"]] = row["answer"], row["why"]

    def withdrawn(self, accused: Sequence[Accusation], prose: str, field: str, known: Known) -> Mapping[int, str]:
        """Which accusations the model did not uphold, and why."""
        del prose
        keys = [(known.step, field, each.reading.quote, each.finding.note) for each in accused]
        looks = {n: self._looks[key] for n, key in enumerate(keys) if key in self._looks}
        self.accused += len(accused)
        self.unseen += len(accused) - len(looks)
        return {n: why for n, (answer, why) in looks.items() if answer != "false"}
