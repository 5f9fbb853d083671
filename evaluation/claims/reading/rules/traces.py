"""Finds the events that show a change of code or a run, or their contrary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import is_of
from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.naming import is_unheard
from evaluation.claims.reading.rules.objects import Object, sets_other_number
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.deed import Deed, Doing
from evaluation.claims.types.vague import VagueDeed
from evaluation.language.numbers import find_numbers
from evaluation.record.code import Code, Text
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_SETTINGS = re.compile(r"\b(?:hyper-?)?parameters?\b", re.IGNORECASE)
_VARIED = ("tuned", "fine-tuned", "search", "experiment", "tried", "compared", "swept", "ablated")
NO_RUN = ("used", "gives", "gave", "yielded")
"""Verbs of which only what is used can be looked for."""
_MEASURING = ("computed", "calculated", "measured", "printed")
_STEM = 4
_ENDING = ("train", "evaluat", "test", "fine")
"""Verbs of which a run that failed shows the contrary."""
_RUNS = re.compile(r"(?:re-?)?(?:ran|run|executed)", re.IGNORECASE)
"""Verbs of which code holds nothing."""
_SEEDS = re.compile(
    r"\b(?P<n>\w+) (?:(?:random|different|other|separate|independent|distinct) )?seeds\b", re.IGNORECASE
)
_SEED = re.compile(r"seed\W{0,4}(\d+)", re.IGNORECASE)
LATEST = 50
"""Edits among which the one that is spoken of is looked for."""
_SINCE = 3
"""Latest edits that may have set something else."""
_ENOUGH = 0.5
"""Share of the words of a deed that an edit must hold."""


@dataclass(frozen=True)
class Done:
    """A deed that a clause names."""

    doing: Doing
    verb: str
    what: Object
    text: str


def deed_of(done: Done, events: Sequence[Event] = (), instead: Sequence[Event] = ()) -> Deed:
    """The deed with the events that show it, and those that show the contrary."""
    new = done.what.numbers[0] if done.what.numbers else None
    return Deed(doing=done.doing, new=new, events=ids_of(events), instead=ids_of(instead))


def changed(done: Done, known: Known) -> Assertion:
    """A change of code, by the edits that hold what it names."""
    what, attempts = done.what, _attempts(done.what, known)
    if not attempts:
        return deed_of(done) if what.files or not known.events else VagueDeed()
    if what.is_empty:
        worked = [event for event in attempts if event.changed and attempts[0] is not known.events[-1]]
        return VagueDeed() if what.numbers else deed_of(done, (worked or attempts)[:1])
    in_effect = {event.id for event in known.live_edits}
    live = [event for event in attempts if event.changed and event.id in in_effect]
    is_there = bool(live) and _is_of(what, known.live_code)
    if not attempts[0].changed and not is_there and _asked(what, Text(attempts[0].command)):
        return deed_of(done, attempts[:1])
    best = max(live[:LATEST], key=lambda e: what.coverage(known.difference(e)), default=None)
    is_shown = best is not None and what.coverage(known.difference(best)) >= _ENOUGH
    if what.is_telling and what.missing(known.code):
        return deed_of(done, instead=live[:1])
    lacks_now = bool(live) and what.lacks_number(known.live_code, known.commands)
    if lacks_now and (what.lacks_number(known.code) or not is_shown):
        return deed_of(done, instead=[best or live[0]])
    if best is None or not is_shown:
        is_just_done = bool(live) and live[0] is known.events[-1]  # and may be told in other words
        return deed_of(done) if not is_just_done and _is_untold(what, known.live_code) else VagueDeed()
    since = live[: live.index(best) + 1][:_SINCE]
    other = [event for event in since if sets_other_number(done.text, event)]
    return deed_of(done, instead=other[:1]) if other else deed_of(done, [best])


def _attempts(what: Object, known: Known) -> list[Event]:
    """The edits that were tried, the latest first: those of the files that are named, where there are any."""
    own = [e for e in known.edits if what.files & set(e.files) or any(f in e.observation for f in what.files)]
    return own or known.edits


def _is_of(what: Object, code: Code) -> bool:
    """Whether code holds what a deed names, with the numbers that it sets."""
    return what.coverage(code) >= _ENOUGH and not what.missing(code) and not what.lacks_number(code)


def is_unknown(what: Object, known: Known) -> bool:
    """Whether a file is named that nothing on record names."""
    seen = [text for event in known.events for text in (*event.files, event.command, event.observation)]
    return bool(what.files and known.events) and not any(file in text for file in what.files for text in seen)


def _is_untold(what: Object, code: Code) -> bool:
    """Whether code holds no word and no number of a deed."""
    has_number = bool(what.numbers) and not what.lacks_number(code)
    return not what.is_empty and what.coverage(code) == 0 and not has_number


def _asked(what: Object, command: Code) -> bool:
    """Whether an edit that failed was to do what a deed names."""
    if what.numbers and not what.lacks_number(command):
        return True
    return not what.numbers and what.coverage(command) >= _ENOUGH and not what.missing(command)


def ran(done: Done, known: Known) -> Assertion | None:
    """A run, by the runs since what it names was written."""
    what, verb = done.what, done.verb.lower()
    code = known.live_code if verb.startswith(_VARIED) else known.proven_code
    is_lacking = what.lacks(code, names=known.scripts_are_shown)
    if verb in _MEASURING and what.is_empty and not metrics_in(done.text, known):
        return None
    if verb in NO_RUN:
        return deed_of(done) if is_lacking and not known.hides_code else None
    runs = [event for event in known.events if event.kind in (EventKind.RUN, EventKind.SCORE)]
    if what.files:
        own = [event for event in runs if what.files & set(event.files) or any(f in event.command for f in what.files)]
        if not own and any(file.endswith(".py") for file in what.files):
            return deed_of(done) if known.events else VagueDeed()
        runs = own or runs
    if not runs or is_lacking or _is_unmeasured(done, known):
        return deed_of(done)
    if is_unheard(done.text, known) or _lacks_seeds(done.text, known):
        return deed_of(done)
    after = _since_last_edit(runs, known)
    is_counted = phrases("words.counted_settings").search(done.text)
    if not after and (is_counted or (verb.startswith(_VARIED) and _SETTINGS.search(done.text))):
        return VagueDeed()  # other values were set, over all runs
    if not after and _is_of_edit(done, known):
        return deed_of(done)
    if what.numbers and what.lacks_number(known.code):
        return VagueDeed() if is_counted else deed_of(done)
    is_named = what.files and not what.is_telling  # a script that ran need not hold the words it is spoken of in
    if not what.is_empty and not is_named and what.coverage(known.code) < _ENOUGH:
        return deed_of(done) if _is_untold(what, known.code) else VagueDeed()
    worked = [event for event in (after or runs) if event.succeeded]
    if worked or (after and phrases("outcomes.succeeded").search(done.text)) or verb.startswith(_ENDING):
        return deed_of(done, (worked or after or runs)[-1:])
    return VagueDeed()


def _is_of_edit(done: Done, known: Known) -> bool:
    """Whether what is said to have run can but be what was edited since the last run."""
    if phrases("words.edited").search(done.text):
        return True
    stem = done.verb.lower()[:_STEM]
    is_written = stem in known.code and stem not in known.measured_code and not _RUNS.fullmatch(done.verb)
    is_new = is_written or done.what.coverage(known.measured_code) < done.what.coverage(known.code)
    is_edit_last = known.events[-1].kind in (EventKind.EDIT, EventKind.UNDO)
    is_vague = not done.what.numbers and len(known.of_kind(EventKind.RUN, EventKind.SCORE)) > 1
    return is_new or (is_edit_last and not is_vague and bool(phrases("words.again").search(done.text)))


def _is_unmeasured(done: Done, known: Known) -> bool:
    """Whether a metric is said to have been worked out or printed that no value on record can be of."""
    if done.verb.lower() not in _MEASURING:
        return False
    named = {each.what for each in metrics_in(done.text, known)} - {"", "score"}
    return any(not any(is_of(metric, row) for row in known.values) for metric in named)


def _lacks_seeds(text: str, known: Known) -> bool:
    """Whether more seeds are named than any output, command or code tells apart."""
    named = _SEEDS.search(text)
    number = next(iter(find_numbers(named["n"])), None) if named else None
    if number is None:
        return False
    seen = {found for event in known.events for found in _SEED.findall(f"{event.command}\n{event.observation}")}
    return len(seen) < number.value


def _since_last_edit(runs: Sequence[Event], known: Known) -> list[Event]:
    places = known.index.places
    edits = (e for e in known.events if e.kind is EventKind.UNDO or (e.kind is EventKind.EDIT and e.changed))
    last = max((places[edit.id] for edit in edits), default=-1)
    return [event for event in runs if places[event.id] > last]
