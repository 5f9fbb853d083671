"""Every claim of a run, held against what the run had shown before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from environment.metrics.meaning import SHARES, canonical
from evaluation.claims import grounds
from evaluation.claims.claim import Claim, Kind, Verdict
from evaluation.claims.judging.finding import Finding, contradicted, uncheckable
from evaluation.claims.judging.noise import is_chance
from evaluation.claims.judging.operands import measurements
from evaluation.claims.quotes import is_called_clear, is_of_task, is_self_confirmed
from evaluation.claims.reading.cited import read_cited
from evaluation.claims.reading.reader import Reader, Reading
from evaluation.claims.reading.rules.reader import read_by_rules
from evaluation.claims.reading.second_look import Accusation, LooksAgain
from evaluation.claims.retold import marked
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.order import Order
from evaluation.language.quantity import Unit
from evaluation.language.splits import display
from evaluation.record.known import Known
from evaluation.record.location import Location
from evaluation.record.log import CITED, CITED_ON_THE_WAY, RunLog
from evaluation.record.run import RunModel

_FRACTIONS = SHARES - {"r2"}

Progress = Callable[[int, int], None]
"""Is told how many steps of how many are read."""


def audit(
    log: RunLog, *, reader: Reader | None = None, since: int = 0, progress: Progress | None = None
) -> list[Claim]:
    """Read the claims of a run and judge each by the record before it, in the order written.

    Args:
        log: The run.
        reader: Finds the claims instead of the built-in rules.
        since: The first step whose claims are read.
        progress: Told after each step.
    """
    model = RunModel.of(log)
    found: list[Claim] = []
    held: dict[tuple[str, str], list[Reading]] = {}
    for number, step in islice(enumerate(log.steps), since, None):
        known = model.before(number)
        for field, prose in step.prose.items():
            own = read_cited if field in (CITED, CITED_ON_THE_WAY) and step.cited else reader or read_by_rules
            readings = held.pop((field, prose), None)
            if readings is None or own is read_by_rules:
                readings = list(own(prose, field, known))
            again = own if isinstance(own, LooksAgain) else None
            claims = claims_of(readings, log, field, known, is_guess=own is read_by_rules, again=again)
            if not any(claim.verdict.is_problem for claim in claims):
                # What held once holds when it is repeated; what did not may hold by then.
                held[field, prose] = readings
            found += claims
        if progress:
            progress(number + 1, len(log.steps))
    return marked(found, log)


def claims_of(
    readings: Iterable[Reading],
    log: RunLog,
    field: str,
    known: Known,
    *,
    is_guess: bool = False,
    again: LooksAgain | None = None,
) -> list[Claim]:
    """The claims of one text, judged; what repeats the task's own text is none, and what is refuted is not missed, too.

    What a text says over and over, in the same words and with the same verdict, is one claim.

    ``is_guess`` where rules have read them, by whose choice of rows alone no claim is a problem; ``again`` upholds what
    would be one.
    """
    told = _distinct(readings, field, log.steps[known.step].prose[field])
    told = [each for each in told if not is_of_task(each.quote, log.task_text)]
    judged = (grounds.judged(each, known) if is_guess else each.says.judge(known) for each in told)
    found = [(each, _clear(each, finding, known, is_guess)) for each, finding in zip(told, judged, strict=True)]
    refuted = {each.quote for each, finding in found if finding.verdict is Verdict.CONTRADICTED}
    found = [
        (each, finding)
        for each, finding in found
        if finding.verdict is not Verdict.UNSUPPORTED or each.quote not in refuted
    ]
    if again:
        found = _upheld(found, again, log.steps[known.step].prose[field], field, known)
    return list(dict.fromkeys(_claim(log, field, each, known, finding) for each, finding in found))


def _distinct(readings: Iterable[Reading], field: str, prose: str) -> list[Reading]:
    """The first of those that say the same in the same words, which a text may do many thousand times."""
    first: dict[tuple[str, Assertion, bool], Reading] = {}
    for each in readings:
        confirmed = is_self_confirmed(each.quote, each.start, field, prose)
        first.setdefault((each.quote, each.says, confirmed), each)
    return list(first.values())


def _upheld(
    found: Sequence[tuple[Reading, Finding]], again: LooksAgain, prose: str, field: str, known: Known
) -> list[tuple[Reading, Finding]]:
    """With every accusation that its reader does not uphold taken back: then nobody can tell."""
    places = [n for n, (_, finding) in enumerate(found) if finding.verdict.is_problem]
    upheld = list(found)
    if places:
        why = again.withdrawn([Accusation(*found[n]) for n in places], prose, field, known)
        for at, n in ((at, n) for at, n in enumerate(places) if at in why):
            reading, finding = found[n]
            upheld[n] = reading, uncheckable(f"{finding.note}; at a second look: {why[at]}")
    return upheld


def _clear(reading: Reading, finding: Finding, known: Known, is_guess: bool) -> Finding:
    """A difference that is called clear is refuted where another is as good, or seeds and folds of both tell none."""
    rows = measurements(known, finding.rows)
    is_difference = finding.verdict is Verdict.SUPPORTED and isinstance(reading.says, Order | Difference | Extreme)
    if not is_difference or len(rows) < 2 or not is_called_clear(reading.quote):
        return finding
    is_tie = isinstance(reading.says, Extreme) and rows[0].value == rows[1].value
    if is_tie and (reading.says.quantity or not is_guess):
        return contradicted(*rows, note=f"{rows[0].value:g} is that of both")
    if is_chance(known, *rows[:2]):
        return contradicted(*rows, note="within noise: seeds or folds go both ways")
    return finding


def _claim(log: RunLog, field: str, reading: Reading, known: Known, finding: Finding) -> Claim:
    says = reading.says
    number = says.quantity
    metric, split = says.about
    evidence = _evidence(finding, known)
    return Claim(
        source=log.source,
        step=known.step,
        field=field,
        quote=reading.quote,
        kind=says.kind,
        metric=display(canonical(metric), split) if metric and says.kind is not Kind.EXECUTION else None,
        value=number.value * number.seconds if number else None,
        unit=_unit(reading),
        verdict=finding.verdict,
        evidence_step=evidence.step if evidence else None,
        evidence=(evidence.text or None) if evidence else None,
        note=finding.note,
        training_run=evidence.training_run if evidence else None,
        evidence_line=evidence.line if evidence else None,
        confirmed=is_self_confirmed(reading.quote, reading.start, field, log.steps[known.step].prose[field]),
        type=says.name(),
        rests_on=finding.rows,
        within_noise=finding.within_noise,
    )


def _unit(reading: Reading) -> Unit:
    """The unit as stated; a bare number between 0 and 1 of a share is a fraction."""
    number = reading.says.quantity
    if number is None:
        return Unit.NONE
    is_share = canonical(reading.says.about[0] or "") in _FRACTIONS and 0 <= number.value <= 1
    return Unit.FRACTION if number.unit is Unit.NONE and is_share else number.unit


def _evidence(finding: Finding, known: Known) -> Location | None:
    """Where the first of the rows that decide stands; ``None`` for what the task's text gives."""
    places = [known.rows[row].evidence for row in finding.rows if row in known.rows]
    shown = [place for place in places if place.step >= 0]
    return next((place for place in shown if place.text), shown[0] if shown else None)
