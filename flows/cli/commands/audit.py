"""``mlab audit`` and ``mlab import``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from environment.errors import RunNotFoundError, StoreError
from environment.journal.entries import Journal
from environment.records import RunResult
from environment.records.display import counted, number, percent
from environment.store import RunKeys, Store
from evaluation.claims.claim import Claim, Verdict, verdicts_line
from evaluation.record.log import RunLog
from evaluation.report.kept import claims_of, read_kept, read_log
from flows.cli.bar import Bar
from flows.cli.commands.logs import Logs
from flows.cli.failure import FAILED, say
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.run.finding import find_run
from flows.settings import Settings
from foundation.errors import MlabError
from foundation.text import shown

if TYPE_CHECKING:
    from evaluation.claims.audit import Progress
    from evaluation.claims.reading.reader import Reader
    from flows.cli.commands.extraction import PaidExtractor

_MUCH_UNCHECKED = 1 / 3
"""Share of claims from which a reader that understands more is worth its money."""


def audit_targets(targets: Sequence[str], logs: Logs, *, extractor: PaidExtractor | None, as_json: bool) -> None:
    """Print the claims of runs of the store and of the logs under paths, one JSON line each or as a table.

    Args:
        targets: Each a path, else a run's id.
        logs: Which of the logs under a path.
        extractor: Finds the claims instead of the built-in rules.
        as_json: Print JSON lines.
    """
    claims: Iterable[Claim] = _of_all(targets, logs, extractor)
    if extractor:
        claims = extractor.checked(claims, logs.note)
    try:
        if as_json:
            for claim in claims:
                print_json(claim.line())
        else:
            counts = _print(claims, logs.failures, targets)
            if extractor is None:
                _offer_a_model(counts)
    finally:
        if extractor and (line := extractor.line()):
            plain_console(stderr=True).print(Text(line))
    if extractor and extractor.interrupted:
        raise KeyboardInterrupt
    if logs.failures:
        sys.exit(FAILED)


def import_paths(paths: Sequence[Path], logs: Logs, *, as_json: bool) -> None:
    """Turn every log under ``paths`` into a run of the store.

    Raises:
        UsageError: The only path is not there.
    """
    # Scores are held against the catalogue with what grades runs, which an audit does without.
    from evaluation.importers.known import KnownLogs
    from evaluation.importers.records import import_log, run_id_of

    if len(paths) == 1 and not _is_path(paths[0]):
        raise UsageError(f"There is no file or folder {shown(str(paths[0]))!r}.")
    settings = Settings()
    settings.make_home()
    store = Store(settings.store_url)
    known, results, before = KnownLogs(store), dict[str, RunResult](), set[str]()
    try:
        for path in paths:
            with Bar(f"importing {path.name}") as bar:
                for log in logs.read(path):
                    found = known.as_known(log)
                    run_id = run_id_of(found)
                    if run_id not in results and store.exists(RunKeys(run_id=run_id).result):
                        before.add(run_id)
                    if found.source != log.source:
                        say(f"{shown(log.source)}: same content as run {run_id}; not stored again")
                    results[run_id] = import_log(store, found, bar.within)
                    bar.advance()
    except (KeyboardInterrupt, StoreError):
        say(f"{counted(len(results.keys() - before), 'run')} imported; the same command goes on with the others.")
        raise
    if as_json:
        print_json([result.model_dump(mode="json") for result in results.values()])
    else:
        rows = [
            {
                "run": found.run_id,
                "task": found.task,
                "status": found.status.value,
                "steps": str(found.steps),
                "runs": str(found.training_runs),
                "score": number(found.score),
                "improvement": percent(found.improvement, signed=True),
                "by": "" if found.score is None else "the agent's scripts" if found.self_measured else "the harness",
            }
            for found in results.values()
        ]
        if rows or not logs.failures:
            there = f", {counted(len(before), 'run')} there already" if before else ""
            print_table(rows, title=f"{counted(len(results) - len(before), 'run')} imported{there}")
    if logs.failures:
        sys.exit(FAILED)


def _of_all(targets: Sequence[str], logs: Logs, extractor: PaidExtractor | None) -> Iterator[Claim]:
    """The claims of each; of several, one that is not there is told before any is read."""
    reader = extractor.finding(logs.note) if extractor else None
    unread: dict[str, None] = {}
    for target in [*_there(targets, logs)]:
        for source, read in _read(target, logs, reader):
            if extractor and extractor.interrupted:
                return
            if extractor and extractor.ended:
                unread[target if _path(target).is_file() else source] = None
                continue
            if extractor:
                extractor.source = shown(source)
            yield from read()
    if unread:
        say("\n  ".join([f"Not read at all: {counted(len(unread), 'log')}", *map(shown, unread)]))


def _there(targets: Sequence[str], logs: Logs) -> Iterator[str]:
    """Those that are a path or a run, before a model is paid to read the first of them."""
    for target in targets:
        try:
            if not _is_path(_path(target)):
                _found(target)
        except RunNotFoundError as error:
            if len(targets) == 1:
                raise
            logs.note(error)
        else:
            yield target


def _read(target: str, logs: Logs, reader: Reader | None) -> Iterator[tuple[str, Callable[[], Sequence[Claim]]]]:
    """Each log under a path, or a run of the store, and what reads its claims."""
    path = _path(target)
    if not _is_path(path):
        yield target, partial(_of_run, target, reader)
        return
    with Bar(f"auditing {path.name}") as bar:
        for log in logs.read(path):
            yield log.source, partial(_audited, log, reader, bar.within)
            bar.advance()


def _path(target: str) -> Path:
    if not target:
        raise UsageError("An empty name is no run and no path.", hint="The folder that you are in is called `.`.")
    return Path(target)


def _is_path(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # longer than a path can be
        return False


def _of_run(typed: str, reader: Reader | None) -> Sequence[Claim]:
    store, run_id = _found(typed)
    if reader:
        return _audited(read_log(store, run_id), reader)
    return claims_of(store, read_kept(store, Journal(store, run_id)))


def _audited(log: RunLog, reader: Reader | None, progress: Progress | None = None) -> Sequence[Claim]:
    # Its rules take longer to load than the claims that are kept with a run to be read.
    from evaluation.claims.audit import audit

    return audit(log, reader=reader, progress=progress)


def _found(typed: str) -> tuple[Store, str]:
    """The store, and the run that is meant."""
    store = Store(Settings().store_url)
    try:
        return store, find_run(store, typed)
    except RunNotFoundError as error:
        said = f"There is neither a run nor a file or folder {shown(typed)!r}."
        raise RunNotFoundError(said, hint=error.hint) from error


def _print(claims: Iterable[Claim], failures: Sequence[MlabError], targets: Sequence[str]) -> Counter[str]:
    """Print the claims and how many of them have which verdict; returns that."""
    counts: Counter[str] = Counter()
    rows = []
    for claim in claims:
        counts[claim.verdict.value] += 1
        rows.append(
            {
                "log": claim.source,
                "step": str(claim.step),
                "where": claim.field,
                "verdict": claim.verdict.value,
                "claim": claim.quote,
                "evidence": claim.evidence or claim.note,
            }
        )
    if _is_one(targets, {row["log"] for row in rows}):
        rows = [{name: value for name, value in row.items() if name != "log"} for row in rows]
    if rows or not failures:
        print_table(rows, empty="No claims found.")
        plain_console().print(Text(verdicts_line(counts)))
    return counts


def _offer_a_model(counts: Counter[str]) -> None:
    """Say that a language model reads more, where rules could not check much."""
    unchecked = counts[Verdict.UNCHECKABLE.value]
    if unchecked > _MUCH_UNCHECKED * counts.total():
        say(
            f"The rules could not check {unchecked} of {counted(counts.total(), 'claim')}. "
            "A language model reads more: --extractor provider:model"
        )


def _is_one(targets: Sequence[str], sources: set[str]) -> bool:
    """Whether all claims are of the one log that was named, so that no line need say so."""
    if len(targets) > 1 or len(sources) > 1:
        return False
    path = Path(targets[0])
    return not (_is_path(path) and path.is_dir()) or sources <= {path.as_posix()}
