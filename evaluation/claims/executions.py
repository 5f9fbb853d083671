"""Reads what was done out of a clause: "I have trained …", "the batch size was increased", "the run timed out"."""

from __future__ import annotations

import re

from environment.metrics.meaning import names_in
from evaluation.claims.assertions import Deed, Execution
from evaluation.claims.claim import Kind
from evaluation.claims.deeds import (
    ACTIVE,
    AFTER_EDIT,
    ALL_DONE,
    AND_ALSO,
    BY_DOING,
    CODE_DOES,
    CONFIRMED_DOING,
    DONE_ITEM,
    EDIT_DOES,
    INITIAL,
    INTRANSITIVE,
    IS_SAVED,
    NOW_SO,
    PASSIVE,
    PRODUCT,
    SETTINGS,
    SHOWN,
    SOME_DATA,
    TASK_VERB,
)
from evaluation.claims.modality import is_guess, is_hedged, is_plan, without_purpose
from evaluation.claims.relations import GAP, OUTCOME
from evaluation.claims.sentences import Clause
from evaluation.language.numbers import find_numbers

_NOT = re.compile(r"\b(?:not|never)\b|n't\b", re.IGNORECASE)
_CHANGE_DENIED = re.compile(r"\b(?:changes?|edits?|files?|modifications?|updates?|script|lines?)\b", re.IGNORECASE)
_MESSAGE = re.compile(r"^\W*[A-Za-z]*(?:Error|Exception|Warning):")
_NONE_OF_IT = re.compile(r"(?:^\W*(?:\w+,\s+)?|\b(?:and|but|so|that)\s+)no\s+(?!longer\b)\w+", re.IGNORECASE)
_NOTHING = re.compile(r"^\W*(?:nothing|none|no one)\b", re.IGNORECASE)
_BARE = re.compile(r"\W*(?:\d+[.)]\s*)?(?:read|set|put|run|cut|split)\b", re.IGNORECASE)
"""Verbs whose past looks like the imperative, which is meant in a plan."""
_STATUS = re.compile(r"\b(?:status|done|completed|so far|progress)\b", re.IGNORECASE)
"""A heading over what has been done."""
_YET = re.compile(r"\byet\b|\bstill\b", re.IGNORECASE)


def read_executions(
    clause: Clause, field: str = "", *, has_run: bool = True, just_edited: bool = False
) -> list[Execution]:
    """What a clause says was done; nothing for settings, plans and descriptions of code.

    Args:
        clause: The clause.
        field: Part of the prose it stands in.
        has_run: Any script had run by then; before, "is saved to" tells what code will do.
        just_edited: The last thing done was an edit; then the present tense tells what it changed.
    """
    sentence = clause.sentence
    if is_guess(clause) or _MESSAGE.match(sentence.text) or " " not in clause.text:
        return []
    done = DONE_ITEM.match(sentence.text) if sentence.is_item or "plan" in field else None
    if done:
        return _done_item(clause, next(group for group in done.groups() if group)) if clause.is_first else []
    if is_plan(clause) or (sentence.under_plan and not ACTIVE.search(clause.text)):
        return []
    text = without_purpose(clause.text)
    matches = _verbs(clause, text, has_run=has_run)
    if not matches and (just_edited or "fact" in field):
        matches = _described(text, just_edited=just_edited)
    if matches and "plan" in field and _BARE.match(text) and not _STATUS.search(sentence.heading):
        return []
    if matches and _is_outcome(clause, text, matches[0]):
        return []
    if not matches or is_hedged(clause, matches[0].start()):
        return []
    return _execution(clause, text, matches)


def _verbs(clause: Clause, text: str, *, has_run: bool) -> list[re.Match[str]]:
    """The first verb of doing, and those joined to it."""
    patterns = [INTRANSITIVE, SHOWN, PASSIVE, ACTIVE, NOW_SO, EDIT_DOES, BY_DOING]
    if has_run:
        patterns.append(IS_SAVED)
    if clause.is_first:
        patterns.append(CONFIRMED_DOING)
    if clause.is_first or clause.connector == "and":
        patterns.append(INITIAL)
    found = sorted((m for pattern in patterns for m in [pattern.search(text)] if m), key=lambda m: m.end())
    if not found:
        return []
    failed = INTRANSITIVE.search(text)
    if failed and failed.start() < found[0].end():
        found = [failed]
    joined = [m for m in AND_ALSO.finditer(text) if m.start() >= found[0].end() - 1]
    return [found[0], *joined]


def _described(text: str, *, just_edited: bool) -> list[re.Match[str]]:
    """What code is said to do, in the present tense; that something "is done" tells it right after an edit only."""
    found = (AFTER_EDIT.search(text) if just_edited else None) or CODE_DOES.search(text)
    return [found] if found and not SOME_DATA.search(text[: found.start()]) else []


def _is_outcome(clause: Clause, text: str, match: re.Match[str]) -> bool:
    """Whether a verb of change has results, or the gap between splits, as its subject: that is no deed."""
    if match.lastgroup != Deed.CHANGE.name or ACTIVE.search(text) or INITIAL.match(text):
        return False
    head = f"{clause.before[-60:]} {text[: match.start()]}"
    return bool(GAP.search(head) or OUTCOME.search(text[: match.start()]) or names_in(text[: match.start()]))


def _execution(clause: Clause, text: str, matches: list[re.Match[str]]) -> list[Execution]:
    verbs = tuple(str(match[str(match.lastgroup)]).lower() for match in matches)
    deeds = tuple(_deed(match, text) for match in matches)
    first = matches[0]
    denied = bool(re.match(r"\W*nothing\b", text[first.end() :], re.IGNORECASE)) or bool(
        _NOT.search(first.group()) or re.search(r"\b(?:not|never)\s*$|n't\s*$", text[: first.start()])
    )
    if _NOTHING.match(text):
        return []
    none_of_it = bool(_NONE_OF_IT.search(text[: first.start()]))
    denied = (denied or none_of_it) and deeds[0] is not Deed.FAIL
    if (
        denied
        and not none_of_it
        and "nothing" not in text.lower()
        and (_YET.search(text) or not _CHANGE_DENIED.search(text[: first.start() + 10]) or "defined" in verbs)
    ):
        return []
    if ALL_DONE.search(text):
        deeds, verbs = (Deed.RUN,), ("completed all",)
    return [
        Execution(
            kind=Kind.EXECUTION,
            quote=clause.quote,
            start=clause.start,
            context=f"{clause.sentence.previous} {clause.sentence.text}",
            deeds=deeds,
            verbs=verbs,
            negated=denied,
            numbers=tuple(find_numbers(text)),
            about=text,
        )
    ]


def _deed(match: re.Match[str], text: str) -> Deed:
    """What a verb means with its object: parameters are tuned by an edit, features are created by one."""
    deed = Deed[str(match.lastgroup)]
    if re.search(r"(?i)\bmade\b", match.group()) and re.match(r"\W*an? cop", text[match.end() :], re.IGNORECASE):
        return Deed.SAVE
    around = text[: match.start()] + " " + text[match.end() :]
    if deed is Deed.SAVE and re.search(r"(?i)created|generated|produced", match.group()) and not PRODUCT.search(around):
        return Deed.RUN if re.search(r"(?i)generated|produced", match.group()) else Deed.CHANGE
    if deed is Deed.RUN and re.search(r"(?i)tuned", match.group()) and SETTINGS.search(around):
        return Deed.CHANGE
    return deed


def _done_item(clause: Clause, task: str) -> list[Execution]:
    """A plan's item that is marked as done."""
    match = TASK_VERB.match(task)
    if match is None or re.search(r"\bnot\W*$|\bpartially\b", task, re.IGNORECASE):
        return []
    deed = Deed[str(match.lastgroup)]
    if re.search(r"\band (?:then )?(?:execute|run|train|evaluate)\b", task, re.IGNORECASE):
        deed = Deed.RUN
    sentence = clause.sentence
    return [
        Execution(
            kind=Kind.EXECUTION,
            quote=f"{sentence.marker}{sentence.text}",
            start=sentence.start,
            context=sentence.text,
            deeds=(deed,),
            verbs=(match.group().lower(),),
            about=task,
        )
    ]
