"""How the tests read logs."""

from __future__ import annotations

from pathlib import Path

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from evaluation.record.log import RunLog
from tests.evaluation.importers.logs import WRITERS
from tests.evaluation.importers.search_logs import SEARCH_WRITERS
from tests.evaluation.importers.writing.agents import AGENT_WRITERS
from tests.evaluation.importers.writing.others import OTHER_WRITERS

EVERY = {**WRITERS, **AGENT_WRITERS, **OTHER_WRITERS, **SEARCH_WRITERS}
"""What writes a log of each format, by the format's name."""


def read_one(path: Path, notes: list[str] | None = None) -> RunLog:
    (log,) = read_logs(path, asked=Asked(on_note=None if notes is None else notes.append))
    return log


def verdicts(log: RunLog) -> dict[str, Verdict]:
    return {claim.quote: claim.verdict for claim in audit(log)}
