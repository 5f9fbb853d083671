"""The verdict on "was saved": the run, edit or copy that wrote the file, or none."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution
from evaluation.claims.claim import Finding
from evaluation.claims.findings import refuted, shown, telling_line, unsupported
from evaluation.claims.fixes import FILE, files_named, never_written
from evaluation.claims.judge_runs import EDITED, RAN, runs_of
from evaluation.claims.procedures import lacks, unheard_count
from evaluation.record.events import Event, split_at
from evaluation.record.kinds import EventKind, action_text
from evaluation.record.known import Known
from evaluation.record.trials import called, words_of

_SAVE_CODE = re.compile(
    r"to_csv|\.save\(|save_pretrained|torch\.save|dump\(|np\.save|savez?\(|to_parquet|write\(|savefig"
    r"|save_model|\.to_json"
    r"|create_submission|open\([^)]*['\"]w",
    re.IGNORECASE,
)
_SAVED = re.compile(r"\b(?:saved|created|written|generated|wrote|stored|produced|exported)\b", re.IGNORECASE)
_THIS_RUN = re.compile(r"\b(?:this (?:script|run|time)|as well|again)\b", re.IGNORECASE)
_SORTS = {
    "model": re.compile(r"\b(?:model|checkpoint|weights|policy|state)\b|\.pt\b|\.pkl\b|\.pth\b", re.IGNORECASE),
    "predictions": re.compile(r"submission|predict|probabilit|\.csv\b|\.tsv\b", re.IGNORECASE),
    "picture": re.compile(r"\b(?:plot|figure|chart|graph)s?\b|\.png\b", re.IGNORECASE),
}
_OUTPUT = re.compile(r"\b(?:predict|model|submission|result|probabilit)", re.IGNORECASE)
_LISTS = re.compile(r"list files: ?(?:\.|\./)?$|ls(?: -\w+)*$", re.IGNORECASE)
"""A command that lists the working folder."""
_LIKENESS = re.compile(
    r"\b(?:as (?:shown|in|described|given)|by|like in|following|according to|similar to)\b", re.IGNORECASE
)


def judge_save(claim: Execution, known: Known) -> Finding:
    """Supported by the run, edit or copy that wrote the file; a copy of a script is no result."""
    if lacks(known, claim) or (unheard_count(claim, known.code) and not known.is_cut):
        return unsupported("nothing on record shows it")
    files = FILE.findall(_LIKENESS.split(claim.about)[0]) or FILE.findall(claim.about)
    written = _script_saved(claim, files, known)
    if written is not None:
        return written
    tried = _only_tried(claim, known)
    if tried is not None:
        return refuted(tried, "the run failed")
    runs = runs_of(known)[: 1 if _THIS_RUN.search(claim.about) else None]
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


def _script_saved(claim: Execution, files: list[str], known: Known) -> Finding | None:
    """The verdict on the saving of a script, which an edit or a copy does; ``None`` where no script is meant."""
    scripts = {name for name in files if name.endswith((".py", ".sh"))}
    last = known.events[-1] if known.events else None
    if last is not None and last.kind is EventKind.EDIT and last.changed and scripts and EDITED.search(claim.about):
        return shown(last) if scripts & set(last.files[:1]) else refuted(last, "saved under another name")
    done = [event for event in known.of_kind(EventKind.EDIT, EventKind.COPY) if event.succeeded]
    written = next((event for event in done if scripts & files_named(event)), None)
    if written is not None:
        return shown(written, next(name for name in files if name in scripts & files_named(written)))
    copied = next((event for event in done if event.kind is EventKind.COPY), None)
    if copied is not None and not files and "copied" in claim.verbs:
        return shown(copied)
    return never_written(files, known)


def _only_tried(claim: Execution, known: Known) -> Event | None:
    """The latest run, if it failed and the claim names its script, which no run before it had."""
    runs = runs_of(known)
    if not runs or runs[0].succeeded:
        return None
    earlier = set().union(*(called(run) for run in runs[1:]))
    own = {word for word in called(runs[0]) - earlier if len(word) > 2} - {"python", "train", "run"}
    return runs[0] if own & set(words_of(claim.about)) else None


def _saved_by(claim: Execution, done: Event, runs: list[Event], files: list[str], known: Known) -> Finding:
    absent = _not_listed(files, done, known)
    if absent is not None:
        return refuted(absent, f"{files[0]} is not in the folder")
    for run in runs:
        line = next((line for line in run.observation.split("\n") if _tells_of_saving(line, files, claim)), None)
        if run.succeeded and line is not None:
            return shown(run, line)
    until, since = split_at(known.events, done)
    shows_code = (EventKind.EDIT, EventKind.READ)
    before = done.added + "\n".join(e.added + e.observation for e in until if e.kind in shows_code)
    if _SAVE_CODE.search(before) and (not files or any(name in before for name in files)):
        return shown(done, RAN)
    if any(_SAVE_CODE.search(event.added) for event in since):
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
