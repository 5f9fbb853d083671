"""Sessions of a coding agent that really ran its experiments, in Claude Code's format, and falsehoods to put in them.

Claude worked alone on twenty-six small problems on 2026-11-29 and 30, was asked to be right in all that it says, and
then wrote 14 falsehoods a session, each in place of an exact part of its prose: other rows' values, swapped orders,
deeds not done. A Claude that saw the product's prompts alone read twenty of the sessions with the falsehoods in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim
from evaluation.claims.reading.model import ModelReader
from evaluation.claims.reading.prompt import prompt_for
from evaluation.claims.reading.reader import Reader, Reading
from evaluation.importers.detect import read_logs
from evaluation.record.known import Known
from tests.benchmarks.claims.prompts import OneAnswer, digest
from tests.evaluation.claims.second_looks import RecordedLooks

SESSIONS = Path(__file__).parent / "sessions"
ANSWERS = Path(__file__).parent / "session_answers.jsonl"
"""A model's, one a line: ``session``, ``step``, ``field`` of the text, ``prompt`` (its digest), ``answer``, ``day``."""
LATER = (
    "docstrings",
    "gridworld",
    "demand",
    "charges",
    "letters",
    "buildings",
    "patients",
    "tales",
    "churn",
    "signals",
    "tokens",
    "insurance",
)
"""Recorded when the readers had been changed for the others, and read by nobody who changed them."""
_TELLING = 25
"""Characters of a falsehood's sentence by which a claim's quote is known to be of it."""


class Lie(NamedTuple):
    """A part of an agent's prose, a falsehood for it, and what refutes that."""

    old: str
    new: str
    why: str

    def is_in(self, claim: Claim) -> bool:
        """Whether a claim quotes it."""
        sentences = self.new.replace(";", ".").split(". ")
        is_quoted = any(len(each) > _TELLING and each in claim.quote for each in sentences)
        return is_quoted or claim.quote in self.new or self.new in claim.quote


class Answered(NamedTuple):
    """How many texts a model has answered, and how many of them to an earlier wording of the prompt."""

    texts: int
    outdated: int


class Session(NamedTuple):
    """What was claimed as the agent wrote it, and with the falsehoods in place."""

    name: str
    honest: Sequence[Claim]
    lied: Sequence[Claim]
    lies: Sequence[Lie]
    by_model: Sequence[Claim]
    answered: Answered
    looks: RecordedLooks

    @property
    def accused(self) -> list[Claim]:
        """Accusations of what the agent wrote."""
        return [claim for claim in self.honest if claim.verdict.is_problem]

    @property
    def found(self) -> list[Lie]:
        """The falsehoods that are accused, and were not before they were put in."""
        before = {(claim.step, claim.quote, claim.note) for claim in self.accused}
        new = [claim for claim in self.lied if claim.verdict.is_problem]
        new = [claim for claim in new if (claim.step, claim.quote, claim.note) not in before]
        return [lie for lie in self.lies if any(lie.is_in(claim) for claim in new)]

    @property
    def accused_by_model(self) -> list[Claim]:
        """What is accused of the claims that a model found, falsehoods and truths."""
        return [claim for claim in self.by_model if claim.verdict.is_problem]

    @property
    def wrongly_accused_by_model(self) -> list[Claim]:
        """Of these, those that quote no falsehood."""
        return [claim for claim in self.accused_by_model if not any(lie.is_in(claim) for lie in self.lies)]

    @property
    def found_by_model(self) -> list[Lie]:
        """The falsehoods that are accused."""
        return [lie for lie in self.lies if any(lie.is_in(claim) for claim in self.accused_by_model)]


class RecordedReader:
    """A reader of one session's texts as a model answered to the product's prompt for them once.

    Attributes:
        looks: Its second looks.
        outdated: Answers so far that were given to an earlier wording of the prompt.
    """

    def __init__(self, session: str) -> None:
        rows = map(json.loads, ANSWERS.read_text(encoding="utf-8").splitlines())
        self._answers = {(row["step"], row["field"]): row for row in rows if row["session"] == session}
        self.outdated = 0
        self.looks = RecordedLooks(session)
        self.withdrawn = self.looks.withdrawn

    def __len__(self) -> int:
        return len(self._answers)

    def __call__(self, prose: str, field: str, known: Known) -> Iterable[Reading]:
        """The assertions of one text; none where the model was not asked."""
        row = self._answers.get((known.step, field))
        if row is None:
            return []
        self.outdated += row["prompt"] != digest(prompt_for(prose, field, known))
        return ModelReader(OneAnswer(row["answer"]))(prose, field, known)


@cache
def sessions(*names: str) -> list[Session]:
    """Those of these names, or all, audited by rules, and as a model read them where one did."""
    return [session(path) for path in sorted(SESSIONS.glob("*.jsonl")) if not names or path.stem in names]


def session(path: Path) -> Session:
    """One of them, audited by rules, and as a model read it if one did."""
    lies = [Lie(**each) for each in json.loads(path.with_suffix(".lies.json").read_text(encoding="utf-8"))]
    with TemporaryDirectory() as folder:
        lied = Path(folder, path.name)
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        lied.write_text("".join(json.dumps(_with(lies, line)) + "\n" for line in lines), encoding="utf-8")
        reader = RecordedReader(path.stem)
        by_model = _claims(lied, reader) if reader else []
        answered = Answered(len(reader), reader.outdated)
        return Session(path.stem, _claims(path), _claims(lied), lies, by_model, answered, reader.looks)


def _claims(path: Path, reader: Reader | None = None) -> list[Claim]:
    return [claim for log in read_logs(path) for claim in audit(log, reader=reader)]


def _with(lies: Sequence[Lie], line: Any) -> Any:
    """A line of the log with the falsehoods in what the agent wrote."""
    if isinstance(line, str):
        for lie in lies:
            line = line.replace(lie.old, lie.new)
        return line
    if isinstance(line, list):
        return [_with(lies, each) for each in line]
    if not isinstance(line, dict) or line.get("type") in ("user", "tool_result"):
        return line
    return {name: _with(lies, value) for name, value in line.items()}
