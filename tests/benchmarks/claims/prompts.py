"""The prompts of the labelled texts, and the answers that a model gave to them once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaluation.claims.reading.model import FoundClaims, ModelReader
from evaluation.claims.reading.prompt import prompt_for
from evaluation.claims.reading.reader import Reading
from evaluation.record.known import Known
from evaluation.record.run import RunModel
from tests.benchmarks.claims.sets import LabelledSet

ANSWERS = Path(__file__).parents[2] / "evaluation" / "claims" / "answers.jsonl"
"""One answer a line: ``key`` (of the prompt), ``answer``, ``model`` and ``day``."""


def key_of(prompt: str) -> str:
    """What a prompt is found by."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:16]


def prompts(labelled: LabelledSet) -> Iterator[str]:
    """The prompt of every text that has a label, as the product sends it."""
    wanted = {(label["source"], label["step"], label["field"]) for label in labelled.labels}
    for log in labelled.logs:
        model = RunModel.of(log)
        for number, step in enumerate(log.steps):
            texts = [(f, prose) for f, prose in step.prose.items() if (log.source, number, f) in wanted]
            known = model.before(number) if texts else None
            yield from (prompt_for(prose, field, known) for field, prose in texts if known and prose.strip())


def write_prompts(folder: Path, sets: Iterable[LabelledSet]) -> int:
    """Write each prompt once, in a folder of its set, as ``KEY.txt``; returns how many."""
    seen = set()
    for labelled in sets:
        place = folder / labelled.name.replace(", ", "-").replace(" ", "-")
        place.mkdir(parents=True, exist_ok=True)
        for prompt in prompts(labelled):
            seen.add(key_of(prompt))
            (place / f"{key_of(prompt)}.txt").write_text(prompt, encoding="utf-8")
    return len(seen)


class RecordedReader:
    """Reads with recorded answers; counts the prompts of labelled texts that nobody answered."""

    def __init__(self, labelled: LabelledSet, answers: dict[str, FoundClaims]) -> None:
        self._wanted = {(label["step"], label["field"]) for label in labelled.labels}
        self._answers = answers
        self.unanswered = 0
        self._reader = ModelReader(self._ask)

    def __call__(self, prose: str, field: str, known: Known) -> Iterable[Reading]:
        """The assertions of one prose."""
        return self._reader(prose, field, known)

    def _ask(self, prompt: str, _record: type[FoundClaims]) -> FoundClaims | None:
        found = self._answers.get(key_of(prompt))
        self.unanswered += found is None
        return found


def recorded(path: Path = ANSWERS) -> dict[str, FoundClaims]:
    """The answers by the key of their prompt."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    rows = [json.loads(line) for line in lines if line.strip()]
    return {row["key"]: FoundClaims.model_validate(row["answer"]) for row in rows}
