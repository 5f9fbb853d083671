"""The verdict on "was run" and "was saved": a run that came after the code for it, or none."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution
from evaluation.claims.claim import Finding
from evaluation.claims.event_kinds import EventKind, action_text
from evaluation.claims.events import Event
from evaluation.claims.findings import RUN_KINDS, refuted, shown, telling_line, unsupported
from evaluation.claims.fixes import FILE, files_named, never_written
from evaluation.claims.numbers import find_numbers
from evaluation.claims.pending import is_unseen
from evaluation.claims.procedures import has_no_trace, unheard_count
from evaluation.claims.run_model import Known
from evaluation.claims.trials import called, words_of

_SAVE_CODE = re.compile(
    r"to_csv|\.save\(|save_pretrained|torch\.save|dump\(|np\.save|savez?\(|to_parquet|write\(|savefig"
    r"|save_model|\.to_json"
    r"|create_submission|open\([^)]*['\"]w",
    re.IGNORECASE,
)
_SAVED = re.compile(r"\b(?:saved|created|written|generated|wrote|stored|produced|exported)\b", re.IGNORECASE)
_THIS_RUN = re.compile(r"\b(?:this (?:script|run|time)|as well|again)\b", re.IGNORECASE)
_OTHER_SEED = re.compile(r"\b(?:second|another|different|other) (?:random )?seed\b", re.IGNORECASE)
_PART_OF = re.compile(r"\b(?:completed|finished) (?P<n>\d+) (?:of|out of) ", re.IGNORECASE)
_SEEDS = re.compile(r"\b(\d+|[a-z]+) (?:different |random )?seeds\b", re.IGNORECASE)
_SPLITS = re.compile(r"\b(\d+|[a-z]+) (?:different |random )(?:\w+ )?(?:splits|folds|subsets)\b", re.IGNORECASE)
_SEED = re.compile(r"\bseed\W{0,3}(\d+)")
_SORTS = {
    "model": re.compile(r"\b(?:model|checkpoint|weights|policy|state)\b|\.pt\b|\.pkl\b|\.pth\b", re.IGNORECASE),
    "predictions": re.compile(r"submission|predict|probabilit|\.csv\b|\.tsv\b", re.IGNORECASE),
    "picture": re.compile(r"\b(?:plot|figure|chart|graph)s?\b|\.png\b", re.IGNORECASE),
}
_OUTPUT = re.compile(r"\b(?:predict|model|submission|result|probabilit)", re.IGNORECASE)
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
_RAN = "has been executed"
_ON_TEST = re.compile(
    r"\bevaluat\w*\b.*\bon (?:the )?(?:test(?:ing)?|hidden)(?: data| set)?\b|\btest(?:ed)? performance", re.IGNORECASE
)
_LISTS = re.compile(r"list files: ?(?:\.|\./)?$|ls(?: -\w+)*$", re.IGNORECASE)
"""A command that lists the working folder."""
_LIKENESS = re.compile(
    r"\b(?:as (?:shown|in|described|given)|by|like in|following|according to|similar to)\b", re.IGNORECASE
)
_STEP_DONE = re.compile(r"\b(?:completed|finished) (?:the )?(?:\w+ )?(?:step|task|phase)s? \d", re.IGNORECASE)
_RUNS = re.compile(r"\b(\d+|[a-z]+) (?:different )?(?:trials|experiments|runs)\b", re.IGNORECASE)
_EDITED = re.compile(
    r"\b(?:modified|edited|updated|revised|changed|improved|new|adjusted|again|re-?(?:ran|run|executed|trained))\b",
    re.IGNORECASE,
)


def judge_run(claim: Execution, known: Known) -> Finding:
    """Supported by a successful run that came after the code for it; an attempt is enough for "was executed"."""
    runs = _runs(known)
    if not runs:
        return unsupported("nothing had been run")
    last = runs[0]
    stale = _edited_since(last, known) if _EDITED.search(claim.about) else None
    if stale is not None:
        return unsupported(f"edited in step {stale.step}, not run since")
    if known.lacks(claim):
        return unsupported("nothing on record shows it")
    if not known.is_cut and has_no_trace(claim, known.code):
        return unsupported("no code, command or output shows it")
    if _tests_unmeasured(claim, known):
        return unsupported("nothing was measured on test data")
    part = _PART_OF.search(claim.about)
    if _STEP_DONE.search(claim.about) or (part is not None and part["n"] in known.code):
        return shown(runs[0], _RAN)
    if "completed all" in claim.verbs and _edited_since(last, known) is not None:
        return unsupported("edited since, and not run")
    if _seeds_missing(claim, known) or _splits_missing(claim, known):
        return unsupported("so many seeds are not on record")
    if is_unseen(claim, known):
        return unsupported("nothing of it is on record")
    missing = unheard_count(claim, known.code)
    if missing and not known.is_cut:
        return unsupported(f"{missing} is nowhere on record")
    counted_runs = _RUNS.search(claim.about)
    said = find_numbers(counted_runs[1]) if counted_runs else ()
    if said and said[0].value > len(runs):
        return refuted(last, f"{len(runs)} were run", _RAN)
    if all(verb in _ATTEMPTS for verb in claim.verbs) and "success" not in claim.about.lower():
        meant = _of_script(claim, runs) or runs[0]
        return refuted(meant, "there is no such script") if meant.is_missing else shown(meant, _RAN)
    if not last.succeeded:
        return refuted(last, "the run failed")
    counted = _epochs(claim, last, known)
    if counted is not None:
        return counted
    pending = _written_since(last, claim, known)
    if pending is not None:
        return unsupported(f"written into the script in step {pending.step}, not run since")
    return shown(last, _RAN)


def judge_save(claim: Execution, known: Known) -> Finding:
    """Supported by the run, edit or copy that wrote the file; a copy of a script is no result."""
    if known.lacks(claim) or (unheard_count(claim, known.code) and not known.is_cut):
        return unsupported("nothing on record shows it")
    files = FILE.findall(_LIKENESS.split(claim.about)[0]) or FILE.findall(claim.about)
    scripts = {name for name in files if name.endswith((".py", ".sh"))}
    last = known.events[-1] if known.events else None
    if last is not None and last.kind is EventKind.EDIT and last.changed and scripts and _EDITED.search(claim.about):
        return shown(last) if scripts & set(last.files[:1]) else refuted(last, "saved under another name")
    written = next(
        (e for e in known.of_kind(EventKind.EDIT, EventKind.COPY) if e.succeeded and scripts & files_named(e)), None
    )
    if written is not None:
        return shown(written, next(iter(scripts & files_named(written))))
    unwritten = never_written(files, known)
    if unwritten is not None:
        return unwritten
    copy = next((e for e in known.of_kind(EventKind.COPY) if e.succeeded), None) if "copied" in claim.verbs else None
    if copy is not None and not files:
        return shown(copy)
    tried = _only_tried(claim, known)
    if tried is not None:
        return refuted(tried, "the run failed")
    runs = _runs(known)[: 1 if _THIS_RUN.search(claim.about) else None]
    done = next((event for event in runs if event.succeeded), None)
    copied = next((e for e in known.of_kind(EventKind.COPY) if e.succeeded and set(files) & files_named(e)), None)
    if copied is not None and (done is None or copied.step > done.step) and _copies_script(copied):
        return refuted(copied, "the file is a copy of a script", files[-1])
    if done is not None:
        return _saved_by(claim, done, runs, files, known)
    created = next((e for e in known.live_edits if not files or set(files) & set(e.files)), None)
    if created is not None and not _OUTPUT.search(claim.about):
        return shown(created, telling_line(created))
    return refuted(runs[0], "the run failed") if runs else unsupported("nothing had been run")


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


def _only_tried(claim: Execution, known: Known) -> Event | None:
    """The latest run, if it failed and the claim names its script, which no run before it had."""
    runs = _runs(known)
    if not runs or runs[0].succeeded:
        return None
    earlier = set().union(*(called(run) for run in runs[1:]))
    own = {word for word in called(runs[0]) - earlier if len(word) > 2} - {"python", "train", "run"}
    return runs[0] if own & set(words_of(claim.about)) else None


def _runs(known: Known) -> list[Event]:
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
    at = next(n for n, event in enumerate(known.events) if event is run)
    changes = (EventKind.EDIT, EventKind.UNDO)
    return next((e for e in known.events[at + 1 :] if e.kind in changes and e.changed), None)


def _written_since(run: Event, claim: Execution, known: Known) -> Event | None:
    """An edit after the last run that brings in what the claim says was run."""
    words = tuple(_telling_words(claim))
    at = next(n for n, event in enumerate(known.events) if event is run)
    earlier = set(words_of(run.observation)).union(*(words_of(event.added) for event in known.events[:at]))
    for event in known.events[at + 1 :]:
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


def _saved_by(claim: Execution, done: Event, runs: list[Event], files: list[str], known: Known) -> Finding:
    absent = _not_listed(files, done, known)
    if absent is not None:
        return refuted(absent, f"{files[0]} is not in the folder")
    for run in runs:
        line = next((line for line in run.observation.split("\n") if _tells_of_saving(line, files, claim)), None)
        if run.succeeded and line is not None:
            return shown(run, line)
    at = next(n for n, event in enumerate(known.events) if event is done)
    shows_code = (EventKind.EDIT, EventKind.READ)
    before = done.added + "\n".join(e.added + e.observation for e in known.events[:at] if e.kind in shows_code)
    if _SAVE_CODE.search(before) and (not files or any(name in before for name in files)):
        return shown(done, _RAN)
    if any(_SAVE_CODE.search(event.added) for event in known.events[at + 1 :]):
        return unsupported("written into the script, not run since")
    return unsupported("nothing on record shows that it was saved")


def _not_listed(files: list[str], done: Event, known: Known) -> Event | None:
    """A listing of the folder after a run that lacks the file said to be written."""
    if len(files) != 1:
        return None
    listings = [e for e in known.of_kind(EventKind.READ) if e.step >= done.step and _LISTS.match(e.command_line)]
    name = re.compile(rf"(?<![\w-]){re.escape(files[0])}")
    return next((e for e in listings if e.succeeded and not name.search(e.observation)), None)


def _tells_of_saving(line: str, files: list[str], claim: Execution) -> bool:
    """Whether a line of output names the file, or speaks of saving the same sort of thing."""
    if any(name in line for name in files):
        return True
    return bool(_SAVED.search(line)) and not files and _sort(claim.about) & (_sort(line) or _sort(claim.about)) != set()


def _sort(text: str) -> set[str]:
    """What a text says is saved: a model, predictions, a picture; everything where it names none."""
    found = {name for name, pattern in _SORTS.items() if pattern.search(text)}
    return found or set(_SORTS)


def _copies_script(copied: Event) -> bool:
    return bool(re.search(r"\.py\b", copied.observation + action_text(copied.exchange.action)))
