"""Reads what was done out of a clause: "I have trained …", "the batch size was increased", "the run timed out"."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Deed, Execution
from evaluation.claims.claim import Kind
from evaluation.claims.modality import is_hedged, is_plan, without_purpose
from evaluation.claims.numbers import find_numbers
from evaluation.claims.sentences import Clause

_VERBS: tuple[tuple[Deed, str], ...] = (
    (
        Deed.FAIL,
        r"failed|timed out|crashed|terminated|errored|ran out of (?:memory|time)|killed|interrupted|(?:an? |the )?error (?:occurred|was raised)|encountered (?:an?|some|the)(?: \w+)* (?:error|issue|problem)s?|threw an? \w+|raised an? \w+|was(?: not|n't) successful|were(?: not|n't) successful|not successful|unsuccessful",
    ),
    (Deed.UNDO, r"undid|undone|reverted|rolled back|restored"),
    (Deed.INSTALL, r"installed"),
    (Deed.SUBMIT, r"submitted"),
    (Deed.SAVE, r"saved|stored|exported|written|wrote|dumped|created|generated|produced|copied"),
    (
        Deed.RUN,
        r"ran|run|executed|trained|re-?trained|fine-?tuned|evaluated|tested|validated|calculated|computed|printed|plotted|loaded|conducted|performed|measured"
        r"|predicted|cross-validated|pre-?processed|experimented|carried out|finished|completed|ensembled|tuned|benchmarked|visuali[sz]ed",
    ),
    (
        Deed.CHANGE,
        r"changed|modified|updated|edited|added|removed|deleted|replaced|increased|decreased|reduced|raised|lowered|set|switched|implemented|fixed|introduced"
        r"|inserted|defined|adjusted|enhanced|optimi[sz]ed|filled(?: in)?|included|moved|renamed|converted|imported|refactored|applied|incorporated|corrected"
        r"|commented|redefined|rewrote|rewritten|extended|simplified|made|improved|initiali[sz]ed|combined|disabled|enabled|doubled|halved",
    ),
    (Deed.READ, r"read|inspected|examined|reviewed|opened|looked at|explored"),
)
_VERB = "|".join(f"(?P<{{prefix}}{deed.name}>{pattern})" for deed, pattern in _VERBS)
_ADVERB = r"(?:(?:now|also|just|already|successfully|then|previously|recently|further|not|n't|only|accidentally|slightly|significantly|correctly|all|both|even|first|subsequently|finally|properly|indeed|manually|re-?)\s+)*"
_ACTIVE = re.compile(
    rf"\b(?:I|we|it|assistant|actions?|edit|scripts?|command|changes?|diff)(?:\s+(?:have|has|had)|'ve|'d)?\s+{_ADVERB}"
    rf"(?:{_VERB.replace('{prefix}', '')})\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    rf"\b(?:(?:has|have|had|'s|was|were|wasn't|weren't)\s+{_ADVERB}(?:been\s+)?{_ADVERB}|(?:is|are)\s+{_ADVERB}now\s+{_ADVERB}|now\s+(?:that\s+)?[\w` .-]{{0,40}}?(?:is|are)\s+{_ADVERB})"
    rf"(?:{_VERB.replace('{prefix}', '')})\b",
    re.IGNORECASE,
)
_INITIAL = re.compile(
    rf"^[\W_]*(?:successfully\s+|also\s+|then\s+|now\s+)?(?:{_VERB.replace('{prefix}', '')})\b(?!\s*[:=])",
    re.IGNORECASE,
)
_INTRANSITIVE = re.compile(
    r"\b(?P<FAIL>failed|timed out|crashed|errored|ran out of (?:memory|time)|threw an? \w+|raised an? \w+|(?:is|are|was|were) terminated|(?:was|were|got) killed|(?:an? |the )?error (?:occurred|is occurring)|exceeded the time)\b"
    r"|\b(?P<SUCCEED>(?:ran|finished|completed|executed|worked)(?:\s+\w+)?\s+(?:successfully|without (?:any )?errors?)|(?:was|were|is) successful(?:ly)?\b|succeeded|(?:training|script|run|execution|process) (?:has )?(?:finished|completed))\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    rf"\bshows? (?:that )?.{{0,160}}?\b(?:is|are|was|were)\s+{_ADVERB}(?:{_VERB.replace('{prefix}', '')})\b", re.IGNORECASE
)
_DONE = re.compile(
    r"^(?P<task>.{4,160}?)[\s:.,;*_(\[–—-]*\b(?:done|completed|complete|finished)\b[.)\]*_!]*$|^\[x\]\s*(?P<boxed>.+)$|^[✓✅✔]\s*(?P<ticked>.+)$",
    re.IGNORECASE,
)
_TASK_VERBS: tuple[tuple[Deed, str], ...] = (
    (
        Deed.RUN,
        r"execute|run|train|fine-?tune|evaluate|test|experiment|load|conduct|compute|calculate|print|plot|tune|compare|validate|measure|predict|perform|preprocess",
    ),
    (
        Deed.CHANGE,
        r"add|change|modify|edit|update|implement|increase|decrease|replace|remove|fill|write|define|fix|adjust|insert|improve",
    ),
    (Deed.SAVE, r"save|generate|create|export|store|submit"),
    (Deed.READ, r"understand|read|inspect|examine|review|explore|check|analy[sz]e|look"),
)
_TASK = re.compile("|".join(f"(?P<{deed.name}>\\b(?:{pattern})\\b)" for deed, pattern in _TASK_VERBS), re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|n't)\b|n't\b", re.IGNORECASE)
_ATTRIBUTIVE = re.compile(r"\b(?:is|are)\s+(?:being\s+)?$", re.IGNORECASE)
_ALL_DONE = re.compile(
    r"\b(?:I|we)(?: have|'ve)? (?:completed|finished|done|carried out) (?:all|every)\b", re.IGNORECASE
)


def read_executions(clause: Clause, field: str = "") -> list[Execution]:
    """What a clause says was done; nothing for settings, plans and descriptions of code."""
    text = clause.text
    done = (
        _DONE.match(clause.sentence.text)
        if clause.sentence.is_item or field in ("plan", "research_plan_and_status")
        else None
    )
    if done and clause.start == clause.sentence.start:
        return _done_item(clause, next(group for group in done.groups() if group))
    if is_plan(clause) or (clause.sentence.under_plan and not _ACTIVE.search(text)):
        return []
    text = without_purpose(text)
    matches = _verbs(clause, text)
    if not matches or is_hedged(clause, matches[0].start()):
        return []
    return [_execution(clause, text, matches)]


def _verbs(clause: Clause, text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    patterns = [_INTRANSITIVE, _SHOWN, _PASSIVE, _ACTIVE]
    if not clause.before or clause.connector == "and":
        patterns.append(_INITIAL)
    taken: list[tuple[int, int]] = []
    for pattern in patterns:
        for match in pattern.finditer(text):
            if not any(a < match.end() and match.start() < b for a, b in taken):
                found.append(match)
                taken.append(match.span())
    if found:
        for match in re.finditer(
            rf"(?:,|\band)\s+{_ADVERB}(?:{_VERB.replace('{prefix}', '')})\b", text[found[0].end() :], re.IGNORECASE
        ):
            found.append(match)
    return sorted(found[:1], key=lambda m: m.start()) + found[1:]


def _execution(clause: Clause, text: str, matches: list[re.Match[str]]) -> Execution:
    deeds = tuple(Deed[str(match.lastgroup)] for match in matches)
    verbs = tuple(str(match[str(match.lastgroup)]).lower() for match in matches)
    first = matches[0]
    negated = bool(_NOT.search(first.group()) or re.search(r"\b(?:not|never)\s*$|n't\s*$", text[: first.start()]))
    if deeds[0] is Deed.FAIL:
        negated = False
    sentence = clause.sentence
    context = f"{sentence.previous} {sentence.text}"
    if _ALL_DONE.search(text):
        deeds, verbs = (Deed.RUN,), ("completed all",)
    return Execution(
        kind=Kind.EXECUTION,
        quote=clause.text,
        start=clause.start,
        context=context,
        deeds=deeds,
        verbs=verbs,
        negated=negated,
        numbers=tuple(find_numbers(text)),
        about=text,
    )


def _done_item(clause: Clause, task: str) -> list[Execution]:
    match = _TASK.search(task)
    if match is None or re.search(r"\bnot\s*$|\bto be\b|\bpartially\b", task, re.IGNORECASE):
        return []
    deeds = tuple(dict.fromkeys(Deed[str(m.lastgroup)] for m in _TASK.finditer(task)))
    if Deed.RUN in deeds:
        deeds = (Deed.RUN,)
    return [
        Execution(
            kind=Kind.EXECUTION,
            quote=clause.sentence.text,
            start=clause.sentence.start,
            context=clause.sentence.text,
            deeds=deeds[:1],
            verbs=(match.group().lower(),),
            numbers=(),
            about=task,
        )
    ]
