"""Prose in sentences and clauses with their offsets, without what is no prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.claims.quotes import NUMBERING
from evaluation.claims.reading.rules.no_prose import without_code
from evaluation.claims.reading.rules.vocabulary import either, phrases

LONGEST = 1_500
"""Characters of a sentence; a longer one is read in parts."""
_PAUSE = re.compile(r"(?<=[,;])\s+|\s+(?=and\b|but\b)")
_BLANKS = re.compile(r"\s+")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_MARKER = re.compile(
    r"\s*(?:[-*+•▪]\s+|\(?\d{1,2}[.)]\s+|#{1,6}\s+|>\s+|\[[A-Z]\w+\]:\s*"
    r"|\*\*[A-Z][\w ]{2,24}:?\*\*:?\s+(?=[A-Za-z`])|DISCUSSION\b\s*"
    r"|\**(?:[Dd]irectly )?[Cc]onfirmed\**:\**\s+(?=\S+ \S))*"
)
_BOUNDARY = re.compile(
    r"(?<=[.!?])[\"')*`]*\s+(?=[\"'(*`\[]*(?:[A-Z0-9`]|\w+_\w|\w+\.py\b|[a-z]\d|[a-z]+[A-Z]|[a-z]+ \d))"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|etc|cf|resp|Fig|No|Eq|ca|Dr)|\b[A-Z]|^\s*\(?\d{1,2})\.$")
_STATUS = re.compile(r"[*_(\[]*(?:done|completed?|finished|in progress|not started|pending|todo)\b[.*_)\]!]*\s*$", re.I)
_OF_AGENT = re.compile(rf"\b(?:i|we)\b|^\W*(?:it (?:also )?)?{either('clauses.deed')}\s", re.IGNORECASE)
_DEED = re.compile(rf"{either('clauses.deed')}\s", re.IGNORECASE)
_JOINT = re.compile(
    rf""" \s*;\s+ | \s+[–—-]{{1,2}}\s+ | ,?\s+{either("clauses.joint")}\s+
    | ,\s+{either("clauses.comma")}\s+ | ,\s+(?={either("clauses.next")}\b|{either("clauses.deed")}\s)
    | (?:(?<=last)|(?<=final)|(?<=first)|(?<=second)|(?<=third)|(?<=one)),\s+where\s+
    | \s+(?:indicating|suggesting)\s+(?:that\s+)? | \s+(?:shows?|shown|proves?)\s+that\s+
    | :\s+(?=(?:this|that|it|its|the|which)\s|[\d.]+%?\s?(?:->|→)\s?[\d.]+)
    | ,?\s+(?=at\ (?:the|a)\ (?:cost|expense|price)\ of\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_LEADING = re.compile(rf"{either('clauses.leading')}\b(?:\([^)]*\)|[^,()])*", re.IGNORECASE)
ARTICLE = re.compile(rf"\bI\b|(?:^|[.;:] )\W*A (?=[a-z])(?!{either('clauses.finite')}\b)")


@dataclass(frozen=True)
class Sentence:
    """One sentence, or one list item."""

    text: str  # exact, without list marker
    start: int  # offset in the prose
    heading: str = ""  # the line ending in a colon that it stands under
    previous: str = ""  # the sentence before it
    marker: str = ""  # an item's number as written, right in front of the text

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
        return self.text if self.before else f"{self.sentence.marker}{self.text}"

    @property
    def quote_start(self) -> int:
        """Where the quote begins."""
        return self.start + len(self.text) - len(self.quote)

    @property
    def before(self) -> str:
        """The sentence's text in front of it."""
        return self.sentence.text[: self.start - self.sentence.start]


def is_finite(text: str) -> bool:
    """Whether a text has a verb of its own."""
    return bool(phrases("clauses.finite").search(text)) or "'s" in text or "'ve" in text or "'m" in text


def without_article(text: str) -> str:
    """A text without the capital letters that are no names: the pronoun, and the article where something begins."""
    return ARTICLE.sub(" ", text)


def sentences(prose: str) -> list[Sentence]:
    """The sentences of a prose, without what is no prose."""
    found: list[Sentence] = []
    heading, previous = "", ""
    for start, line in ((m.start(), m.group()) for m in _LINE.finditer(without_code(prose))):
        marker = _MARKER.match(line)
        body = marker.end() if marker else 0
        is_item = bool(line[:body].strip())
        if heading and not is_item and not found[-1].text.rstrip("*_ ").endswith(":"):
            heading = ""
        for offset, text in _split(line[body:]):
            numbering = NUMBERING.search(line[:body]) if offset == 0 else None
            own = numbering.group() if numbering else ""
            found.append(Sentence(text, start + body + offset, heading, previous, own))
            previous = text
        is_heading = bool(found) and line.rstrip().rstrip("*_").endswith(":")
        if is_heading:
            heading = found[-1].text
    return [each for each in found if not each.text.startswith("|")]


def clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, in order."""
    text, found, at, joint = sentence.text, [], 0, ""
    for match in _joints(text):
        if match.start() > at and _joins(text, at, match):
            found.append(_clause(sentence, at, match.start(), joint))
            at, joint = match.end(), match.group().strip(" ,;").lower()
    found.append(_clause(sentence, at, len(text), joint))
    return [clause for clause in found if clause.text]


def _joints(text: str) -> list[re.Match[str]]:
    """Where clauses may be parted."""
    leading = _LEADING.match(text)
    found = [*_JOINT.finditer(text)]
    found += [m for m in re.finditer(r",\s+", text) if leading and m.start() == leading.end()]
    return sorted((m for m in found if not _is_inside(text, m.start())), key=lambda m: m.start())


def _joins(text: str, at: int, match: re.Match[str]) -> bool:
    """Whether both sides of a joint are statements of their own."""
    before, after, word = text[at : match.start()], text[match.end() :], match.group().strip(" ,").lower()
    if word == "and" and not _are_two(before, after):
        return False
    if _DEED.match(after) and not _OF_AGENT.search(text[: match.start()]):
        return False  # describes the thing before it: "a small network, trained for an epoch"
    if word == "but" and phrases("clauses.exception").match(after):
        return False
    return word[:1] != ":" or is_finite(before)  # "Best so far: the starter with 19.5"


def _are_two(before: str, after: str) -> bool:
    """Whether "and" joins two statements and not two things: both sides have a verb of their own."""
    head = re.split(r"[,;]|\band\b", after)[0]
    return is_finite(before) and is_finite(head) and not re.search(r"\bboth\b[^,]*$", before, re.I)


def _clause(sentence: Sentence, start: int, end: int, joint: str) -> Clause:
    at, text = _trimmed(sentence.text, start, end)
    return Clause(text, sentence.start + at, joint, sentence)


def _is_inside(text: str, position: int) -> bool:
    before = text[:position]
    return before.count("(") > before.count(")") or before.count("`") % 2 == 1


def _split(line: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in _BOUNDARY.finditer(line):
        if not _STATUS.match(line[match.end() :]) and not _ABBREVIATION.search(
            line[start : match.start() + 1].rstrip(" \"')*`")
        ):
            yield from _parted(line, start, match.start())
            start = match.end()
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
    if line[start:end].strip():
        yield _trimmed(line, start, end)


def _trimmed(line: str, start: int, end: int) -> tuple[int, str]:
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), text.strip()
