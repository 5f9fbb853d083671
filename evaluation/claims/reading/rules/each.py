"""A clause that says one thing of several data sets, or of both splits, as it is said of each of them."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluation.claims.reading.rules.mentions import split_mentions
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.relations import relation_in
from evaluation.record.known import Known

_AGAINST = re.compile(r"\b(?:than|to|over|with|vs\.?|versus)\s+(?:\w+\s+)?$", re.IGNORECASE)
"""In front of a data set that another is held against."""
_LISTED = re.compile(r"[\s,]*(?:and|or|&)?\s*")
_AND = re.compile(r"\band\b", re.IGNORECASE)


def of_each_label(clause: Clause, known: Known) -> list[Clause]:
    """As "worse for dino (6.6 %) and line (19.6 %)": the clause as it is said of each of the data sets."""
    text = clause.text
    latest = known.measured_runs[-1].finals.values() if known.measured_runs else ()
    labels = "|".join(re.escape(label) for label in {row.label for row in latest if row.label})
    found = list(re.finditer(rf"\b(?:{labels})\b", text)) if labels else []
    between = text[found[0].end() : found[1].start()] if len(found) > 1 else "than "
    if _AGAINST.search(between) or relation_in(between):
        return []
    head, parts, tail = text[: found[0].start()], [], (len(text), len(text))
    for n in range(len(found) - 1, -1, -1):  # what is said of the last is said of those that it is listed with
        end = found[n + 1].start() if n + 1 < len(found) else len(text)
        tail = tail if _LISTED.fullmatch(text, found[n].end(), end) else (found[n].end(), end)
        kept = {*range(len(head)), *range(*found[n].span()), *range(*tail)}
        parts.append("".join(text[at] if at in kept else " " for at in range(len(text))))
    return [replace(clause, text=part) for part in reversed(parts)]


def of_each_split(clause: Clause) -> list[Clause]:
    """As "both the training and the validation error fell": the clause as it is said of each of the splits."""
    mentions = split_mentions(clause.text)
    if len(mentions) != 2 or not _AND.search(clause.text[mentions[0].end : mentions[1].start]):
        return []
    blanked = [clause.text[: m.start] + " " * (m.end - m.start) + clause.text[m.end :] for m in mentions]
    return [replace(clause, text=text) for text in blanked]
