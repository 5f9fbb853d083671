"""The verdict on "was run": a run that came after the code for it, or none."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution
from evaluation.claims.claim import Finding
from evaluation.claims.findings import RUN_KINDS, refuted, shown, unsupported
from evaluation.claims.fixes import FILE, files_named
from evaluation.claims.pending import is_unseen
from evaluation.claims.procedures import has_no_trace, lacks, unheard_count
from evaluation.language.numbers import find_numbers
from evaluation.record.events import Event, split_at
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.trials import words_of

_OTHER_SEED = re.compile(r"\b(?:second|another|different|other) (?:random )?seed\b", re.IGNORECASE)
_PART_OF = re.compile(r"\b(?:completed|finished) (?P<n>\d+) (?:of|out of) ", re.IGNORECASE)
_SEEDS = re.compile(r"\b(\d+|[a-z]+) (?:different |random )?seeds\b", re.IGNORECASE)
_SPLITS = re.compile(r"\b(\d+|[a-z]+) (?:different |random )(?:\w+ )?(?:splits|folds|subsets)\b", re.IGNORECASE)
_SEED = re.compile(r"\bseed\W{0,3}(\d+)")
_ATTEMPTS = ("executed", "ran", "run", "re-run", "execute")
_EPOCHS = re.compile(r"\bfor (?:\w+ )?(?P<n>\d+)\s+(?:training )?epochs?\b", re.IGNORECASE)
_EPOCH_OF = re.compile(r"^.*\bepoch\W{0,3}\d+\s*/\s*(?P<total>\d+).*$", re.IGNORECASE | re.MULTILINE)
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")
_FILLER = frozenset(
    """
    the an of on in to for with and or as at by is was has have had it its this that we our my model data script file
    confirmed directly set using from new values value been were also all results step steps performance training train
    successfully
    """.split()  # noqa: SIM905 (a column of words reads better than a list of strings)
)
_EVERYWHERE = ("print", "train", "evaluat", "comput", "calculat", "test", "predict", "perform", "complet", "execut")
"""Stems that stand in nearly every script, and so tell nothing."""
RAN = "has been executed"
_ON_TEST = re.compile(
    r"\bevaluat\w*\b.*\bon (?:the )?(?:test(?:ing)?|hidden)(?: data| set)?\b|\btest(?:ed)? performance", re.IGNORECASE
)
_STEP_DONE = re.compile(r"\b(?:completed|finished) (?:the )?(?:\w+ )?(?:step|task|phase)s? \d", re.IGNORECASE)
_RUNS = re.compile(r"\b(\d+|[a-z]+) (?:different )?(?:trials|experiments|runs)\b", re.IGNORECASE)
EDITED = re.compile(
    r"\b(?:modified|edited|updated|revised|changed|improved|new|adjusted|again|re-?(?:ran|run|executed|trained))\b",
    re.IGNORECASE,
)


def judge_run(claim: Execution, known: Known) -> Finding:
    """Supported by a successful run that came after the code for it; an attempt is enough for "was executed"."""
    runs = runs_of(known)
    if not runs:
        return unsupported("nothing had been run")
    if _is_part(claim, known):
        return shown(runs[0], RAN)
    lacking = _lacking(claim, runs[0], known)
    if lacking:
        return unsupported(lacking)
    return _too_many(claim, runs) or _attempt(claim, runs) or _ended(claim, runs[0], known)


def _is_part(claim: Execution, known: Known) -> bool:
    """Whether no more is claimed than that a part was finished: a step of the plan, 47 of 60 epochs."""
    part = _PART_OF.search(claim.about)
    return bool(_STEP_DONE.search(claim.about)) or (part is not None and part["n"] in known.code)


def _lacking(claim: Execution, last: Event, known: Known) -> str:
    """What the record lacks for a run to be what the claim says; "" where it lacks nothing."""
    since = _edited_since(last, known)
    if since is not None and EDITED.search(claim.about):
        return f"edited in step {since.step}, not run since"
    checks = (
        (lacks(known, claim), "nothing on record shows it"),
        (not known.is_cut and has_no_trace(claim, known.code), "no code, command or output shows it"),
        (_tests_unmeasured(claim, known), "nothing was measured on test data"),
        (since is not None and "completed all" in claim.verbs, "edited since, and not run"),
        (_seeds_missing(claim, known) or _splits_missing(claim, known), "so many seeds are not on record"),
        (is_unseen(claim, known), "nothing of it is on record"),
    )
    unheard = "" if known.is_cut else unheard_count(claim, known.code)
    missing = f"{unheard} is nowhere on record" if unheard else ""
    return next((note for is_so, note in checks if is_so), missing)


def _too_many(claim: Execution, runs: list[Event]) -> Finding | None:
    """Refuted, where more runs are told of than there were."""
    counted = _RUNS.search(claim.about)
    said = find_numbers(counted[1]) if counted else ()
    return refuted(runs[0], f"{len(runs)} were run", RAN) if said and said[0].value > len(runs) else None


def _attempt(claim: Execution, runs: list[Event]) -> Finding | None:
    """The verdict where nothing is said of success: the script must have been there."""
    if any(verb not in _ATTEMPTS for verb in claim.verbs) or "success" in claim.about.lower():
        return None
    meant = _of_script(claim, runs) or runs[0]
    return refuted(meant, "there is no such script") if meant.is_missing else shown(meant, RAN)


def _ended(claim: Execution, last: Event, known: Known) -> Finding:
    """The verdict by how the last run ended, how many epochs it counts, and what was written since."""
    if not last.succeeded:
        return refuted(last, "the run failed")
    counted = _epochs(claim, last, known)
    if counted is not None:
        return counted
    pending = _written_since(last, claim, known)
    if pending is not None:
        return unsupported(f"written into the script in step {pending.step}, not run since")
    return shown(last, RAN)


def _of_script(claim: Execution, runs: list[Event]) -> Event | None:
    """The latest run of the script that a claim names."""
    names = set(FILE.findall(claim.about))
    return next((run for run in runs if names & files_named(run)), None)


def _tests_unmeasured(claim: Execution, known: Known) -> bool:
    """Whether an evaluation on test data is claimed, and only other splits were measured."""
    said = _ON_TEST.search(claim.about)
    splits = known.measured_splits
    return bool(said) and bool(splits & {"train", "validation", "cv", "hold-out"}) and not splits & {"test", None}


def _seeds_missing(claim: Execution, known: Known) -> bool:
    """Whether more seeds are said to be run than code, commands and outputs name."""
    said = _SEEDS.search(claim.about)
    wanted = find_numbers(said[1]) if said else ()
    count = wanted[0].value if wanted else 2 if _OTHER_SEED.search(claim.about) else 1
    return count > max(1, len(set(_SEED.findall(known.code))))


def _splits_missing(claim: Execution, known: Known) -> bool:
    """Whether several splits are said to be used, and no code, command or output has so many."""
    said = _SPLITS.search(claim.about)
    wanted = find_numbers(said[1]) if said else ()
    return bool(wanted) and not re.search(rf"(?:split|fold|cv)\w*\W{{0,4}}{wanted[0].value:g}\b", known.code)


def runs_of(known: Known) -> list[Event]:
    """Runs and scorings whose output no model wrote, the latest first."""
    return [event for event in known.of_kind(*RUN_KINDS) if not event.authored]


def _epochs(claim: Execution, run: Event, known: Known) -> Finding | None:
    """The verdict on "for n epochs", where the run counts its epochs."""
    said = _EPOCHS.search(claim.about)
    counted = list(_EPOCH_OF.finditer(run.observation)) if said else []
    if said is None:
        return None
    if not counted:
        return _last_epoch(said["n"], run, known)
    total, line = counted[-1]["total"], counted[-1].group().strip()
    return shown(run, line) if total == said["n"] else refuted(run, f"the run counts {total} epochs", line)


def _last_epoch(said: str, run: Event, known: Known) -> Finding | None:
    """The verdict by the last epoch for which the run measured something; epochs may be counted from nought."""
    numbered = [v for trial in known.trials if trial.event is run for v in trial.values if v.epoch is not None]
    last = max(numbered, key=lambda value: value.epoch or 0.0, default=None)
    if last is None or last.epoch is None:
        return None
    if float(said) in (last.epoch, last.epoch + 1):
        return shown(run, last.text)
    return refuted(run, f"the last epoch measured is {last.epoch:g}", last.text)


def _edited_since(run: Event, known: Known) -> Event | None:
    """An edit after a run."""
    changes = (EventKind.EDIT, EventKind.UNDO)
    return next((e for e in split_at(known.events, run)[1] if e.kind in changes and e.changed), None)


def _written_since(run: Event, claim: Execution, known: Known) -> Event | None:
    """An edit after the last run that brings in what the claim says was run."""
    words = tuple(_telling_words(claim))
    until, since = split_at(known.events, run)
    earlier = set(words_of(run.observation)).union(*(words_of(event.added) for event in until[:-1]))
    for event in since:
        if event.kind is EventKind.EDIT and event.changed:
            brought = set(words_of(event.added)) - earlier
            if any(word.startswith(words) for word in brought):
                return event
    return None


def _telling_words(claim: Execution) -> set[str]:
    """The words that would stand in code that does what the claim says; of its verbs the stems."""
    words = {word for word in words_of(claim.about) if len(word) > 1 and word not in _FILLER}
    stems = {_DOUBLED.sub(r"\1", re.sub(r"e?d$", "", verb)) for verb in claim.verbs}
    return (words - set(" ".join(claim.verbs).split())) | {
        stem for stem in stems if len(stem) > 3 and stem not in _EVERYWHERE
    }
