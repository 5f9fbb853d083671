"""Prose in pieces: lines, sentences and clauses with their offsets, and the heading a list item stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_MARKER = re.compile(
    r"\s*(?:[-*+•▪]\s+|\(?\d{1,2}[.)]\s+|#{1,6}\s+|>\s+|\[[A-Z]\w+\]:\s*|\*\*(?:Reflection|Thought|Observation|Action"
    r"|Reasoning"
    r"|Plan|Status|Update|Results?|Summary|Note|Feedback|Conclusion|Analysis|Discussion|Confirmed)\*\*:\s*"
    r"|\**(?:[Dd]irectly )?[Cc]onfirmed\**:\**\s+(?=\S+ \S))*"
)
_NUMBERING = re.compile(r"(?:\(?\d{1,2}[.)]\s+(?:\**(?:[Dd]irectly )?[Cc]onfirmed\**:\**\s+)?|[Cc]onfirmed\**:\**\s+)$")
_BOUNDARY = re.compile(r"(?<=[.!?])[\"')*`]*\s+(?=[\"'(*`\[]*(?:[A-Z0-9`✓✅❌↑]|\w+_\w|\w+\.py\b|[a-z]\d|[a-z]+[A-Z]))")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|etc|cf|resp|Fig|No|Eq|ca|Dr)|\b[A-Z]|^\s*\(?\d{1,2})\.$")
_STATUS = re.compile(
    r"[*_(\[]*(?:done|completed?|finished|in progress|not started|pending|todo)\b[.*_)\]!]*\s*$", re.IGNORECASE
)
_AHEAD = re.compile(r"\b(?:let'?s|will|'ll|next|try)\b", re.IGNORECASE)
_LOOKING = re.compile(r"\b(?:look(?:ing)? at|see|compare|analy[sz]e|summari[sz]e|review|examine|recap)\b", re.I)
_FINITE = (
    r"(?:is|are|was|were|generali[sz]es|takes|took|accounts?|comes|came|costs|contribut(?:es|ed)|has|have|had|did"
    r"|does|do|raises?d?"
    r"|lower(?:s|ed)|reduc(?:es|ed)|went|outperforms?"
    r"|beats?|achieve[sd]?|reach(?:es|ed)|got|get[s]?|show[s]?|showed|perform(?:s|ed)"
    r"|improv(?:es|ed)|increas(?:es|ed)|decreas(?:es|ed)|drop(?:s|ped)|rose|fell|gives?|gave|yield(?:s|ed)|timed"
    r"|failed|overfit(?:s|ted)?|converge[sd]|plateau(?:s|ed)|suffer(?:s|ed)|ends?|ended|finish(?:es|ed)|lands?"
    r"|'s|'ve|'m|'re|remain(?:s|ed)|stay(?:s|ed)|ran|completed|saved|may|might|could|should|would|will|can)"
)
_CONNECTOR = re.compile(
    r"""(?:\s*;\s+
    |,?\s+(?:but|although|though|while|whereas|however|because|since|yet)\s+
    |,\s+(?:which|so|suggesting|indicating|meaning|showing|demonstrating|resulting\s+in|with|as|likely|confirming|achieving|being)\s+
    |\s+(?:indicating|suggesting)\s+(?:that\s+)?
    |,\s+(?=(?:\w+ly\s+|further\s+|thus\s+|also\s+)?(?:improving|outperforming|beating|surpassing|exceeding|matching|lowering
        |raising|falling|dropping)\b)
    |:\s+(?=(?:this|that|it|its|which)\s)
    |,\s+(?=i\.e\.)
    |,?\s+(?=at\s+(?:the|a)\s+(?:cost|expense|price|loss)\s+of\s)
    |\s+[–—-]\s+
    |,\s+(?=(?:the\s+|its\s+)?(?:train(?:ing)?|val(?:idation)?|test)\s+(?:\w+\s+){1,2}?(?:rose|fell|(?:in|de)creased|improved|dropped|went|is|was)\b)
    |,?\s+and\s+(?=an?\s+(?:\w+\s+)?(?:increase|decrease|improvement|drop|gain|reduction|better|worse|higher|lower)\b)
    |,?\s+and\s+(?=(?:(?:the|its|our|my|it|I|we|this|that|these|a|an|there)\s+)?(?:[\w.'`/-]+\s+){0,6}?"""
    + _FINITE
    + r"""\b))""",
    re.VERBOSE | re.IGNORECASE,
)
FINITE = re.compile(rf"\b{_FINITE}\b", re.IGNORECASE)
"""A verb that says how something is or was."""
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_AND = re.compile(r",?\s+and\s+", re.IGNORECASE)
_HAS_VERB = re.compile(rf"\b{_FINITE}\b|\w+ed\b", re.IGNORECASE)
_LEADING = re.compile(
    r"(?:while|although|though|since|after|as|because|when|now that|given that|despite)\b(?:\([^)]*\)|[^,()])*",
    re.IGNORECASE,
)
_PLAN_HEADING = re.compile(
    r"\b(?:let'?s|let us|let me|will|'ll|going to|plan|next|try|trying|should|could|can|would|need|todo"
    r"|to do|ideas?|options?"
    r"|suggest\w*|recommend\w*|potential|possible|consider|improvements?:|goals?|steps?:|objectives?|future"
    r"|further|strategy:|approach:)\b",
    re.IGNORECASE,
)
_DONE_HEADING = re.compile(
    r"\b(?:have|has|'ve|had|made|did|done|completed|changes|added|updated|implemented|achieved|results?|summary"
    r"|accomplish\w*"
    r"|progress|improved|worked|shows?|performed|metrics|performance|confirmed|findings|observations?|scores?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Sentence:
    """One sentence, or one list item.

    Attributes:
        text: Exact text, without list marker.
        start: Offset in the prose.
        heading: The line ending in a colon that it stands under, or "".
        is_item: It is an item of a list.
        marker: The item's number as written, right in front of ``text``; "" for other sentences.
        previous: The sentence before it in the same prose.
    """

    text: str
    start: int
    heading: str = ""
    is_item: bool = False
    previous: str = ""
    marker: str = ""

    @property
    def under_plan(self) -> bool:
        """Whether its heading announces something to be done."""
        return bool(_PLAN_HEADING.search(self.heading)) and not (
            _LOOKING.search(self.heading) or (_DONE_HEADING.search(self.heading) and not _AHEAD.search(self.heading))
        )


@dataclass(frozen=True)
class Clause:
    """A part of a sentence with one assertion.

    Attributes:
        text: Exact text.
        start: Offset in the prose.
        before: The sentence's text in front of it.
        connector: The words that join it to the clause before.
        sentence: The whole sentence.
    """

    text: str
    start: int
    before: str
    connector: str
    sentence: Sentence

    @property
    def quote(self) -> str:
        """The text with the number of the list item it begins, as it stands in the prose."""
        return f"{self.sentence.marker}{self.text}" if self.start == self.sentence.start else self.text

    @property
    def is_first(self) -> bool:
        """Whether the sentence begins with it."""
        return not self.before.strip()


def sentences(prose: str) -> list[Sentence]:
    """The sentences of a prose, without fenced code."""
    found: list[Sentence] = []
    heading, heading_indent, previous = "", -1, ""
    for line_start, line in _lines(prose):
        marker = _MARKER.match(line)
        body_at = marker.end() if marker else 0
        is_item = bool(marker and marker.group().strip())
        indent = len(line) - len(line.lstrip())
        if heading and not is_item and found and not found[-1].text.rstrip("*_ ").endswith(":"):
            heading = ""
        for offset, text in _split(line[body_at:]):
            numbering = _NUMBERING.search(line[:body_at]) if offset == 0 else None
            marker_text = numbering.group() if numbering else ""
            found.append(Sentence(text, line_start + body_at + offset, heading, is_item, previous, marker_text))
            previous = text
        if marker and marker.group().strip().startswith("#"):
            heading, heading_indent = found[-1].text, -1
        if (
            line.rstrip().rstrip("*_").endswith(":")
            and found
            and (not is_item or indent <= heading_indent or not heading)
        ):
            heading, heading_indent = found[-1].text, indent
    return found


def clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, in order."""
    text, found, at, connector = sentence.text, [], 0, ""
    leading = _LEADING.match(text)
    matches = list(_CONNECTOR.finditer(text))
    if leading:
        matches = sorted(
            [m for m in re.finditer(r",\s+", text) if m.start() == leading.end()] + matches, key=lambda m: m.start()
        )
    for match in matches:
        if match.start() <= at or _inside_brackets(text, match.start()):
            continue
        if _splits_both(text, at, match.start(), match.group()):
            continue
        if _AND.fullmatch(match.group()) and not _HAS_VERB.search(text[at : match.start()]):
            continue
        found.append(_clause(sentence, at, match.start(), connector))
        at, connector = match.end(), match.group().strip(" ,;").lower()
    found.append(_clause(sentence, at, len(text), connector))
    return [clause for clause in found if clause.text]


def _clause(sentence: Sentence, start: int, end: int, connector: str) -> Clause:
    text = sentence.text[start:end]
    start += len(text) - len(text.lstrip())
    return Clause(text.strip(), sentence.start + start, sentence.text[:start], connector, sentence)


def _splits_both(text: str, start: int, position: int, connector: str) -> bool:
    """Whether an "and" would part the two halves of "both … and …"."""
    said = _BOTH.search(text, start, position)
    return connector.strip(" ,").lower() == "and" and said is not None and not FINITE.search(text, said.end(), position)


def _inside_brackets(text: str, position: int) -> bool:
    before = text[:position]
    return before.count("(") > before.count(")") or before.count("`") % 2 == 1


def _lines(prose: str) -> Iterator[tuple[int, str]]:
    blanked = _FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), prose) if "```" in prose else prose
    for match in _LINE.finditer(blanked):
        if match.group().strip():
            yield match.start(), match.group()


def _split(line: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in _BOUNDARY.finditer(line):
        if _STATUS.match(line[match.end() :]):
            continue
        if _ABBREVIATION.search(line[start : match.start()].rstrip("\"')*`")):
            continue
        if line[start : match.start()].strip():
            yield _trimmed(line, start, match.start())
        start = match.end()
    if line[start:].strip():
        yield _trimmed(line, start, len(line))


def _trimmed(line: str, start: int, end: int) -> tuple[int, str]:
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), text.strip()
