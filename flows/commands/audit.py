"""``mlab audit`` and ``mlab import``."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from environment.journal import Journal
from environment.store import Store
from evaluation.audit import audit_path
from evaluation.claims.audit import Extractor
from evaluation.claims.claim import Claim
from evaluation.importers.detect import read_logs
from evaluation.importers.errors import LogError
from evaluation.importers.records import import_log
from evaluation.report.collect import read_run
from flows.commands.failure import FAILED
from flows.commands.output import print_json, print_table
from flows.runs import find_run
from flows.settings import Settings


def audit(target: str, *, extractor: str | None, as_json: bool) -> None:
    """Print the claims of a run of the store, or of the logs under a path, one JSON line each or as a table."""
    failures: list[LogError] = []
    path = Path(target)
    if path.exists():
        claims = audit_path(path, extractor=_extractor(extractor), on_error=_noted(failures))
    else:
        claims = _of_run(target)
    if as_json:
        for claim in claims:
            print(json.dumps(claim.line(), ensure_ascii=False))
    else:
        _print(claims)
    if failures:
        sys.exit(FAILED)


def import_paths(paths: list[Path], *, as_json: bool) -> None:
    """Turn every log under ``paths`` into a run of the store."""
    failures: list[LogError] = []
    store = Store(Settings().store_url)
    results = [import_log(store, log) for path in paths for log in read_logs(path, on_error=_noted(failures))]
    if as_json:
        print_json([result.model_dump(mode="json") for result in results])
    else:
        rows = [
            {"run": found.run_id, "task": found.task, "steps": str(found.steps), "runs": str(found.training_runs)}
            for found in results
        ]
        print_table(rows, title=f"{len(results)} runs imported")
    if failures:
        sys.exit(FAILED)


def _of_run(typed: str) -> Iterator[Claim]:
    store = Store(Settings().store_url)
    journal = Journal(store, find_run(store, typed))
    yield from read_run(store, journal.run_id, journal=journal).claims


def _extractor(model: str | None) -> Extractor | None:
    if model is None:
        return None
    from langchain.chat_models import init_chat_model

    from evaluation.claims.llm import ModelExtractor

    return ModelExtractor(init_chat_model(model))


def _noted(failures: list[LogError]) -> Callable[[LogError], None]:
    """Says on standard error which log cannot be read, and goes on with the next."""

    def note(error: LogError) -> None:
        failures.append(error)
        Console(stderr=True).print(Text(str(error), style="red"))

    return note


def _print(claims: Iterable[Claim]) -> None:
    counts: Counter[str] = Counter()
    rows = []
    for claim in claims:
        counts[claim.verdict.value] += 1
        rows.append(
            {
                "step": str(claim.step),
                "where": claim.field,
                "verdict": claim.verdict.value,
                "claim": claim.quote,
                "evidence": claim.evidence or claim.note,
            }
        )
    print_table(rows, empty="No claims found.")
    Console().print(Text(", ".join(f"{count} {verdict}" for verdict, count in counts.items())))
