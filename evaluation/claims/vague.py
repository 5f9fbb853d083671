"""Verdicts in words, without a number: "it performs very well"."""

from __future__ import annotations

import re

from environment.metrics.meaning import names_in
from evaluation.claims.assertions import Result
from evaluation.claims.claim import Kind
from evaluation.claims.modality import is_hedged
from evaluation.claims.sentences import Clause
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import splits_in

_VAGUE = re.compile(
    r"\b(?:predictions?|outputs?|masks|segmentations|translations|summaries|captions|samples|images|performs?"
    r"|performed|performing|perform|performance"
    r"|generali[sz]es?|results?|scores?"
    r"|accurac\w+|rmse"
    r"|mae|loss|r2|metrics?|model|values?)\b[^.;]*?"
    r"\b(?:(?:very |quite |fairly |reasonably |really |still |pretty |relatively |not |too |already )*"
    r"(?:good|(?<!as )well|clean|accurate|poor(?:ly)?|bad(?:ly)?|great|excellent|promising|strong|impressive|decent"
    r"|reasonable"
    r"|satisfactory|fluent|plausible|sensible|ideal|high|low|acceptable"
    r"|solid|encouraging|disappointing|competitive|as high|as good|as low|\w+er than (?:expected|hoped"
    r"|desired|anticipated)|worse than (?:expected|hoped)|stable|optimal|suboptimal))\b"
    r"|\b(?:a|an|is|are) (?:very |quite |really )?(?:good|great|excellent|promising|decent|solid|strong"
    r"|poor|encouraging|impressive) "
    r"(?:result|score|performance|accuracy|starting point|set of|value)\w*"
    r"|\b(?:saw|sees|show(?:s|ed)|had|has|gives?|gave|achiev(?:es|ed)|reach(?:es|ed)) (?:very |quite "
    r"|really )?(?:good|great"
    r"|excellent|promising|decent|solid|strong|poor|encouraging|impressive|robust|stable) (?:\w+ )?(?:results?"
    r"|performance|scores?"
    r"|accuracy)",
    re.IGNORECASE,
)
_DATA_WORDS = re.compile(r"\b(?:correlat|missing|dataset (?:has|contains)|feature with)", re.IGNORECASE)


def read_vague(clause: Clause, text: str) -> list[Result]:
    """The result that a clause states in words, if it states one."""
    match = _VAGUE.search(text)
    if not match or find_numbers(text) or is_hedged(clause, match.start()) or _DATA_WORDS.search(text):
        return []
    named = names_in(text)
    return [
        Result(
            kind=Kind.RESULT,
            quote=clause.quote,
            start=clause.start,
            context=clause.sentence.text,
            metric=named[0][0] if named else None,
            split=splits_in(text)[-1][0] if splits_in(text) else None,
        )
    ]
