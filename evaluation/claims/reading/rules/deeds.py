"""Reads what is said to have been done, and finds the events that show it or its contrary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.claims.reading.rules.asserted import TICKED_OFF, is_hedged, without_purpose
from evaluation.claims.reading.rules.objects import Object, object_of, sets_other_number
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.vocabulary import groups, phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.deed import Deed, Doing
from evaluation.claims.types.vague import VagueDeed
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_DONE_BY = re.compile(
    r"(?:\b(?:have|has|had|was|were|is|are|been|be|being|i|we|it|they|also|then|now|just|and|successfully|'ve|both|that|which|only|not yet|who|assistant|edit|diff|change|agent|script|\w+ly|\w+\.py)|^\W*|[:(]\W*)\s*$",
    re.I,
)
_ATTRIBUTE = re.compile(r"\b(?:the|a|an|our|my|this|these|its|with|of|more|all|new|any|no|your|their)\s*$", re.I)
_STATE = re.compile(r"\b(?:is|are|being)\W*(?:\w+ly )?$", re.IGNORECASE)
_AGAIN = re.compile(r"\bagain\b|\bre-?(?:ran|run|trained|evaluated)\b", re.IGNORECASE)
_OF_EDITED = re.compile(
    r"\b(?:new|updated|modified|edited|revised|changed|improved) (?:\w+ )?(?:model|version|script|network|architecture|code)\b",
    re.IGNORECASE,
)
_VARIED = ("tuned", "search", "experiment", "tried", "compared", "swept", "ablated")
_NO_RUN = ("used", "gives", "gave", "yielded")
"""Verbs of which only what is used can be looked for."""
_DENIED = re.compile(r"\b(?:not|never|n't|no|without|nothing|neither|cannot)\b[^,;]{0,24}$|n't[^,;]{0,24}$", re.I)
_ENOUGH = 0.5
"""Share of the words of a deed that an edit must hold."""


@dataclass(frozen=True)
class Done:
    """A deed that a clause names."""

    doing: Doing
    verb: str
    what: Object
    text: str


def read_deed(clause: Clause, known: Known) -> Assertion | None:
    """The deed that a clause asserts; ``None`` for none, or where it is part of the step that is only about to be done."""
    done = _done_in(clause)
    if done is None or _is_of_own_step(done, known):
        return None
    return {
        Doing.CHANGED: _changed,
        Doing.RAN: _ran,
        Doing.SAVED: _saved,
        Doing.READ: _read,
        Doing.INSTALLED: _installed,
        Doing.SUBMITTED: _submitted,
        Doing.UNDONE: _undone,
    }[done.doing](done, known)


def _done_in(clause: Clause) -> Done | None:
    text = without_purpose(clause.text)
    hits = []
    if TICKED_OFF.search(clause.sentence.text):
        hits = [
            (match.start(), name, match.group())
            for name, pattern in groups("bare_deeds").items()
            if (match := pattern.match(text.lstrip("[x]✓✅ ")))
        ]
    for name, pattern in groups("deeds").items():
        for match in pattern.finditer(text):
            before = text[: match.start()]
            if (
                _DONE_BY.search(before)
                and not _ATTRIBUTE.search(before)
                and not (_STATE.search(before) and (name == "ran" or match.group().lower() == "set"))
            ):
                hits.append((match.start(), name, match.group()))
    if not hits:
        return None
    start, name, verb = min(hits, key=lambda hit: (hit[2].lower() in _NO_RUN, hit[0]))
    if _DENIED.search(text[:start]) or is_hedged(clause, start):
        return None
    return Done(Doing(name), verb, object_of(text, verb), text)


def _is_of_own_step(done: Done, known: Known) -> bool:
    """Whether the step's own action does it: it was written before, and its result is not seen yet."""
    if known.step >= len(known.log.steps):
        return False
    exchanges = known.log.steps[known.step].exchanges
    args = [
        value
        for each in exchanges
        for name, value in each.action.args.items()
        if name not in ("final_answer", "claims")
    ]
    own = "\n".join(map(str, args)).lower()
    if not own.strip():
        return False
    if done.what.files and not any(name.lower() in own for name in done.what.files):
        return False
    if done.what.is_empty:
        return False
    return done.what.coverage(own) > max(
        (done.what.coverage(e.difference.lower()) for e in known.live_edits), default=0.0
    )


def _deed(done: Done, events: Sequence[Event] = (), instead: Sequence[Event] = ()) -> Deed:
    new = done.what.numbers[0] if done.what.numbers else None
    return Deed(doing=done.doing, new=new, events=tuple(e.id for e in events), instead=tuple(e.id for e in instead))


def _changed(done: Done, known: Known) -> Assertion:
    what = done.what
    attempts = [event for event in reversed(known.events) if event.kind is EventKind.EDIT or event.writes]
    attempts = [
        e
        for e in attempts
        if not what.files or what.files & set(e.files) or any(f in e.observation for f in what.files)
    ] or attempts
    if _is_unknown(what, known):
        return _deed(done)
    if not attempts:
        return _deed(done) if not known.is_cut and not known.events else VagueDeed()
    if what.is_empty:
        return _of_last(done, attempts)
    live = [event for event in attempts if event.changed and event in known.live_edits]
    best = max(live, key=lambda e: what.coverage(e.difference.lower()), default=None)
    shown = what.coverage(best.difference.lower()) if best is not None else 0.0
    refused = _refused(done, attempts)
    if refused is not None and _asked(what, refused.command.lower()) and not (live and _is_of(what, known.live_code)):
        return _deed(done, [refused])
    undone = next((e for e in known.edits if e not in live and _is_of(what, e.difference.lower())), None)
    if undone is not None and shown < _ENOUGH and (last := known.of_kind(EventKind.UNDO)):
        return _deed(done, instead=last[:1])
    if known.is_cut:
        return _deed(done, [best]) if best is not None and shown >= _ENOUGH else VagueDeed()
    if what.is_telling and what.missing(known.code) and shown < _ENOUGH:
        return _deed(done, instead=live[:1]) if live else _deed(done)
    written = f"{known.live_code}\n{known.commands}"
    if live and what.lacks_number(written) and (what.lacks_number(known.code) or shown < _ENOUGH):
        return _deed(done, instead=[best or live[0]])
    if best is None or shown < _ENOUGH:
        return VagueDeed()
    other = next((e for e in live[:3] if sets_other_number(done.text, e)), None)
    if other is not None:
        return _deed(done, instead=[other])
    return _deed(done, [best])


def _is_of(what: Object, code: str) -> bool:
    """Whether code holds what a deed names, with the numbers that it sets."""
    return what.coverage(code) >= _ENOUGH and not what.missing(code) and not what.lacks_number(code)


def _is_unknown(what: Object, known: Known) -> bool:
    """Whether a file is named that nothing on record names."""
    seen = [text for event in known.events for text in (*event.files, event.command, event.observation)]
    return bool(what.files) and bool(known.events) and not any(file in text for file in what.files for text in seen)


def _asked(what: Object, command: str) -> bool:
    """Whether an edit that failed was to do what a deed names."""
    if what.numbers and not what.lacks_number(command):
        return True
    return not what.numbers and what.coverage(command) >= _ENOUGH and not what.missing(command)


def _of_last(done: Done, attempts: Sequence[Event]) -> Assertion:
    """An edit of which nothing is named: the last that was tried."""
    if done.what.numbers:
        return VagueDeed()
    return _deed(done, attempts[:1])


def _refused(done: Done, attempts: Sequence[Event]) -> Event | None:
    """The latest edit that failed, where none went well after it."""
    return attempts[0] if attempts and not attempts[0].changed else None


def _ran(done: Done, known: Known) -> Assertion | None:
    what = done.what
    code = known.live_code if done.verb.lower().startswith(_VARIED) else known.proven_code
    if done.verb.lower() in _NO_RUN:
        return _deed(done) if what.is_telling and not known.is_cut and what.missing(known.proven_code) else None
    runs = [event for event in known.events if event.kind in (EventKind.RUN, EventKind.SCORE)]
    if what.files:
        own = [event for event in runs if what.files & set(event.files) or any(f in event.command for f in what.files)]
        if not own and any(file.endswith(".py") for file in what.files):
            return _deed(done) if runs or known.events else VagueDeed()
        runs = own or runs
    if not runs:
        return _deed(done)
    if what.is_telling and not known.is_cut and what.missing(code):
        return _deed(done)
    after = _since_last_edit(runs, known)
    if not after and not what.is_empty and _is_only_waiting(what, known):
        return _deed(done)
    if not after and _OF_EDITED.search(done.text):
        return _deed(done)
    if not after and _AGAIN.search(done.text) and known.events[-1].kind in (EventKind.EDIT, EventKind.UNDO):
        return _deed(done)
    if what.numbers and not known.is_cut and what.lacks_number(known.code):
        return _deed(done)
    if not what.is_empty and what.coverage(known.code) < _ENOUGH:
        return VagueDeed()
    worked = [event for event in (after or runs) if event.succeeded]
    if worked:
        return _deed(done, worked[-1:])
    if (
        (after
        and phrases("outcomes.succeeded").search(done.text))
        or done.verb.lower().startswith(("train", "evaluat", "test", "fine"))
    ):
        return _deed(done, (after or runs)[-1:])
    return VagueDeed()


def ran(clause: Clause, known: Known) -> Assertion | None:
    """A run of which a clause says what it was made with and that it came to its end."""
    return _ran(Done(Doing.RAN, "trained", object_of(clause.text, ""), clause.text), known)


def _since_last_edit(runs: Sequence[Event], known: Known) -> list[Event]:
    order = {event.id: n for n, event in enumerate(known.events)}
    last = max(
        (
            order[event.id]
            for event in known.events
            if event.kind is EventKind.UNDO or (event.kind is EventKind.EDIT and event.changed)
        ),
        default=-1,
    )
    return [event for event in runs if order[event.id] > last]


def _is_only_waiting(what: Object, known: Known) -> bool:
    """Whether what is named stands only in code that has not run since it was written."""
    return what.coverage(known.measured_code) < what.coverage(known.code)


def _saved(done: Done, known: Known) -> Assertion:
    what = done.what
    if _is_unknown(what, known):
        return _deed(done)
    runs = [event for event in known.events if event.kind in (EventKind.RUN, EventKind.SCORE, EventKind.SUBMIT)]
    for event in reversed(known.events):
        is_written = event.kind in (EventKind.EDIT, EventKind.COPY) and event.succeeded
        if is_written and any(f in event.files or f in event.observation for f in what.files):
            return _deed(done, [event])
    if not runs:
        return _deed(done) if not known.is_cut else VagueDeed()
    last = runs[-1]
    named = [run for run in runs if any(f in run.observation or f in run.command for f in what.files)]
    worked = [run for run in named if run.succeeded]
    if worked:
        return _deed(done, worked[-1:])
    if what.files and not known.is_cut and not any(f.lower() in known.code for f in what.files):
        return _deed(done)
    if not last.succeeded:
        return _deed(done, [last])
    is_saving = re.search(r"sav|to_csv|wrote|writ|dump|export", known.code)
    return _deed(done, [last]) if is_saving else VagueDeed()


def _read(done: Done, known: Known) -> Assertion | None:
    if not done.what.files:
        return None
    named = [event for event in known.events if any(f in event.command or f in event.files for f in done.what.files)]
    return _deed(done, named[-1:]) if named else VagueDeed()


def _installed(done: Done, known: Known) -> Assertion:
    found = [event for event in known.events if event.kind is EventKind.INSTALL or "pip install" in event.command]
    words = done.what.words | done.what.names
    named = [event for event in found if any(word in event.command.lower() for word in words)]
    return _deed(done, (named or found)[-1:])


def _submitted(done: Done, known: Known) -> Assertion | None:
    found = [event for event in known.events if event.kind in (EventKind.SUBMIT, EventKind.SCORE)]
    return _deed(done, found[-1:]) if found else None


def _undone(done: Done, known: Known) -> Assertion:
    found = [event for event in known.events if event.kind is EventKind.UNDO]
    return _deed(done, found[-1:]) if found else VagueDeed()
