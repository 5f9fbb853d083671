"""Whether a clause asserts something that is, or speaks of plans, wishes, guesses and common knowledge."""

from __future__ import annotations

import re

from evaluation.claims.sentences import FINITE, Clause

_PLAN_START = re.compile(
    r"""^(?:[*_`"'✓\s]*)(?:(?:now|next|first|second|third|then|finally|also|so|okay|ok|great|alternatively"
    r"|instead|lastly|therefore|thus
    |perhaps|maybe|for\s+now|at\s+this\s+point|to\s+\w+[^,]{0,80}|in\s+the\s+next\s+step[^,]*|given\s+[^,]{0,80}|based\s+on\s+[^,]{0,80}|before\s+[^,]{0,80}|after\s+(?:this|that|\w+ing)[^,]{0,60})[,:!.]?\s+)*
    (?:let'?s|let\s+(?:me|us)|i['’]ll|we['’]ll|i\s+will|we\s+will|i'?m\s+(?:going|trying)|we'?re\s+going|i\s+am\s+going|going\s+to(?![^.]*\b(?:does|did|gave|gives|was|improve[sd])\b)|we\s+(?:can|could|should|need|want|may|might|would|must|have\s+to|still\s+need)
    |i\s+(?:can|could|should|need|want|may|might|would|must|think|believe|have\s+to|plan|intend|still\s+need|suggest|recommend|propose)
    |try|trying|consider|proceed|continue|plan|ensure|make\s+sure|please|goal|objective|hypothesis|aim|improve|increase|decrease|reduce|use|add|change|replace|implement|experiment|evaluate
    |compare|check|tune|fine-?tune|save|submit|apply|explore|investigate|inspect|analy[sz]e|understand|generate|create|modify|edit)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:may|might|could|would|should|will|'ll|won't|can|cannot|can't|if|whether|unless|likely|probably"
    r"|possibly|potentially|perhaps|maybe"
    r"|hopefully|expect(?:ed|s|ing)?|hope|hoping|aim(?:s|ed|ing)?|want(?:s|ed)?|plan(?:ned|ning|s)?"
    r"|intend(?:ed|s)?|(?<!^)going to|need(?:s|ed)? to"
    r"|needs?(?! (?:about |only |around |roughly |almost |just |nearly )*\d)|must|ought|supposed|assum(?:e|ed|ing)"
    r"|suppose|hypothes\w+|trying to|try to|tried to"
    r"|attempt(?:ed|ing)? to|seek\w*|(?<!turned out )(?<!turns out )(?<!proved )(?<!proves )(?<!found )"
    r"(?<!shown )(?<!seen )(?<!measured )(?<!observed )(?<!reported )(?<!determined )(?<!calculated )to be)\b",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:usually|typically|generally|often|commonly|known (?:to|for)|popular|tends?|in general"
    r"|state[- ]of[- ]the[- ]art|well-known"
    r"|designed to|allows?|helps? (?:to|in|prevent|with|improve|reduce)|useful|suitable|is used (?:to|for"
    r"|as)|are used (?:to|for|as)|room for"
    r"|important (?:to|for)|standard practice|bounded|by definition|(?:is|are) (?:considered|regarded|ranges?|called)"
    r"|(?:lower|higher|smaller|larger) (?:\w+ )?(?:is|are|means?) (?:better|worse)|counts? as"
    r"|maximum (?:possible )?(?:score|reward|value|return)|theoretical|winners?"
    r"|top (?:entries|teams)"
    r"|winning (?:entry|solution|team)|published|tutorials?|well-tuned|reference points|in the (?:literature|paper)"
    r"|human performance|(?:public|kaggle|official) leaderboard|in increments of)\b"
    r"|\b(?:reaches|achieves|gets|obtains|scores) (?:an? |the )?(?:[\w-]+ ){0,3}(?:of )?(?:about|around|roughly|up to)"
    r" [\d.]+ ?%?[\w -]{0,20} on (?:this|the) (?:data ?set|task|benchmark)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"\b(?:larger|smaller|bigger|deeper|wider) \w+s (?:are|have|need|take|give|run|learn|train)\b", re.IGNORECASE
)
"""A sentence about things of a kind."""
_TARGET = re.compile(
    r"\b(?:goal|objective|threshold(?!s? \d)(?! of [\d.]+ (?:is|was|gives?|gave|works?|worked|performs?|performed|has"
    r"|had|yields?|scores?))"
    r"|requirement|required|(?:is|are) needed|desired|targeted|targeting)\b"
    r"|(?<!this )(?<!that )(?<!each )(?<!every )(?<!per )(?<!est )\btarget(?= ?(?:(?:is|was) (?!\w*[a-z]\w*\d)|of|for"
    r"|:|to"
    r"|score|value|accuracy|metric|performance|improvement|[\d(~]))",
    re.IGNORECASE,
)
_REACHED = re.compile(
    r"\b(?:achiev(?:ed|es)|reach(?:ed|es)|meets?|met|exceed(?:ed|s)|surpass(?:ed|es)|accomplished|fulfilled"
    r"|satisfied|hit)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"(?<!out )(?<!proved )(?<!proves )(?<!failed )(?<!managed )(?<!able )(?<!continued )(?<!continues )"
    r"(?<!compared )(?<!similar )(?<!comparable )(?<!close )(?<!relative )"
    r"(?<!seems )(?<!appears )(?<!led )(?<!due )(?<!was used )(?<!were used )"
    r"\b(?:in order to|so as to|so that|to (?:further |better |potentially |help |try to "
    r"|fully )?(?=(?:improve|increase|reduce|prevent|help|see|check|avoid|speed|make|get|"
    r"ensure|achieve|boost|enhance|handle|capture|address|fix|allow|include|use|evaluate|test|find|determine"
    r"|understand|compare|"
    r"validate|verify|create|generate|save|run|train|add|be|have|give|learn|account|match|provide|maximize"
    r"|minimize|optimize|"
    r"compute|calculate|fit|load|change|set|combat|mitigate|balance|stabilize|regularize|support|enable"
    r"|establish|identify|move|do|predict|beat|outperform)\b))"
    r"|\bfor (?:better|improved|more|faster|higher|finer|further|increased|enhanced|optimal|good)\b",
    re.IGNORECASE,
)
_FOUND_TO_BE = re.compile(
    r"\b(?:found|shown|seen|known|measured|observed|reported|determined|calculated|\w+ed out) to be$", re.I
)
_WOULD = re.compile(r"\b(?:would|could|might)\b(?! not|n.t)", re.IGNORECASE)
_ASSERTS = re.compile(
    r"\b(?:was|were|has been|have been|is now|are now|failed|succeeded|did not|didn't)\b", re.IGNORECASE
)
_GUESS = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:guess(?:ed)?|hypothesis|assum(?:ption|ed)|speculati\w+"
    r"|unconfirmed|not (?:yet )?confirmed)\b",
    re.IGNORECASE,
)
_GUESSED = re.compile(
    r"[(\[–—:-]\s*(?:a )?(?:guess(?:ed)?|speculati\w+|assum\w+|not (?:yet )?confirmed)\b[^.]{0,60}\.?$", re.IGNORECASE
)
_THEN_PLAN = re.compile(
    r"^[^,;]{0,120},\s+(?:let'?s|let\s+(?:me|us)|i['’]ll|we['’]ll|i will|we will|we (?:can|should|need)"
    r"|i (?:can|should|need))\b",
    re.I,
)


_TO_REPORT = re.compile(
    r"\W*(?:report|compare|measure|compute|describe|record|discuss|determine|estimate) (?:the|our|its|how|what)\b",
    re.IGNORECASE,
)
"""An item of a plan ("Report the speedup.")."""


def without_purpose(text: str) -> str:
    """The clause without a closing "to improve …" or "for better …"; same offsets."""
    match = next(
        (m for m in _PURPOSE.finditer(text) if not _FOUND_TO_BE.search(text[: m.start() + len("to be")])), None
    )
    if match is None or match.start() <= 3 or _ASSERTS.search(text[match.start() :]):
        return text
    return text[: match.start()]


def is_plan(clause: Clause) -> bool:
    """Whether the clause announces or asks for something."""
    if clause.sentence.text.rstrip().endswith("?"):
        return True
    if _TO_REPORT.match(clause.text) or _PLAN_START.match(clause.text) or _THEN_PLAN.match(clause.text):
        return True
    inherited = clause.connector in ("and", "") or clause.connector.startswith(("as", "with", "resulting"))
    return bool(clause.before) and inherited and bool(_PLAN_START.match(clause.sentence.text))


def is_hedged(clause: Clause, position: int) -> bool:
    """Whether a modal, a condition or a wish governs what stands at ``position`` of the clause."""
    modal = _MODAL.search(clause.text)
    if (modal and modal.end() <= position) or _GENERAL.search(clause.text) or _GENERIC.search(clause.sentence.text):
        return True
    would = _WOULD.search(clause.text)
    return would is not None and not FINITE.search(clause.text[: would.start()])


def is_target(clause: Clause) -> bool:
    """Whether the clause states a goal or a threshold, and not that it was reached."""
    return bool(_TARGET.search(clause.text)) and not _REACHED.search(clause.text)


def is_guess(clause: Clause) -> bool:
    """Whether the agent itself calls the sentence a guess."""
    return bool(_GUESS.match(clause.sentence.text) or _GUESSED.search(clause.sentence.text))
