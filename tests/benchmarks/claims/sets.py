"""The labelled sets: published runs where they are at hand, whole logs made up after such, and made-up runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.importers.detect import read_logs
from evaluation.record.log import RunLog
from tests.benchmarks.claims.scoring import Matches, overlap, within
from tests.evaluation.claims.made_up_runs import BATCHES, made_up

LABELS = Path(__file__).parents[4] / "shared" / "claims"
IMITATED = Path(__file__).parents[2] / "evaluation" / "claims" / "imitated"
"""Whole logs made up after real ones, in the manner of MLGym and of MLAgentBench."""


@dataclass(frozen=True)
class LabelledSet:
    """Logs with labels.

    Attributes:
        name: Of the set.
        logs: The runs.
        labels: In the fields of the labelling guidelines.
        matches: Whether a prediction's quote answers a label's.
    """

    name: str
    logs: tuple[RunLog, ...]
    labels: tuple[dict[str, Any], ...]
    matches: Matches = overlap

    @property
    def origin(self) -> str:
        """Published, imitated or made up, and whether the rules were developed on it."""
        if self.name == "published":
            return self.name
        name, number = ("imitated", self.name[:1]) if self.name[:1].isdigit() else ("made up", self.name[-2:])
        return f"{name}, {'developed on' if is_developed_on(name, int(number)) else 'kept back'}"

    def family_of(self, source: str) -> str:
        """The family a log belongs to: harness and model of published ones, else the manner they are made in."""
        if self.name != "published":
            return "made up" if self.name.startswith("made up") else f"imitated {self.name.partition('-')[2]}"
        return f"mlgym {source.split('__')[0].rsplit('/', 1)[-1]}" if "__" in source else "mlagentbench"


def is_developed_on(name: str, number: int) -> bool:
    """Whether the rules were written with a set open: the first four imitated ones, every other made-up one."""
    return number <= 4 if name == "imitated" else number % 2 == 1


def folder(path: Path, name: str) -> LabelledSet:
    """A folder with ``dev.jsonl`` and ``runs/``."""
    labels = [json.loads(line) for line in (path / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    return LabelledSet(name, tuple(read_logs(path / "runs")), tuple(labels))


def all_sets(labels: Path = LABELS) -> Iterator[LabelledSet]:
    """Every set that is at hand."""
    if (labels / "dev.jsonl").is_file():
        yield folder(labels, "published")
    for path in sorted(IMITATED.iterdir()):
        yield folder(path, path.name)
    for batch in BATCHES:
        logs, found = made_up(batch)
        yield LabelledSet(f"made up, {batch}", tuple(logs), tuple(found), within)
