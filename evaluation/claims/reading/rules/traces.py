"""Finds the events that show what is said to have been done, or their contrary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import is_of
from evaluation.claims.reading.rules.counted import count_of
from evaluation.claims.reading.rules.deeds import LATEST, NO_RUN, Done
from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.names import is_unheard
from evaluation.claims.reading.rules.objects import Object, sets_other_number
from evaluation.claims.reading.rules.spoken_of import named_in
from evaluation.claims.reading.rules.swapped import swapped
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.deed import Deed, Doing
from evaluation.claims.types.vague import VagueDeed
from evaluation.language.numbers import find_numbers
from evaluation.record.code import Code, Text
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_VARIED = ("tuned", "fine-tuned", "search", "experiment", "tried", "compared", "swept", "ablated")
_MEASURING = ("computed", "calculated", "measured", "printed")
_ENDING = ("train", "evaluat", "test", "fine")
"""Verbs of which a run that failed shows the contrary."""
_RUNS = re.compile(r"(?:re-?)?(?:ran|run|executed)", re.IGNORECASE)
"""Verbs of which code holds nothing."""
_STARTED = re.compile(r"(?:re-?)?(?:ran|run)", re.IGNORECASE)
_SEEDS = re.compile(r"\b(?P<n>\w+) (?:(?:random|different|other|separate|independent|distinct) )?seeds\b", re.I)
_SEED = re.compile(r"seeds?\W{0,4}(\d+(?:[ ,]+\d+)*)", re.IGNORECASE)
_STEM, _SINCE, _ENOUGH = 4, 3, 0.5
"""Letters of a verb; latest edits that may have set something else; share of a deed's words that an edit holds."""
_KEPT_AS = re.compile(r"\b(?:saved|written|copied|renamed) (?:to|as) (\S+)", re.IGNORECASE)
_TOLD_SAVED = re.compile(r"\b(?:sav(?:ed|ing)|wrote|writ(?:ten|ing)|stored|dumped|export(?:ed|ing))\b", re.IGNORECASE)
_TOLD_FAILED = re.compile(r"\b(?:not|never|cannot|fail\w*|unable|skip\w*)\b|n't\b|error\b", re.IGNORECASE)
"""In a line of output: that a file was written, and that it was not."""
_ENDING_OF_FILES = re.compile(r"(?<![\w/*])(\.[a-z][a-z0-9]{1,10})\b(?=\W{0,2} (?:files?|format)\b)")
"""The ending of files that have no other name: "as `.pt` files"."""
_SAVING = ("sav", "to_csv", "wrote", "writ", "dump", "export")


def shown(done: Done, known: Known) -> Assertion | None:
    """The deed with the events that show it or its contrary; ``None`` where nothing is asserted that could show."""
    if done.doing in (Doing.CHANGED, Doing.RAN):
        return count_of(done, known) or (_changed if done.doing is Doing.CHANGED else ran)(done, known)
    if done.doing is Doing.SAVED:
        return _saved(done, known)
    if done.doing is Doing.READ:
        files = done.what.files
        named = [e for e in known.events if any(f in e.command or f in e.files for f in files)]
        return (_deed(done, named[-1:]) if named else VagueDeed()) if files else None
    if done.doing is Doing.INSTALLED:
        found = [e for e in known.events if e.kind is EventKind.INSTALL or "pip install" in e.command]
        return _deed(done, found[-1:])
    kinds = (EventKind.UNDO,) if done.doing is Doing.UNDONE else (EventKind.SUBMIT, EventKind.SCORE)
    acted = known.of_kind(*kinds)
    return _deed(done, acted[:1]) if acted else VagueDeed()


def _deed(done: Done, events: Sequence[Event] = (), instead: Sequence[Event] = (), found: str = "") -> Deed:
    """The deed with the events that show it, and those that show the contrary, or what they put there."""
    new = done.what.numbers[0] if done.what.numbers else None
    return Deed(doing=done.doing, new=new, events=ids_of(events), instead=ids_of(instead), found=found)


def _changed(done: Done, known: Known) -> Assertion:
    """A change of code, by the edits that hold what it names."""
    what = done.what
    own = [e for e in known.edits if what.files & set(e.files) or any(f in e.observation for f in what.files)]
    attempts = own or known.edits
    if not attempts:
        return _deed(done) if what.files or not known.events else VagueDeed()
    if what.is_empty and what.files and not own:
        return VagueDeed()  # an edit that the log leaves out may be of any file
    if what.is_empty:
        worked = [event for event in attempts if event.changed and attempts[0] is not known.events[-1]]
        return VagueDeed() if what.numbers else _deed(done, (worked or attempts)[:1])
    in_effect = {event.id for event in known.live_edits}
    live = [event for event in attempts if event.changed and event.id in in_effect]
    if swap := swapped(done, live[:LATEST], known):
        shown = [swap.edit]
        return _deed(done, shown) if swap.is_so else _deed(done, instead=shown, found=swap.swap.new)
    is_there = live and _is_of(what, known.live_code)
    if not attempts[0].changed and not is_there:
        return _deed(done, attempts[:1])
    best = max(live[:LATEST], key=lambda e: what.coverage(known.difference(e)), default=None)
    is_shown = best is not None and what.coverage(known.difference(best)) >= _ENOUGH
    if what.is_telling and what.missing(known.code):
        return _deed(done, instead=live[:1])
    if live and what.lacks_number(known.live_code, known.commands):
        return _deed(done, instead=[best or live[0]])
    if best is None or not is_shown:
        is_just_done = live and live[0] is known.events[-1]  # and may be told in other words
        is_untold = not is_just_done and _is_untold(what, known.live_code)
        return _deed(done) if is_untold else VagueDeed()
    since = live[: live.index(best) + 1][:_SINCE]
    other = [event for event in since if sets_other_number(done.text, event)]
    if not other and _is_of_removed(done, best, known):
        return VagueDeed()
    return _deed(done, instead=other[:1]) if other else _deed(done, [best])


def _is_of_removed(done: Done, edit: Event, known: Known) -> bool:
    """Whether only what an edit took out holds a number or the words of a deed that says what is there now."""
    what, added, removed = done.what, Text(edit.added), Text(edit.removed)
    is_number = what.lacks_number(added, known.commands) and not what.lacks_number(removed)
    is_taken_out = phrases("words.taken_out").search(done.text)
    return is_number or (what.coverage(added) < what.coverage(removed) and not is_taken_out)


def _is_of(what: Object, code: Code) -> bool:
    """Whether code holds what a deed names, with the numbers that it sets."""
    return what.coverage(code) >= _ENOUGH and not what.missing(code) and not what.lacks_number(code)


def _is_untold(what: Object, code: Code) -> bool:
    """Whether code holds no word and no number of a deed."""
    has_number = bool(what.numbers) and not what.lacks_number(code)
    return not what.is_empty and what.coverage(code) == 0 and not has_number


def ran(done: Done, known: Known) -> Assertion | None:
    """A run, by the runs since what it names was written."""
    what, verb = done.what, done.told
    code = known.live_code if verb.startswith(_VARIED) else known.proven_code
    is_lacking = what.lacks(code, names=known.scripts_are_shown)
    if verb in NO_RUN:
        return _deed(done) if is_lacking and not known.hides_code else None
    runs = [event for event in known.events if event.kind in (EventKind.RUN, EventKind.SCORE)]
    if what.files:
        own = [event for event in runs if what.files & set(event.files) or any(f in event.command for f in what.files)]
        if not own and any(file.endswith(".py") for file in what.files):
            return _deed(done) if known.events else VagueDeed()
        runs = own or runs
    if not runs or is_lacking or _is_unmeasured(done, known) or is_unheard(done.text, known):
        return _deed(done)
    after = _since_last_edit(runs, known)
    is_of_loop = _lacks_seeds(done.text, known) and any(event.runs_several for event in runs)
    if is_of_loop or phrases("words.counted_runs").search(done.text):
        return VagueDeed()  # commands do not tell how often loops and scripts went round
    if (
        (not after and _is_of_edit(done, known))
        or _lacks_seeds(done.text, known)
        or (what.lacks_number(known.code) and not _SEEDS.search(done.text))
    ):
        return _deed(done)
    is_named = what.files and not what.is_telling  # a script that ran need not hold the words it is spoken of in
    if not what.is_empty and not is_named and what.coverage(known.code) < _ENOUGH:
        is_untold = _is_untold(what, known.code) and not any(len(n.subjects) == 1 for n in named_in(done.text, known))
        return _deed(done) if is_untold else VagueDeed()
    is_ended_well = phrases("outcomes.succeeded").search(done.text)
    meant = (after or runs)[-1:] if is_ended_well and runs[-1] is known.events[-1] else after or runs
    worked = [event for event in meant if event.succeeded]
    if worked or (after and is_ended_well) or verb.startswith(_ENDING):
        return _deed(done, (worked or meant)[-1:])
    is_of_script = what.files and _STARTED.fullmatch(done.verb) and not runs[-1].unfinished
    if not is_of_script or is_ended_well:
        return VagueDeed()
    return _deed(done, runs[-1:]).model_copy(update={"however_it_ended": True})


def _since_last_edit(runs: Sequence[Event], known: Known) -> list[Event]:
    places = known.index.places
    edits = (e for e in known.events if e.kind is EventKind.UNDO or (e.kind is EventKind.EDIT and e.changed))
    last = max((places[edit.id] for edit in edits), default=-1)
    return [event for event in runs if places[event.id] > last]


def _is_of_edit(done: Done, known: Known) -> bool:
    """Whether what is said to have run can but be what was edited since the last run."""
    if phrases("words.edited").search(done.text):
        return True
    stem = done.told[:_STEM]
    is_written = stem in known.code and stem not in known.measured_code and not _RUNS.fullmatch(done.verb)
    is_new = is_written or done.what.coverage(known.measured_code) < done.what.coverage(known.code)
    is_edit_last = known.events[-1].kind in (EventKind.EDIT, EventKind.UNDO)
    is_of_one = bool(done.what.numbers) or len(known.of_kind(EventKind.RUN, EventKind.SCORE)) < 2
    return is_new or (is_edit_last and is_of_one and bool(phrases("words.again").search(done.text)))


def _is_unmeasured(done: Done, known: Known) -> bool:
    """Whether a metric is said to have been worked out or printed that no value on record can be of."""
    named = {each.what for each in metrics_in(done.text, known)} - {"", "score"}
    return done.told in _MEASURING and any(not any(is_of(metric, row) for row in known.values) for metric in named)


def _lacks_seeds(text: str, known: Known) -> bool:
    """Whether more seeds are named than any output, command or code tells apart."""
    named = _SEEDS.search(text)
    number = next(iter(find_numbers(named["n"])), None) if named else None
    told = (found for event in known.events for found in _SEED.findall(f"{event.command}\n{event.observation}"))
    seen = (seed for found in told for seed in re.findall(r"\d+", found))
    return number is not None and len(set(seen)) < number.value


def _saved(done: Done, known: Known) -> Assertion:
    """A file that was written by an edit, or by a run that held its name or saves anything at all."""
    files = done.what.files
    if _is_unknown(done, known):
        return _deed(done)
    runs = known.of_kind(EventKind.RUN, EventKind.SCORE, EventKind.SUBMIT)
    edits = [event for event in known.of_kind(EventKind.EDIT, EventKind.COPY) if event.succeeded]
    for event in edits:
        target = event.observation if event.kind is EventKind.COPY else " ".join(_KEPT_AS.findall(event.observation))
        if any(f in event.files or f in target for f in files):
            return _deed(done, [event])
    if told := [run for run in runs if _tells_of_saving(run, files)]:
        worked = [run for run in told if run.succeeded]
        return _deed(done, worked[:1]) if worked else VagueDeed()  # it may have failed thereafter
    if any(f.lower() in known.code and f.lower() not in known.measured_code for f in files):
        return _deed(done)  # what would save it has not run since
    worked = [run for run in runs if run.succeeded]
    named = [run for run in worked if any(f in run.observation or f in run.command for f in files)]
    if named or not worked:
        return _deed(done, (named or runs)[:1])
    is_saving = runs[0].succeeded and any(word in known.code for word in _SAVING)
    return _deed(done, runs[:1]) if is_saving else VagueDeed()


def _tells_of_saving(run: Event, files: frozenset[str]) -> bool:
    """Whether a line of what was printed says that one of some files was written."""
    lines = [line for line in run.observation.splitlines() if any(file in line for file in files)]
    return any(_TOLD_SAVED.search(line) and not _TOLD_FAILED.search(line) for line in lines)


def _is_unknown(done: Done, known: Known) -> bool:
    """Whether a file is named that nothing on record names, or files of an ending ("as `.pt` files") that none has."""
    seen = [text for event in known.events for text in (*event.files, event.command, event.observation)]
    if known.events and done.what.files and not any(file in text for file in done.what.files for text in seen):
        return True
    written = [text for event in known.events for text in (event.added, event.command)]
    endings = _ENDING_OF_FILES.findall(done.text)
    return any(not any(re.search(rf"[\w}}]\{ending}\b", text) for text in written) for ending in endings)
