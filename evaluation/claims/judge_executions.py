"""The verdict on something done: was it done, before the claim, and did it work?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.assertions import Deed, Execution
from evaluation.claims.claim import Evidence, Finding, Verdict
from evaluation.claims.events import Event, EventKind, action_text
from evaluation.claims.measurements import excerpt
from evaluation.claims.run_model import Known, words_of
from evaluation.claims.subjects import content_words

_FILE = re.compile(r"[\w-]+\.(?:py|csv|pkl|pt|pth|json|txt|h5|joblib|npy|parquet|sh|bin|safetensors|png)\b")
_SAVE_CODE = re.compile(
    r"to_csv|\.save\(|save_pretrained|torch\.save|dump\(|np\.save|savez?\(|to_parquet|write\(|savefig|save_model|\.to_json|create_submission|open\([^)]*['\"]w",
    re.I,
)
_SAVED = re.compile(r"\b(?:saved|created|written|generated|wrote|stored|produced|exported)\b", re.IGNORECASE)
_TIMEOUT = re.compile(
    r"tim(?:ed|e)[ -]?out|time limit|exceed\w* .{0,30}time|too long|terminated|killed|out of time", re.IGNORECASE
)
_EDIT_WORDS = re.compile(r"\b(?:edit(?:ed|ing)?|change[sd]?|updat\w+|modif\w+)\b", re.IGNORECASE)
_UNDO_WORDS = re.compile(r"\bundo\b|\brevert", re.IGNORECASE)
_SCRIPT_WORDS = re.compile(
    r"\b(?:script|training|execution|run|process|model|code|program|epoch|command)\b", re.IGNORECASE
)
_SCORE_WORDS = re.compile(r"\b(?:validat\w+|evaluat\w+|submission)\b", re.IGNORECASE)
_OTHER_ERROR = re.compile(
    r"\b(?:(?P<same>same)|different|another|new)\s+(?:\w+\s+)?(?:error|exception|issue|problem|message)", re.I
)
_ATTEMPTS = ("executed", "ran", "run", "re-run", "execute")
_EPOCHS = re.compile(r"\bfor (?:\w+ )?(?P<n>\d+)\s+(?:training )?epochs?\b", re.IGNORECASE)
_EPOCH_OF = re.compile(r"^.*\bepoch\W{0,3}\d+\s*/\s*(?P<total>\d+).*$", re.IGNORECASE | re.MULTILINE)
_FILLER = frozenset(
    """
    the an of on in to for with and or as at by is was has have had it its this that we our my model data script file confirmed
    directly set using from new values value been were also all results step steps performance training train successfully
    """.split()  # noqa: SIM905 (a column of words reads better than a list of strings)
)
_IDENTIFIER = re.compile(r"`([^`\n]{2,80})`|\b([a-z]+_[a-z0-9_]+|[A-Z][a-z]+[A-Z]\w+)\b|'([^'\n]{2,60})'")
_RUNS = (EventKind.RUN, EventKind.SCORE)
_RECENT = 6


def judge_execution(claim: Execution, known: Known) -> Finding:
    """Check every deed of a claim; the worst one is the verdict."""
    findings = [_judge(deed, claim, known) for deed in dict.fromkeys(claim.deeds)]
    order = [Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE, Verdict.SUPPORTED]
    finding = min(findings, key=lambda f: order.index(f.verdict))
    if not claim.negated:
        return finding
    return _denied(finding, known)


def _judge(deed: Deed, claim: Execution, known: Known) -> Finding:
    match deed:
        case Deed.FAIL:
            return _failed(claim, known)
        case Deed.SUCCEED:
            return _worked(claim, known)
        case Deed.CHANGE:
            return _changed(claim, known)
        case Deed.SAVE:
            return _saved(claim, known)
        case Deed.RUN:
            return _ran(claim, known)
        case Deed.UNDO:
            return _undone(claim, known)
        case Deed.INSTALL:
            return _simple((EventKind.INSTALL,), known, "nothing was installed")
        case Deed.SUBMIT:
            return _simple((EventKind.SUBMIT,), known, "nothing was submitted")
        case Deed.READ:
            return _simple((EventKind.READ, EventKind.EDIT), known, "nothing was read")


def _shown(event: Event, wanted: str = "", verdict: Verdict = Verdict.SUPPORTED, note: str = "") -> Finding:
    """A finding whose evidence is the line of an observation that holds ``wanted``, else its telling line."""
    lines = event.observation.split("\n")
    at = next((n for n, line in enumerate(lines) if wanted and wanted in line), None)
    if at is None:
        told = [n for n, line in enumerate(lines) if line.strip()]
        at = (told[-1] if event.kind in _RUNS else told[0]) if told else None
    if at is None:
        return Finding(
            verdict=verdict if verdict is not Verdict.SUPPORTED else Verdict.SUPPORTED, evidence=None, note=note
        )
    text = excerpt(lines[at], wanted or lines[at])
    evidence = Evidence(step=event.step, text=text, training_run=event.exchange.training_run, line=at + 1)
    return Finding(verdict=verdict, evidence=evidence, note=note)


def _refuted(event: Event, note: str) -> Finding:
    return _shown(event, event.failure[:100], Verdict.CONTRADICTED, note)


def _unsupported(note: str) -> Finding:
    return Finding(verdict=Verdict.UNSUPPORTED, note=note)


def _denied(finding: Finding, known: Known) -> Finding:
    """The verdict on "was not done"."""
    if finding.verdict is Verdict.SUPPORTED:
        return finding.model_copy(update={"verdict": Verdict.CONTRADICTED, "note": "it was done"})
    last = known.failures(within=3)
    if last:
        return _shown(last[0], last[0].failure[:100])
    return _unsupported("nothing on record shows it")


def _simple(kinds: Sequence[EventKind], known: Known, missing: str) -> Finding:
    events = known.of_kind(*kinds)
    done = next((event for event in events if event.succeeded), None)
    if done is None:
        return _refuted(events[0], "it failed") if events else _unsupported(missing)
    return _shown(done, "Successfully" if EventKind.INSTALL in kinds else "")


def _failed(claim: Execution, known: Known) -> Finding:
    kinds = _meant(claim.about)
    recent = [event for event in known.events[-_RECENT:][::-1] if event.kind in kinds] or known.of_kind(*kinds)
    if not recent:
        return _unsupported("nothing of the kind was tried")
    timeout = bool(_TIMEOUT.search(" ".join(claim.verbs)))
    failed = [event for event in recent[:3] if not event.succeeded]
    fitting = next((event for event in failed if event.timed_out or not timeout), failed[0] if failed else None)
    if fitting is not None:
        return _alike(claim, fitting, known) or _shown(fitting, fitting.failure[:100])
    if not recent[0].succeeded:
        return _shown(recent[0], recent[0].failure[:100])
    return _shown(
        recent[0], "saved" if recent[0].kind is EventKind.EDIT else "", Verdict.CONTRADICTED, "it had succeeded"
    )


def _alike(claim: Execution, failed: Event, known: Known) -> Finding | None:
    """Whether a failure said to be the same as the one before, or another, is not."""
    said = _OTHER_ERROR.search(claim.about)
    before = next((event for event in known.failures() if event.step < failed.step), None)
    if said is None or before is None:
        return None
    same = before.failure == failed.failure
    if same == (said["same"] is not None):
        return None
    note = f"the failure of step {failed.step} is {'the same' if same else 'another'}"
    return _shown(before, before.failure[:100], Verdict.CONTRADICTED, note)


def _meant(text: str) -> tuple[EventKind, ...]:
    """The kinds of action a phrase speaks of."""
    if _UNDO_WORDS.search(text) and not _EDIT_WORDS.search(text):
        return (EventKind.UNDO,)
    if _EDIT_WORDS.search(text):
        return (EventKind.EDIT,)
    if _SCRIPT_WORDS.search(text) or _SCORE_WORDS.search(text):
        return _RUNS if not re.search(r"\bedit", text) else (EventKind.EDIT,)
    return tuple(EventKind)


def _worked(claim: Execution, known: Known) -> Finding:
    kinds = _meant(claim.about)
    events = known.of_kind(*kinds)
    if not events:
        return _unsupported("nothing of the kind was done")
    last = events[0]
    if not last.succeeded:
        return _refuted(last, "it had failed")
    if last.kind is EventKind.EDIT and not last.changed:
        return _shown(last, "", Verdict.CONTRADICTED, "nothing was changed")
    return _shown(last, "successfully")


def _changed(claim: Execution, known: Known) -> Finding:
    edits = known.of_kind(EventKind.EDIT)
    if not edits:
        return _unsupported("nothing had been edited")
    wanted = _wanted(claim)
    target = claim.numbers[-1].text if claim.numbers else ""
    for edit in edits:
        if not edit.changed:
            continue
        line = _line_with(edit, wanted, claim)
        if line:
            return _replaced(claim, edit, line)
    last = edits[0]
    if not last.succeeded and not any(edit.changed for edit in edits[1:3]):
        return _refuted(last, "the edit failed")
    if last.succeeded and not last.changed:
        return _shown(last, "", Verdict.CONTRADICTED, "the edit changed nothing")
    done = next((edit for edit in edits if edit.changed), None)
    if done is None:
        return _unsupported("no edit succeeded")
    if target and _has_target(claim) and not _mentions(known.code, claim.numbers[-1].value):
        named = next(
            (line for edit in edits if edit.changed and (line := _line_with(edit, wanted, claim, loose=True))), ""
        )
        if named and re.search(r"\d", named):
            return _shown(done, named.strip()[:120], Verdict.CONTRADICTED, f"{target} is in no edit")
        return _unsupported(f"{target} is in no edit")
    return _shown(done, _first_line(done))


def _has_target(claim: Execution) -> bool:
    number = claim.numbers[-1]
    return bool(re.search(r"\b(?:to|of|=|at|with)\W*$", claim.about[: number.start]))


def _mentions(code: str, value: float) -> bool:
    return any(
        abs(float(found) - value) < 1e-12 for found in set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?", code))
    )


def _wanted(claim: Execution) -> set[str]:
    names = {next(group for group in match if group) for match in _IDENTIFIER.findall(claim.about)}
    return names | content_words(claim.about)


def _line_with(edit: Event, wanted: set[str], claim: Execution, *, loose: bool = False) -> str:
    """The changed line that shows what the claim says; "" where none does."""
    values = [number.value for number in claim.numbers]
    best, score = "", 0
    target = claim.numbers[-1].value if claim.numbers and _has_target(claim) else None
    for line in (edit.added if target is not None else f"{edit.added}\n{edit.removed}").splitlines():
        lowered = line.lower().replace("_", " ")
        hits = sum(word.lower().replace("_", " ").strip() in lowered for word in wanted)
        if target is not None and not loose and hits and not _mentions(line, target):
            continue
        hits += 2 * sum(_mentions(line, value) for value in values[-1:])
        if hits > score:
            best, score = line, hits
    needed = 2 if values and not loose else 1
    return best if score >= needed else ""


def _replaced(claim: Execution, edit: Event, line: str) -> Finding:
    """A stated old text must really have been taken out, where the log shows the whole difference."""
    quoted = re.findall(r"`([^`]{4,})`", claim.about)
    if edit.diffed and len(quoted) >= 2 and "replac" in " ".join(claim.verbs) and quoted[0].strip() not in edit.removed:
        return _shown(edit, quoted[-1], Verdict.CONTRADICTED, "the difference takes out no such line")
    return _shown(edit, line.strip()[:120])


def _first_line(event: Event) -> str:
    shown = next(
        (
            line.strip()
            for line in event.added.splitlines()
            if line.strip() in event.observation and len(line.strip()) > 6
        ),
        "",
    )
    return shown or "File updated"


def _ran(claim: Execution, known: Known) -> Finding:
    runs = [event for event in known.of_kind(*_RUNS) if not event.authored]
    if not runs:
        return _unsupported("nothing had been run")
    done = next((event for event in runs if event.succeeded), None)
    attempted = all(verb in _ATTEMPTS for verb in claim.verbs) and "success" not in claim.about.lower()
    if attempted:
        return _shown(runs[0], "has been executed")
    if done is None or not runs[0].succeeded:
        return _refuted(runs[0], "the run failed")
    counted = _epochs(claim, done)
    if counted is not None:
        return counted
    pending = _written_since(done, claim, known)
    if pending is not None:
        return _unsupported(f"written into the script in step {pending.step}, not run since")
    return _shown(done, "has been executed")


def _epochs(claim: Execution, run: Event) -> Finding | None:
    """The verdict on "for n epochs", where the run counts its epochs."""
    said = _EPOCHS.search(claim.about)
    counted = list(_EPOCH_OF.finditer(run.observation))
    if said is None or not counted:
        return None
    line = counted[-1].group().strip()
    if counted[-1]["total"] == said["n"]:
        return _shown(run, line)
    return _shown(run, line, Verdict.CONTRADICTED, f"the run counts {counted[-1]['total']} epochs")


def _told_apart(claim: Execution) -> set[str]:
    """The words that would stand in code that does what the claim says."""
    words = {word for word in words_of(claim.about) if len(word) > 1 and word not in _FILLER}
    stems = {re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", re.sub(r"e?d$", "", verb)) for verb in claim.verbs}
    return (words - set(" ".join(claim.verbs).split())) | {stem for stem in stems if len(stem) > 3}


def _written_since(run: Event, claim: Execution, known: Known) -> Event | None:
    """An edit after the last run that brings in what the claim says was run."""
    words = _told_apart(claim)
    at = known.events.index(run)
    earlier = set(words_of(run.observation)).union(*(words_of(event.added) for event in known.events[:at]))
    for event in known.events[at + 1 :]:
        if event.kind is EventKind.EDIT and event.changed:
            new = [word for word in words_of(event.added) if word not in earlier]
            if any(word.startswith(tuple(words)) for word in new):
                return event
    return None


def _saved(claim: Execution, known: Known) -> Finding:
    files = _FILE.findall(claim.about)
    scripts = [name for name in files if name.endswith((".py", ".sh"))]
    if scripts:
        written = next(
            (
                e
                for e in known.of_kind(EventKind.EDIT, EventKind.COPY)
                if e.succeeded and set(scripts) & set(_FILE.findall(_all_text(e)))
            ),
            None,
        )
        if written is not None:
            return _shown(written, scripts[-1])
    copied = next(
        (e for e in known.of_kind(EventKind.COPY) if e.succeeded and any(name in _all_text(e) for name in files)), None
    )
    runs = [event for event in known.of_kind(*_RUNS) if not event.authored]
    done = next((event for event in runs if event.succeeded), None)
    if (
        copied is not None
        and (done is None or copied.step > done.step)
        and re.search(r"\.py\b", copied.observation + action_text(copied.exchange.action))
    ):
        return _shown(copied, files[-1], Verdict.CONTRADICTED, "the file is a copy of a script")
    if done is None:
        created = next(
            (e for e in known.of_kind(EventKind.EDIT) if e.changed and (not files or set(files) & set(e.files))), None
        )
        if created is not None and not re.search(
            r"\b(?:predict|model|submission|result|probabilit)", claim.about, re.I
        ):
            return _shown(created, _first_line(created))
        return _refuted(runs[0], "the run failed") if runs else _unsupported("nothing had been run")
    return _saved_by(done, runs, files, claim, known)


def _saved_by(done: Event, runs: list[Event], files: list[str], claim: Execution, known: Known) -> Finding:
    for run in runs:
        if not run.succeeded:
            continue
        line = next(
            (
                line
                for line in run.observation.split("\n")
                if _SAVED.search(line) or any(name in line for name in files)
            ),
            None,
        )
        if line:
            return _shown(run, line)
    at = known.events.index(done)
    before = "\n".join(e.added + e.observation for e in known.events[:at] if e.kind in (EventKind.EDIT, EventKind.READ))
    if _SAVE_CODE.search(before) and (not files or any(name in before for name in files)):
        return _shown(done, "has been executed")
    after = "\n".join(e.added for e in known.events[at + 1 :])
    if _SAVE_CODE.search(after):
        return _unsupported("written into the script, not run since")
    return _unsupported("nothing on record shows that it was saved")


def _all_text(event: Event) -> str:
    return f"{' '.join(event.files)} {action_text(event.exchange.action)} {event.observation[:300]}"


def _undone(claim: Execution, known: Known) -> Finding:
    undos = known.of_kind(EventKind.UNDO)
    if not undos:
        edits = known.of_kind(EventKind.EDIT)
        return (
            _shown(edits[0], _first_line(edits[0]))
            if edits and edits[0].changed
            else _unsupported("nothing was undone")
        )
    return _shown(undos[0]) if undos[0].succeeded else _refuted(undos[0], "the undo failed")
