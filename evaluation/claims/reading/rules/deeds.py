"""Reads what is said to have been done."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.claims.reading.rules.asserted import is_hedged, is_ticked_off, without_purpose
from evaluation.claims.reading.rules.objects import Object, object_of
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.reading.rules.vocabulary import groups
from evaluation.claims.types.deed import Doing
from evaluation.record.code import Text
from evaluation.record.known import Known

NO_RUN = ("used", "gives", "gave", "yielded")
"""Verbs of which only what is used can be looked for."""
_DONE_BY = re.compile(
    r"(?:\b(?:have|has|had|was|were|is|are|been|be|being|i|we|it|they|also|then|now|just|and|successfully|'ve|both|that"
    r"|which|only|not yet|who|assistant|edit|diff|change|agent|script|\w+ly|\w+\.py)|^\W*|:\W*)\s*$",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?:\b(?:is|are|being)|\w's)\W*(?:(?:\w+ly|also|then|now) )*(?:\w+ed\b[^,;]*(?:,(?: and\b)?|\band\b)\s*)*$", re.I
)
_MOVED = re.compile(r"(?:in|de)creased|reduced|dropped", re.IGNORECASE)
_HAS = re.compile(r"\b(?:has|have|had)(?: (?:also|\w+ly))?\s+$", re.IGNORECASE)
_BY_SOMEBODY = re.compile(r"\b(?:i|we|agent|assistant|edit|change|script)\b[^,;]{0,24}$", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:i|we|they|now|then|also|just|and|that|which)\s*$|^\W*$", re.IGNORECASE)
"""Before "run": what is done in this very step, where "was run" is over."""
_IDIOM = re.compile(r"\s+(?:out|into|against|counter|short|over)\b", re.IGNORECASE)
"""After "run": what nobody ran, as in "gains have run out"."""
_HELD_AGAINST = re.compile(
    r"\W*(?:compared (?:with|to|against)|(?:measured|judged|tested|ranked) (?:against|by|on|in terms of))\b[^,]*,\s*\w",
    re.IGNORECASE,
)
"""How a sentence begins that goes on with a result: "Compared with naive, ETS …"."""
_PRESUPPOSED = re.compile(
    r"\b(?:the|these|those|every|each)\s+(?:[\w-]+\s+){1,3}(?:(?:that|which)\s+)?(?:i|we)\s*$"
    r"|\b(?:what|everything|anything|all)(?: that)? (?:i|we|it|the|our)\b(?: \w+){0,3}\s*$"
    r"|\bbefore (?:it|they|anything)(?: was| were| had| has)?\s*$",
    re.IGNORECASE,
)
"""Before the verb of a clause that only says which thing is meant, or what came too late: "the combinations I built
matter", "it crashed before it printed a result"."""
_NOTHING = re.compile(r"\W+(?:nothing|none|no \w+)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|n't|no|without|nothing|neither|cannot)\b[^,;]{0,32}$|n't[^,;]{0,24}$", re.I)
LATEST = 50
"""Edits among which the one that is spoken of is looked for."""


@dataclass(frozen=True)
class Done:
    """A deed that a clause names."""

    doing: Doing
    verb: str
    what: Object
    text: str

    @property
    def told(self) -> str:
        """The verb in lower case."""
        return self.verb.lower()


def deed_in(said: Said) -> Done | None:
    """The deed that a clause asserts; ``None`` for none, or where the step itself is only about to do it."""
    text, whole = without_purpose(said.text), said.clause.sentence.text
    listed = groups("done_on_lists").items() if is_ticked_off(whole) else ()
    tasks = [(name, pattern.match(text.lstrip("[x]✓✅ "))) for name, pattern in listed]
    hits = [(task.start(), name, task.group()) for name, task in tasks if task]
    for name, pattern in groups("done").items():
        hits += [(m.start(), name, m.group()) for m in pattern.finditer(text) if _is_done(said, text, m, name)]
    if not hits or said.text.rstrip().endswith(":"):
        return None
    start, name, verb = min(hits, key=lambda hit: (hit[2].lower() in NO_RUN, hit[0]))
    is_denied = _DENIED.search(text[:start]) or _NOTHING.match(text[start + len(verb) :])
    clause = said.clause
    led = f"{clause.before}{text}" if clause.joint == "and" and not text[:start].strip() else text
    if is_denied or is_hedged(led, start + len(led) - len(text)):
        return None
    done = Done(Doing(name), verb, object_of(text, verb), text)
    return None if _is_of_own_step(done, said.known) else done


def _is_done(said: Said, text: str, verb: re.Match[str], name: str) -> bool:
    """Whether a verb tells of something that somebody did."""
    before, after, word = text[: verb.start()], text[verb.end() :], verb.group().lower()
    led = f"{said.clause.before}{before}"
    governed = led if said.clause.joint == "and" and not before.strip() else before
    if not _DONE_BY.search(before) or _PRESUPPOSED.search(before):
        return False
    has_moved = _MOVED.fullmatch(word) and _HAS.search(before) and not _BY_SOMEBODY.search(before)
    if has_moved or (_HELD_AGAINST.match(said.clause.sentence.text) and not led.strip()):
        return False
    if word in ("run", "ran") and _IDIOM.match(after):
        return False
    if word == "run" and (_PRESENT.search(before) or re.match(r"\s*#?\d", after)):
        return False
    return not (_STATE.search(governed) and (name == "ran" or word in ("set", "defined")))


def _is_of_own_step(done: Done, known: Known) -> bool:
    """Whether the step's own action does it: it was written before, and its result is not seen yet."""
    exchanges = known.log.steps[known.step].exchanges
    own = "\n".join(str(value) for each in exchanges for value in each.action.args.values()).lower()
    if done.what.files and not any(name.lower() in own for name in done.what.files):
        return False
    before = max((done.what.coverage(known.difference(e)) for e in known.live_edits[:LATEST]), default=0.0)
    here = done.what.coverage(Text(own))
    return here > before or (here == before > 0 and done.verb.endswith("s"))  # "reduces": what is done here and now
