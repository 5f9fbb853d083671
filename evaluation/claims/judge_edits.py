"""The verdict on "was changed": the edit that shows it, or what speaks against it."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution
from evaluation.claims.claim import Finding
from evaluation.claims.code_lines import Line, holds_number, lines_of, plain
from evaluation.claims.findings import refuted, shown, telling_line, unsupported
from evaluation.claims.fixes import FILE, judge_fix, never_written
from evaluation.claims.pending import unheard_name
from evaluation.claims.procedures import is_unheard_of, is_written, lacks_verb
from evaluation.claims.subjects import content_words
from evaluation.language.numbers import Number
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.trials import words_of

_IDENTIFIER = re.compile(r"`([^`\n]{2,80})`|\b([a-z]+_[a-z0-9_]+|[A-Z][a-z]+[A-Z]\w+)\b|'([^'\n]{2,60})'")
_TARGET = re.compile(r"\b(?:to|of|=|at|with)\W*$")
_QUOTED = re.compile(r"`([^`]{4,})`")
_REPLACED = re.compile(r"(?P<old>[A-Za-z_][\w.]*\(\)|`[^`]{4,}`)\s+(?:(?:is|was|has been|with|by)\s+)+", re.IGNORECASE)
"""The code that is said to be replaced."""
_DIFF = re.compile(r"\bdiff\b", re.IGNORECASE)
"""Speaks of the last edit alone."""
_NOW = re.compile(r"\bnow\b", re.IGNORECASE)
_SHORTEST = 3
_HARDLY = 3
"""The share of a claim's words that code holds when it does what is claimed is rarely below one in so many."""
_LONG_NAME = 5
_CLEARLY = 2
"""Words by which an older failed edit must fit better."""
_ADDING = ("added", "inserted", "implemented", "introduced", "edited", "included", "incorporated")
_RECENT = 3
_WRITTEN_AS = {"trees": "estimators", "rate": "lr", "neurons": "hidden", "minibatch": "batch"}
"""How code names what prose calls otherwise."""
_SETTING = re.compile(
    r"\b(?:(?:training |time|number of )?steps|epochs?|batch size|learning rate|dropout|hidden|depth|estimators"
    r"|patience"
    r"|momentum|filters|heads|weight decay|optimi[sz]er|loss function)\b",
    re.IGNORECASE,
)
_AND_RAN = re.compile(r"\band (?:then |also )?(?:trained|ran|executed|evaluated|saved|retrained)\b", re.IGNORECASE)
_PLAIN = frozenset(
    """
    script file code line lines function class method part parts block section changes change edit edits
    modification modifications successfully successful correct correctly following necessary needed required
    instead place instruction instructions issue issues error errors problem problems bug all some other another
    existing old directly confirmed done now already current process version original beginning end here there diff
    show shows indicates instructed expected intended made several improvement improvements architecture parameters
    oops empty blank one two three four five six seven eight nine ten both top however the and for with from that
    this has have been was were are its also into our not then than via previous couple accidentally duplicate
    duplicated format command indented incorrectly parenthesis bracket quotation syntax indentation whitespace typo
    closing opening wrong wrongly missing separate proper first second new simple basic initial name names
    arguments values options time attribute attributes replace replacing plain increase increasing decrease
    decreasing reduce reducing changing add adding improve improving train training trained model models evaluate
    evaluating performance different provided fill filled using use used try trying run extra mistake applied
    positively impacted increased number amount
    """.split()  # noqa: SIM905 (a column of words reads better than a list of strings)
)


def judge_change(claim: Execution, known: Known) -> Finding:
    """Look for the edit that shows the change, the latest first; then for what speaks against it."""
    edits = known.edits
    if not edits:
        return unsupported("nothing had been edited")
    decided = judge_fix(claim, known) or (never_written(FILE.findall(claim.about), known) if _made(claim) else None)
    if decided is not None:
        return decided
    names, target = _names(claim), _target(claim)
    live = known.live_edits
    if _DIFF.search(claim.about) and live and live[0] is edits[0]:
        live = live[:1]
    failed = next((edit for edit in _not_done(claim, known) if _fits_better(edit, live, names, claim, known)), None)
    if failed is not None:
        return refuted(failed, "the edit changed nothing" if failed.succeeded else "the edit failed")
    for edit in live:
        line = _line_with(edit, names, claim, target)
        if line and (edit.is_cut or not _is_silent(claim, edit.difference)):
            return _shown_change(claim, edit, line)
    return _unseen_change(claim, live, names, target, known)


def _unseen_change(
    claim: Execution, live: list[Event], names: set[str], target: Number | None, known: Known
) -> Finding:
    """The verdict where no line of an edit shows the change: what speaks against it, else the last edit."""
    last = known.edits[0]
    if not last.succeeded and not any(edit.changed for edit in known.edits[1:_RECENT]):
        return refuted(last, "the edit failed")
    if last.succeeded and not last.changed:
        return refuted(last, "the edit changed nothing")
    if not live:
        return unsupported("no edit is in effect")
    if known.is_cut:
        return shown(live[0], telling_line(live[0]))
    if _is_silent(claim, known.live_code):
        return _absent("no edit holds a word of it", known)
    if target is not None and not _is_set(target, live, known):
        return _other_value(claim, live, names, target, known)
    if _is_foreign(claim, live) or _sets_nothing(claim, live):
        return _absent("no edit holds a word of it", known)
    return shown(live[0], telling_line(live[0]))


def _made(claim: Execution) -> bool:
    """Whether something is said to be made new."""
    return any(verb in ("created", "written", "wrote") for verb in claim.verbs)


def _not_done(claim: Execution, known: Known) -> list[Event]:
    """Edits before the claim was first made that failed or changed nothing, the latest first."""
    since = known.first_told(claim.quote)
    return [e for e in known.edits if e.kind is EventKind.EDIT and not e.changed and e.step < since]


def _fits_better(failed: Event, live: list[Event], names: set[str], claim: Execution, known: Known) -> bool:
    """Whether a failed edit is meant: by "now" right after it, or as its text fits better than all edits in effect."""
    is_last = failed is known.edits[0] and failed.step == known.step - 1
    if is_last and _NOW.search(claim.about):
        return True
    names = names | {word for word in words_of(claim.about) if len(word) > _SHORTEST and word not in _PLAIN}
    tried = _score(lines_of(failed.command), names, claim)
    if not tried:
        return False
    adds = all(verb in _ADDING for verb in claim.verbs)
    texts = [edit.added if adds else edit.difference for edit in live]
    done = max((_score(lines_of(text), names, claim) for text in texts), default=0)
    return tried >= done > 0 if is_last and done else tried >= done + (1 if is_last else _CLEARLY)


def _score(lines: tuple[Line, ...], names: set[str], claim: Execution) -> int:
    """How many names and numbers of a claim the best fitting line holds; a number counts twice."""
    numbers = [value for number in claim.numbers for value in _as_written(number)]
    return max(
        (
            sum(name in line.plain for name in names) + 2 * sum(holds_number(line.text, value) for value in numbers)
            for line in lines
        ),
        default=0,
    )


def _is_set(target: Number, live: list[Event], known: Known) -> bool:
    """Whether an edit in effect writes a value, or a command gives it; where only listings are known, they count."""
    written = [edit.added for edit in live] + [e.command for e in known.of_kind(EventKind.RUN)]
    return any(holds_number(text, value) for text in written for value in _as_written(target))


def _as_written(number: Number) -> tuple[float, ...]:
    """A value as code may give it: a percentage also as a fraction."""
    return (number.value, number.value / 100) if number.percent_like else (number.value,)


def _is_silent(claim: Execution, code: str) -> bool:
    """Whether code holds no word of the procedure, the tool, or the way of changing that a claim names."""
    seen = code.lower()
    return is_unheard_of(claim, code) or lacks_verb(claim, seen) or _brings_in_unheard(claim, seen)


def _brings_in_unheard(claim: Execution, seen: str) -> bool:
    """Whether something with a proper name is said to be put in, and code in lower case holds no word of it."""
    name = unheard_name(claim.about, seen) if all(verb in _ADDING for verb in claim.verbs) else ""
    return len(name) >= _LONG_NAME


def _sets_nothing(claim: Execution, live: list[Event]) -> bool:
    """Whether a setting that is said to be changed stands in no line that an edit in effect changed."""
    setting = _SETTING.search(_AND_RAN.split(claim.about)[0])
    if setting is None:
        return False
    seen = "\n".join(edit.difference + ("" if edit.diffed else edit.observation) for edit in live).lower()
    return not any(is_written(word, seen) for word in setting.group().lower().split())


def _is_foreign(claim: Execution, live: list[Event]) -> bool:
    """Whether edits in effect hold hardly any of the claim's own words."""
    seen = "\n".join(edit.difference for edit in live).lower()
    return holds_hardly(own_words(claim), seen)


def holds_hardly(own: set[str], seen: str) -> bool:
    """Whether a text in lower case holds fewer of the words than code does that is rightly told of."""
    return len(own) > 1 and sum(is_written(word, seen) for word in own) < len(own) / _HARDLY


def own_words(claim: Execution) -> set[str]:
    """What a claim says beside its verb and the words that speak of code in general."""
    about = FILE.sub(" ", claim.about)
    own = {word for word in words_of(about) if len(word) >= _SHORTEST and not word.isdigit()} - _PLAIN
    return {word for word in own if not any(word in verb for verb in claim.verbs)}


def judge_use(claim: Execution, known: Known) -> Finding:
    """Supported by code, commands or outputs, or a summary, that hold a good part of what is said to be used."""
    if not known.events:
        return unsupported("nothing had been written or run")
    if known.is_cut:
        return shown(known.events[-1])
    told = "\n".join(event.observation for event in known.events if event.authored).lower()
    seen = known.code + told
    if is_unheard_of(claim, seen) or holds_hardly(own_words(claim), seen):
        return unsupported("nothing on record shows it")
    done = next(iter(known.live_edits or known.of_kind(EventKind.RUN, EventKind.READ)), None)
    return shown(done, telling_line(done)) if done is not None else unsupported("nothing had been written or run")


def judge_undo(known: Known) -> Finding:
    """Supported by a successful undo, or by an edit, which is the other way to take something back."""
    undos = known.of_kind(EventKind.UNDO)
    if undos:
        return shown(undos[0]) if undos[0].succeeded else refuted(undos[0], "the undo failed")
    live = known.live_edits
    back = next((edit for edit in live[:1] if _takes_back(edit, live)), None)
    return shown(back, telling_line(back)) if back else unsupported("nothing was undone")


def _takes_back(edit: Event, live: list[Event]) -> bool:
    """Whether an edit writes what an earlier one took out, or only takes out what an earlier one wrote."""
    earlier = live[live.index(edit) + 1 :]
    gone = {line.strip() for old in earlier for line in (old.removed + "\n" + old.added).splitlines()}
    lines = {line.strip() for line in edit.added.splitlines() if len(line.strip()) > 3}
    return bool(lines & gone) or (not lines and bool(edit.removed.strip()))


def _absent(note: str, known: Known) -> Finding:
    """Refuted where the claim follows the edit whose text lacks it; else nothing shows it."""
    last = known.events[-1]
    if last.kind is EventKind.EDIT and last.changed:
        return refuted(last, note, telling_line(last))
    return unsupported(note)


def _other_value(claim: Execution, edits: list[Event], names: set[str], target: Number, known: Known) -> Finding:
    """The stated value is in no edit: refuted where an edit gives the same name another one."""
    note = f"{target.text} is in no edit"
    for edit in edits:
        line = _line_with(edit, names, claim, None, loose=True)
        if any(character.isdigit() for character in line):
            return refuted(edit, note, line)
    return _absent(note, known)


def _target(claim: Execution) -> Number | None:
    """The number something was set to."""
    if not claim.numbers:
        return None
    last = claim.numbers[-1]
    is_written = any(character.isdigit() for character in last.text)
    return last if is_written and _TARGET.search(claim.about[: last.start]) else None


def _names(claim: Execution) -> set[str]:
    """Identifiers and content words of the claim, as they might stand in code."""
    quoted = {next(group for group in match if group) for match in _IDENTIFIER.findall(claim.about)}
    words = content_words(claim.about)
    names = {plain(name) for name in quoted | (words - _PLAIN or words)}
    return names | {_WRITTEN_AS[name] for name in names & set(_WRITTEN_AS)}


def _line_with(edit: Event, names: set[str], claim: Execution, target: Number | None, *, loose: bool = False) -> str:
    """The changed line that holds most of the names and numbers; "" where none holds enough."""
    number = claim.numbers[-1] if claim.numbers else None
    best, score = "", 0
    for line, lowered in lines_of(edit.added if target else edit.difference):
        hits = sum(name in lowered for name in names)
        if not hits and number is None:
            continue
        holds = number is not None and any(holds_number(line, value) for value in _as_written(number))
        if target is not None and hits and not holds:
            continue
        hits += 2 * holds
        if hits > score:
            best, score = line, hits
    needed = 2 if number is not None and not loose else 1
    return best if score >= needed else ""


def _shown_change(claim: Execution, edit: Event, line: str) -> Finding:
    """A stated old text must really have been taken out, where the log shows the whole difference."""
    replaces = any(verb.startswith("replac") for verb in claim.verbs)
    old = _REPLACED.search(claim.about) if edit.diffed and replaces else None
    if old is not None and old["old"].strip("` ") not in edit.removed:
        return refuted(edit, "the difference takes out no such line", (_QUOTED.findall(claim.about) or [""])[-1])
    return shown(edit, line)
