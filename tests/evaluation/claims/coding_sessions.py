"""Sessions of a coding agent that really ran its experiments, in Claude Code's format, and falsehoods to put in them.

Claude worked alone on eight small problems on 2026-11-29, was asked to be right in all that it says, and then wrote 14
falsehoods a session, each in place of an exact part of its prose: other rows' values, swapped orders, deeds not done.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim
from evaluation.importers.detect import read_logs

SESSIONS = Path(__file__).parent / "sessions"
LATER = ("docstrings", "gridworld")
"""Recorded when the rules had been changed for the others, and read by nobody who changed them."""
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


class Session(NamedTuple):
    """What was claimed as the agent wrote it, and with the falsehoods in place."""

    name: str
    honest: Sequence[Claim]
    lied: Sequence[Claim]
    lies: Sequence[Lie]

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


def sessions() -> list[Session]:
    """All of them, audited by rules."""
    return [session(path) for path in sorted(SESSIONS.glob("*.jsonl"))]


def session(path: Path) -> Session:
    """One of them, audited by rules."""
    lies = [Lie(**each) for each in json.loads(path.with_suffix(".lies.json").read_text(encoding="utf-8"))]
    with TemporaryDirectory() as folder:
        lied = Path(folder, path.name)
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        lied.write_text("".join(json.dumps(_with(lies, line)) + "\n" for line in lines), encoding="utf-8")
        return Session(path.stem, _claims(path), _claims(lied), lies)


def _claims(path: Path) -> list[Claim]:
    return [claim for log in read_logs(path) for claim in audit(log)]


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
