"""The prompts of the labelled texts, and the answers that a model gave to them once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from evaluation.claims.audit import claims_of
from evaluation.claims.reading.model import Answer, FoundClaims, ModelReader
from evaluation.claims.reading.prompt import prompt_for
from evaluation.record.known import Known
from evaluation.record.run import RunModel
from tests.benchmarks.claims.sets import LabelledSet
from tests.evaluation.claims.second_looks import RecordedLooks

ANSWERS = Path(__file__).parents[2] / "evaluation" / "claims" / "answers.jsonl"
"""One a line: ``source``, ``step``, ``field`` of the text, ``prompt`` (its digest), ``answer``, ``model``, ``day``."""
_MOST = 100
"""Accusations of one text that are upheld."""
Place: TypeAlias = tuple[str, int, str]
"""A text by its source, step and field."""


@dataclass(frozen=True)
class Asked:
    """A labelled text, and the prompt for it as the product sends it."""

    place: Place
    prose: str
    known: Known

    @property
    def prompt(self) -> str:
        """The whole prompt."""
        return prompt_for(self.prose, self.place[2], self.known)

    @property
    def digest(self) -> str:
        """What tells wordings of the prompt apart."""
        return digest(self.prompt)


def digest(prompt: str) -> str:
    """What tells prompts apart."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:16]


def asked(labelled: LabelledSet) -> Iterator[Asked]:
    """Every text that has a label."""
    wanted = {place_of(label) for label in labelled.labels}
    for log in labelled.logs:
        model = RunModel.of(log)
        for number, step in enumerate(log.steps):
            texts = [(field, prose) for field, prose in step.prose.items() if (log.source, number, field) in wanted]
            known = model.before(number) if texts else None
            yield from (Asked((log.source, number, field), prose, known) for field, prose in texts if known)


def place_of(row: dict[str, Any]) -> Place:
    """Where the text of a label or an answer stands."""
    return row["source"], row["step"], row["field"]


def write_prompts(folder: Path, sets: Iterable[LabelledSet]) -> int:
    """Write each prompt as ``DIGEST.txt`` in a folder of its set; returns how many texts there are."""
    texts = 0
    for labelled in sets:
        place = folder / labelled.name.replace(", ", "-").replace(" ", "-")
        place.mkdir(parents=True, exist_ok=True)
        for each in asked(labelled):
            texts += 1
            (place / f"{each.digest}.txt").write_text(each.prompt, encoding="utf-8")
    return texts


def take_answers(files: Iterable[Path], sets: Iterable[LabelledSet], path: Path = ANSWERS) -> int:
    """Keep answers given under a prompt's digest (``key``) by the texts they are about; returns how many there are."""
    rows = [row for file in files for row in _lines(file)]
    given = {row["key"]: {name: row[name] for name in ("answer", "model", "day")} for row in rows}
    kept = {place_of(row): row for row in _lines(path)}
    for each in (one for labelled in sets for one in asked(labelled)):
        if each.digest in given:
            place = dict(zip(("source", "step", "field"), each.place, strict=True))
            kept[each.place] = {**place, "prompt": each.digest, **given[each.digest]}
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept.values()), encoding="utf-8")
    return len(kept)


@dataclass(frozen=True)
class OneAnswer:
    """A model that gives one answer, and upholds all that is accused by it."""

    answer: dict[str, Any]

    def __call__(self, _prompt: str, record: type[Answer], _prose: str, /) -> Answer | None:
        upheld = [{"claim": n, "why": "", "answer": "false"} for n in range(1, _MOST)]
        return record.model_validate(self.answer if record is FoundClaims else {"looks": upheld})


class RecordedAnswers:
    """Judges the labelled texts as a model read them once.

    Attributes:
        texts: Labelled texts that were looked at.
        answered: Those that a model has answered.
        outdated: Of these, those that were answered to an earlier wording of the prompt.
        refused: Claims of answers that the reader refused.
        looks: Its second looks at the texts with an accusation, a log after another.
    """

    def __init__(self, path: Path = ANSWERS) -> None:
        self._answers = {place_of(row): row for row in _lines(path)}
        self.texts = 0
        self.answered: set[Place] = set()
        self.outdated = 0
        self.refused = 0
        self.looks: list[RecordedLooks] = []

    def predictions(self, labelled: LabelledSet) -> Iterator[dict[str, Any]]:
        """The claims of all answered texts of a set."""
        logs = {log.source: log for log in labelled.logs}
        for each in asked(labelled):
            self.texts += 1
            row = self._answers.get(each.place)
            if row is None:
                continue
            self.answered.add(each.place)
            self.outdated += row["prompt"] != each.digest
            reader = ModelReader(OneAnswer(row["answer"]))
            readings = reader(each.prose, each.place[2], each.known)
            source, _, field = each.place
            looks = RecordedLooks(source)
            yield from (claim.line() for claim in claims_of(readings, logs[source], field, each.known, again=looks))
            self.refused += reader.refused.total()
            self.looks.append(looks)

    def told(self) -> str:
        """How much the figures rest on."""
        who = sorted({f"{row['model']}, {row['day']}" for row in self._answers.values()})
        looked, unseen = sum(len(each.looked) for each in self.looks), sum(len(each.unseen) for each in self.looks)
        return (
            f"answered by {'; '.join(who) or 'nobody'}: {len(self.answered)} of {self.texts} texts; "
            f"{self.outdated} of {len(self.answered)} answers are to an earlier wording of the prompt; "
            f"{self.refused} claims refused; {unseen} of {looked} texts with accusations had no second look"
        )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    yield from (json.loads(line) for line in lines if line.strip())
