"""Reads what is said to have been done, and finds the events that show it or its contrary."""

from __future__ import annotations

import re

from evaluation.claims.reading.rules.asserted import is_hedged, is_of_which, is_ticked_off, without_purpose
from evaluation.claims.reading.rules.objects import object_of
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.traces import LATEST, NO_RUN, Done, changed, deed_of, is_unknown, ran
from evaluation.claims.reading.rules.vocabulary import groups, phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.deed import Doing
from evaluation.claims.types.vague import VagueDeed
from evaluation.record.code import Text
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_DONE_BY = re.compile(
    r"(?:\b(?:have|has|had|was|were|is|are|been|be|being|i|we|it|they|also|then|now|just|and"
    r"|successfully|'ve|both|that|which|only|not yet|who|assistant|edit|diff|change|agent"
    r"|script|\w+ly|\w+\.py)|^\W*|[:(]\W*)\s*$",
    re.I,
)
_STATE = re.compile(
    r"(?:\b(?:is|are|being)|\w's)\W*(?:(?:\w+ly|also|then|now) )*(?:\w+ed\b[^,;]*(?:,(?: and\b)?|\band\b)\s*)*$", re.I
)
_IS_DONE = re.compile(r"\b(?:is|are) (?!now\b)(?:\w+ly )?\w+(?:ed|en)\b", re.IGNORECASE)
"""Said of what a script does, before it has run."""
_MOVED = re.compile(r"(?:in|de)creased|reduced|dropped", re.IGNORECASE)
_HAS = re.compile(r"\b(?:has|have|had)(?: (?:also|\w+ly))?\s+$", re.IGNORECASE)
_BY_SOMEBODY = re.compile(r"\b(?:i|we|agent|assistant|edit|change|script)\b[^,;]{0,24}$", re.IGNORECASE)
_IS_MADE_FROM = re.compile(r"(?:fine-?)?(?i:trained|tuned) on (?:all )?(?:of )?(?:the )?(?P<data>[A-Z]\w*[A-Z]\w*)\b")
"""Of a model that somebody published: what it was made from."""
_PRESENT = re.compile(r"\b(?:i|we|they|now|then|also|just|and)\s*$|^\W*$", re.IGNORECASE)
"""Before "run": what is done in this very step, where "was run" is over."""
_IDIOM = re.compile(r"\s+(?:out|into|against|counter|short|over)\b", re.IGNORECASE)
"""After "run": what nobody ran, as in "gains have run out"."""
_HELD_AGAINST = re.compile(
    r"\W*(?:compared (?:with|to|against)|(?:measured|judged|tested) against)\b[^,]*,\s*\w", re.IGNORECASE
)
"""How a sentence begins that goes on with a result: "Compared with naive, ETS …"."""
_KEPT_AS = re.compile(r"\b(?:saved|written|copied|renamed) (?:to|as) (\S+)", re.IGNORECASE)
_SAVING = ("sav", "to_csv", "wrote", "writ", "dump", "export")
_ENDING = re.compile(r"(?<![\w/*])(\.[a-z][a-z0-9]{1,10})\b(?=\W{0,2} (?:files?|format)\b)")
"""The ending of files that have no other name: "as `.pt` files"."""
_NOTHING = re.compile(r"\W+(?:nothing|none|no \w+)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|n't|no|without|nothing|neither|cannot)\b[^,;]{0,32}$|n't[^,;]{0,24}$", re.I)


def read_deed(clause: Clause, known: Known) -> Assertion | None:
    """The deed that a clause asserts; ``None`` for none, or where the step itself is only about to do it."""
    done = _done_in(clause, known)
    if done is None or _is_of_own_step(done, known):
        return None
    return {
        Doing.CHANGED: changed,
        Doing.RAN: ran,
        Doing.SAVED: _saved,
        Doing.READ: _read,
        Doing.INSTALLED: _installed,
        Doing.SUBMITTED: _harness_did,
        Doing.UNDONE: _harness_did,
    }[done.doing](done, known)


def _done_in(clause: Clause, known: Known) -> Done | None:
    text = without_purpose(clause.text)
    listed = groups("done_on_lists").items() if is_ticked_off(clause.sentence.text) else ()
    tasks = ((name, pattern.match(text.lstrip("[x]✓✅ "))) for name, pattern in listed)
    hits = [(task.start(), name, task.group()) for name, task in tasks if task]
    for name, pattern in groups("done").items():
        for match in pattern.finditer(text):
            before = text[: match.start()]
            governed = f"{clause.before}{before}" if clause.joint == "and" and not before.strip() else before
            if (
                _DONE_BY.search(before)
                and not is_of_which(governed)
                and not _went(before, match.group())
                and not (_HELD_AGAINST.match(clause.sentence.text) and not f"{clause.before}{before}".strip())
                and not (match.group().lower() in ("run", "ran") and _IDIOM.match(text, match.end()))
                and not (match.group().lower() == "run" and _is_noun(before, text[match.end() :]))
                and not (_STATE.search(governed) and (name == "ran" or match.group().lower() in ("set", "defined")))
            ):
                hits.append((match.start(), name, match.group()))
    if not hits or clause.text.rstrip().endswith(":"):
        return None
    start, name, verb = min(hits, key=lambda hit: (hit[2].lower() in NO_RUN, hit[0]))
    made = _IS_MADE_FROM.match(text, start)
    if made and not _BY_SOMEBODY.search(text[:start]) and made["data"].lower() not in known.code:
        return None
    is_denied = _DENIED.search(text[:start]) or _NOTHING.match(text[start + len(verb) :])
    if is_denied or is_hedged(clause, start):
        return None
    return Done(Doing(name), verb, object_of(text, verb), text)


def _went(before: str, verb: str) -> bool:
    """Whether a value is said to have risen by itself: "the loss has decreased"."""
    if not _MOVED.fullmatch(verb):
        return False
    return bool(_HAS.search(before)) and not _BY_SOMEBODY.search(before)


def _is_noun(before: str, after: str) -> bool:
    """Whether "run" is what is done in this very step, or a run by its number, and not "was run"."""
    return bool(_PRESENT.search(before) or re.match(r"\s*#?\d", after))


def _is_of_own_step(done: Done, known: Known) -> bool:
    """Whether the step's own action does it: it was written before, and its result is not seen yet."""
    exchanges = known.log.steps[known.step].exchanges
    own = "\n".join(str(value) for each in exchanges for value in each.action.args.values()).lower()
    if done.what.files and not any(name.lower() in own for name in done.what.files):
        return False
    before = max((done.what.coverage(known.difference(e)) for e in known.live_edits[:LATEST]), default=0.0)
    here = done.what.coverage(Text(own))
    return here > before or (here == before > 0 and done.verb.endswith("s"))  # "reduces": what is done here and now


def _saved(done: Done, known: Known) -> Assertion:
    what = done.what
    if is_unknown(what, known) or _is_unwritten(done.text, known):
        return deed_of(done)
    runs = known.of_kind(EventKind.RUN, EventKind.SCORE, EventKind.SUBMIT)
    edits = [event for event in known.of_kind(EventKind.EDIT, EventKind.COPY) if event.succeeded]
    if edits and not what.files and phrases("words.file_edited").search(done.text):
        return deed_of(done, edits[:1])
    for event in edits:
        target = event.observation if event.kind is EventKind.COPY else " ".join(_KEPT_AS.findall(event.observation))
        if any(f in event.files or f in target for f in what.files):
            return deed_of(done, [event])
    if not runs:
        return VagueDeed() if _IS_DONE.search(done.text) else deed_of(done)
    if any(f.lower() in known.code and f.lower() not in known.measured_code for f in what.files):
        return deed_of(done)  # what would save it has not run since
    worked = [run for run in runs if run.succeeded]
    named = [run for run in worked if any(f in run.observation or f in run.command for f in what.files)]
    if named or not worked:
        return deed_of(done, (named or runs)[:1])
    is_saving = runs[0].succeeded and any(word in known.code for word in _SAVING)
    return deed_of(done, runs[:1]) if is_saving else VagueDeed()


def _is_unwritten(text: str, known: Known) -> bool:
    """Whether files are named by an ending ("as `.pt` files") that no name in what was written or run has."""
    written = [seen for event in known.events for seen in (event.added, event.command)]
    return any(not any(re.search(rf"[\w}}]\{ending}\b", seen) for seen in written) for ending in _ENDING.findall(text))


def _read(done: Done, known: Known) -> Assertion | None:
    if not done.what.files:
        return None
    named = [event for event in known.events if any(f in event.command or f in event.files for f in done.what.files)]
    return deed_of(done, named[-1:]) if named else VagueDeed()


def _installed(done: Done, known: Known) -> Assertion:
    found = [event for event in known.events if event.kind is EventKind.INSTALL or "pip install" in event.command]
    words = done.what.words | done.what.names
    named = [event for event in found if any(word in event.command.lower() for word in words)]
    return deed_of(done, (named or found)[-1:]) if found or not done.what.is_empty else VagueDeed()


def _harness_did(done: Done, known: Known) -> Assertion:
    """What only an action of its own can show."""
    kinds = (EventKind.UNDO,) if done.doing is Doing.UNDONE else (EventKind.SUBMIT, EventKind.SCORE)
    found = known.of_kind(*kinds)
    return deed_of(done, found[:1]) if found else VagueDeed()
