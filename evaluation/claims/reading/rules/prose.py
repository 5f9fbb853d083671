"""Prose in sentences and clauses with their offsets, without what is no prose: code, records, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from environment.metrics.meaning import names_in
from evaluation.claims.quotes import NUMBERING
from evaluation.claims.reading.rules.no_prose import without_code
from evaluation.claims.reading.rules.vocabulary import groups, phrases

LONGEST = 1_500
"""Characters of a sentence; a longer one is read in parts."""
_PAUSE = re.compile(r"(?<=[,;])\s+|\s+(?=and\b|but\b)")
"""Where a sentence that is too long is best parted."""
_LINE = re.compile(r"[^\n]+")
_MARKER = re.compile(
    r"\s*(?:[-*+•▪]\s+|\(?\d{1,2}[.)]\s+|#{1,6}\s+|>\s+|\[[A-Z]\w+\]:\s*"
    r"|\*\*[A-Z][\w ]{2,24}:?\*\*:?\s+(?=[A-Za-z`])|DISCUSSION\b\s*"
    r"|\**(?:[Dd]irectly )?[Cc]onfirmed\**:\**\s+(?=\S+ \S))*"
)
_BLANKS = re.compile(r"\s+")
_BOUNDARY = re.compile(r"(?<=[.!?])[\"')*`]*\s+(?=[\"'(*`\[]*(?:[A-Z0-9`]|\w+_\w|\w+\.py\b|[a-z]\d|[a-z]+[A-Z]))")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|etc|cf|resp|Fig|No|Eq|ca|Dr)|\b[A-Z]|^\s*\(?\d{1,2})\.$")
_STATUS = re.compile(r"[*_(\[]*(?:done|completed?|finished|in progress|not started|pending|todo)\b[.*_)\]!]*\s*$", re.I)
_VERB = (
    r"(?:added|removed|replaced|changed|increased|reduced|decreased|set|used|switched|trained|ran|implemented"
    r"|introduced|tuned|fixed|saved|wrote|updated|evaluated|tested|applied)\s+(?!by\b)"
)
_DEED = re.compile(_VERB, re.IGNORECASE)
_OF_AGENT = re.compile(rf"\b(?:i|we)\b|^\W*(?:it (?:also )?)?{_VERB}", re.IGNORECASE)
_JOINT = re.compile(
    r"\s*;\s+|,?\s+(?:but|although|though|while|whereas|however|because|since|yet)\s+|\s+[–—-]{1,2}\s+"
    r"|(?:(?<=last)|(?<=final)|(?<=first)|(?<=second)|(?<=third)|(?<=one)),\s+where\s+"
    r"|,\s+(?:which|so|with|as|suggesting|indicating|meaning|showing|resulting in|achieving"
    r"|making|leading to|giving|approaching|corresponding to|i\.e\.,?)\s+"
    r"|\s+(?:indicating|suggesting)\s+(?:that\s+)?|\s+(?:shows?|shown|proves?)\s+that\s+|:\s+(?=(?:this|that|it|its|the|which)\s)"
    r"|:\s+(?=[\d.]+%? ?(?:->|→) ?[\d.]+)"
    r"|,\s+(?=(?:\w+ly\s+)?(?:improving|outperforming|beating|surpassing|exceeding|lowering"
    r"|raising|an? (?:\w+ ){0,2}(?:improvement|increase|gain|reduction|drop|decrease))\b)"
    rf"|,\s+(?={_VERB})"
    r"|,?\s+(?=at (?:the|a) (?:cost|expense|price) of\b)|,?\s+and\s+"
    r"|,\s+(?=(?:the |its )?(?:train\w*|val\w*|test) \w+ (?:\w+ )?(?:rose|fell|(?:in"
    r"|de)creased|improved|dropped|went|is|was)\b)",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"(?:for |in )?(?:the )?(?:last|final|first|second|third|one|two)\b(?! \w+ed\b)", re.IGNORECASE)
"""What a "but" leaves out of "every" and "all", where it joins no other statement."""
_LEADING = re.compile(
    r"(?:while|although|though|since|after|as|because|when|now that|given that|despite|with)\b(?:\([^)]*\)|[^,()])*",
    re.I,
)
_MORE = re.compile(
    r"(?:about |around |roughly |over |even )?[\d.]+ ?(?:%|percentage points?|points?|times|x)? ?"
    r"(?:higher|lower|better|worse|faster|slower|above|below|more|less)\b",
    re.I,
)
"""Behind an "and": another amount with what it is held against."""
FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|does|do|can|will|should|would|could|may|might|took"
    r"|takes|came|went|rose|fell|got|gets?|gave|gives?|ran|made"
    r"|reach(?:es|ed)|achieve[sd]?|show(?:s|ed)|perform(?:s|ed)|beats?|lands?|ends?|remain(?:s"
    r"|ed)|\w{3,}ed|improves|increases|decreases|drops|reduces|outperforms|loses|moves|yields?|'s|'ve|'m"
    r"|'re)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(rf"\bI\b|(?:^|[.;:] )\W*A (?=[a-z])(?!{FINITE.pattern})")
_COMMA = re.compile(r",\s+(?:and\s+|but\s+)?|\s+and\s+")
_NEAR = 12
"""Characters in front of a metric that a part of a sentence begins with."""
_OF_OTHER = re.compile(r"(?:the )?[\w-]+(?: [\w-]+)? (?:on|for|by|in) (?:the )?[\w-]+\W*$")
"""What is so as well, each with its own: "B is best on validation, C on test"."""


@dataclass(frozen=True)
class Sentence:
    """One sentence, or one list item."""

    text: str  # exact, without list marker
    start: int  # offset in the prose
    heading: str = ""  # the line ending in a colon that it stands under
    previous: str = ""  # the sentence before it
    marker: str = ""  # an item's number as written, right in front of the text
    is_item: bool = False

    @property
    def under_plan(self) -> bool:
        """Whether its heading announces something to be done."""
        return bool(phrases("announcing").search(self.heading)) and not phrases("reporting").search(self.heading)


@dataclass(frozen=True)
class Clause:
    """A part of a sentence with one assertion."""

    text: str  # exact
    start: int  # offset in the prose
    joint: str  # the words that join it to the clause before
    sentence: Sentence

    @property
    def quote(self) -> str:
        """The text with the number of the list item it begins, as it stands in the prose."""
        return f"{self.sentence.marker}{self.text}" if self.start == self.sentence.start else self.text

    @property
    def quote_start(self) -> int:
        """Where the quote begins."""
        return self.start - (len(self.sentence.marker) if self.start == self.sentence.start else 0)

    @property
    def before(self) -> str:
        """The sentence's text in front of it."""
        return self.sentence.text[: self.start - self.sentence.start]


def without_article(text: str) -> str:
    """A text without the capital letters that are no names: the pronoun, and the article where something begins."""
    return _ARTICLE.sub(" ", text)


def sentences(prose: str) -> list[Sentence]:
    """The sentences of a prose, without what is no prose."""
    found: list[Sentence] = []
    heading, heading_indent, previous = "", -1, ""
    for start, line in ((m.start(), m.group()) for m in _LINE.finditer(without_code(prose)) if m.group().strip()):
        marker = _MARKER.match(line)
        body = marker.end() if marker else 0
        is_item = bool(marker and marker.group().strip())
        indent = len(line) - len(line.lstrip())
        if heading and not is_item and found and not found[-1].text.rstrip("*_ ").endswith(":"):
            heading = ""
        for offset, text in _split(line[body:]):
            numbering = NUMBERING.search(line[:body]) if offset == 0 else None
            own = numbering.group() if numbering else ""
            found.append(Sentence(text, start + body + offset, heading, previous, own, is_item))
            previous = text
        if not found:
            continue
        ends = line.rstrip().rstrip("*_").endswith(":")
        if ends and (not is_item or indent <= heading_indent or not heading):
            heading, heading_indent = found[-1].text, indent
    return [each for each in found if not each.text.startswith("|")]


def clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, in order."""
    text, found, at, joint = sentence.text, [], 0, ""
    leading = _LEADING.match(text)
    joints = list(_JOINT.finditer(text))
    if leading:
        joints += [m for m in re.finditer(r",\s+", text) if m.start() == leading.end()]
    joints += [m for m in _COMMA.finditer(text) if _begins_anew(text[: m.start()], text[m.end() :])]
    for match in sorted(joints, key=lambda m: m.start()):
        if match.start() <= at or _inside(text, match.start()):
            continue
        before, after = text[at : match.start()], text[match.end() :]
        if match.group().strip(" ,").lower() == "and" and not (_parts(before, after) or _begins_anew(before, after)):
            continue
        if _DEED.match(text, match.end()) and not _OF_AGENT.search(text[: match.start()]):
            continue  # describes the thing before it: "a small network, trained for an epoch"
        if _EXCEPTION.match(text, match.end()) and match.group().strip().lower() == "but":
            continue
        if match.group().startswith(":") and not FINITE.search(text[at : match.start()]):
            continue  # a label belongs to what it labels: "Best so far: the starter with 19.5"
        found.append(_clause(sentence, at, match.start(), joint))
        at, joint = match.end(), match.group().strip(" ,;").lower()
    found.append(_clause(sentence, at, len(text), joint))
    return [clause for clause in found if clause.text]


def _parts(before: str, after: str) -> bool:
    """Whether "and" joins two statements and not two things: both sides have a verb of their own."""
    if _MORE.match(after):
        return True
    head = re.split(r"[,;]|\band\b", after)[0]
    return bool(FINITE.search(before) and FINITE.search(head)) and not re.search(r"\bboth\b[^,]*$", before, re.I)


def _begins_anew(before: str, after: str) -> bool:
    """Whether another metric with a change of its own follows, or another thing that is best of another kind."""
    head = _COMMA.split(after, maxsplit=1)[0]
    if _names("extremes", before):
        return bool(_OF_OTHER.match(head)) or any(at > 0 for at in _names("extremes", head))
    amount = phrases("operands.amount").search(head)  # "R2 down by 2 %"
    named, changes = names_in(head), [*_names("relations", head), *([amount.start()] if amount else [])]
    is_told = bool(named and changes) and named[0][1] <= _NEAR and min(changes) > named[0][1]
    return is_told and not _LEADING.match(head) and bool(_names("relations", before))


def _names(of: str, text: str) -> list[int]:
    """Where a text has words of some groups."""
    return [found.start() for pattern in groups(of).values() if (found := pattern.search(text))]


def _clause(sentence: Sentence, start: int, end: int, joint: str) -> Clause:
    text = sentence.text[start:end]
    start += len(text) - len(text.lstrip())
    return Clause(text.strip(), sentence.start + start, joint, sentence)


def _inside(text: str, position: int) -> bool:
    before = text[:position]
    return before.count("(") > before.count(")") or before.count("`") % 2 == 1


def _split(line: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in _BOUNDARY.finditer(line):
        is_status = _STATUS.match(line[match.end() :])
        if is_status or _ABBREVIATION.search(line[start : match.start()].rstrip("\"')*`")):
            continue
        if line[start : match.start()].strip():
            yield from _parted(line, start, match.start())
        start = match.end()
    if line[start:].strip():
        yield from _parted(line, start, len(line))


def _parted(line: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """A sentence; one that is too long in parts, without words that are too long for any."""
    while end - start > LONGEST:
        pauses = list(_PAUSE.finditer(line, start + LONGEST // 2, start + LONGEST))
        pauses = pauses or list(_BLANKS.finditer(line, start + 1, start + LONGEST))
        if pauses:
            yield _trimmed(line, start, pauses[-1].start())
        following = pauses[-1] if pauses else _BLANKS.search(line, start + LONGEST, end)
        start = following.end() if following else end
    if start < end:
        yield _trimmed(line, start, end)


def _trimmed(line: str, start: int, end: int) -> tuple[int, str]:
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), text.strip()
