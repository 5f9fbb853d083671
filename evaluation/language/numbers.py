"""Numbers as people write them, and whether a recorded number is the one meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from evaluation.language.commas import DECIMAL, is_of_list
from evaluation.language.quantity import Quantity, Unit, is_finite

_WORDS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
}
_NUMBER = re.compile(
    rf"""(?<![\w.@])(?<!\d/)(?P<sign>(?<![+/])[+\-−]\s?)?\$?
    (?P<digits>(?!0,)\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|(?P<comma>{DECIMAL})|\d+(?:\.\d+)?|\.\d+)
    (?:[eE](?P<exponent>[+\-−–]?\d{{1,3}})(?!\d)|\s?[x×*]\s?10(?:\s?\^\s?(?P<power>[+\-−–]?\d{{1,3}})|(?P<bare>[\-−–]\d{{1,2}}))(?!\d))?
    (?P<kilo>[kK]\b|\s(?:thousand|million)\b)?
    (?!(?!(?:ms|s|secs?|mins?|h|hrs?|pp|[MGT]i?B|(?<=\.\d)x|(?<=\.\d\d)x
        |x(?=\s(?:speed|faster|slower|fewer|smaller|larger|more|less|higher|lower)))\b)\w|[.,]\d|/\d+(?![\d.])
    |[- ](?:\w+[- ])?(?:limit|budget|deadline|timeout)\b)
    \s?(?P<unit>\\?%|percent(?:age)?\s+points?|percent\b|pp\b|points?\b|ms\b|milliseconds?\b|seconds?\b|secs?\b|s\b|minutes?\b|mins?\b|hours?\b|hrs?\b|h\b
       |[MGT]i?B\b|(?:mega|giga|tera)bytes?\b)?""",
    re.VERBOSE,
)
_OF_SPREAD = re.compile(r"\s?(?:±|\+/-|\+-)\s?\d+(?:\.\d+)?\s?(?P<unit>\\?%|percent\b)")
"""Behind a number whose unit stands once, behind its spread: "80.7 ± 0.6 %"."""
_DASH = re.compile("[−–]")
_OF_CLOCK = re.compile(r"\d:\d\d:\d|\d ?(?:h|m)")
_CLOCK = re.compile(
    r"(?<![\w.:])(?:(?P<hours>\d{1,3}):(?P<minutes>\d{2}):(?P<seconds>\d{2}(?:\.\d+)?)(?![\w:])"
    r"|(?:(?P<h>\d{1,9}) ?(?:h|hours?|hrs?),? (?:and )?)?(?P<m>\d{1,9}) ?(?:m|mins?|minutes?),? (?:and )?"
    r"(?P<s>\d{1,9}(?:\.\d+)?) ?(?:s|secs?|seconds?)\b"
    r"|(?P<only_h>\d{1,9}) ?(?:h|hours?|hrs?),? (?:and )?(?P<only_m>\d{1,9}) ?(?:m|mins?|minutes?)\b)"
)
"""A duration in parts: "1:12:30", "6 min 12 s", "2 hours and 5 minutes"."""

_WORD_NUMBER = re.compile(
    rf"\b(?P<word>{'|'.join(_WORDS)})(?:[\s-](?P<unit_word>one|two|three|four|five|six|seven|eight|nine))?\b"
    r"\s?(?P<unit>%|percent(?:age)?\s+points?|percent\b|points?\b|seconds?\b|minutes?\b|hours?\b)?",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"\b(?P<half>half )?an? (?:full |whole )?(?P<unit>second|minute|hour|percentage point|point|percent)\b(?! and)",
    re.I,
)
_SHARE = re.compile(
    r"\bby (?:about |roughly |around |almost |nearly )?(?P<n>an?|one|two|three) (?P<part>third|quarter|fifth|sixth"
    r"|tenth)s?\b",
    re.IGNORECASE,
)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "tenth": 10}
_RATIO = re.compile(r"\d/$")
"""In front of the second number of "50/50"."""
_APPROXIMATE = re.compile(
    r"(?:\b(?:around|about|approximately|approx\.?|roughly|nearly|almost|close to|circa|some)"
    r"|[~≈])\s*(?:of\s+|an?\s+|the\s+)?\$?$",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:over|above|more than|greater than|exceed\w*|at least|higher than|beyond|past)\s*\$?$", re.I
)
_AT_MOST = re.compile(
    r"\b(?:under|below|less than|fewer than|at most|lower than|(?<!went )(?<!goes )(?<!gone )(?<!going )up to)\s*\$?$",
    re.IGNORECASE,
)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "ms": 0.001, "milliseconds": 0.001, "millisecond": 0.001}
_GIGABYTES = {"m": 1 / 1024, "g": 1.0, "t": 1024.0}


@dataclass(frozen=True, kw_only=True)
class Number(Quantity):
    """A number in a text.

    Attributes:
        text: The digits with sign and unit, exactly as written.
        start: Offset of ``text``.
        end: Offset behind ``text``.
    """

    text: str
    start: int
    end: int


@lru_cache(maxsize=2048)
def find_numbers(text: str) -> tuple[Number, ...]:
    """Every number of a text in order, in digits or in words; none as large as infinity."""
    numbers = [_from_digits(match, text) for match in _NUMBER.finditer(text)]
    clocks = [_from_clock(match, text) for match in _CLOCK.finditer(text)] if _OF_CLOCK.search(text) else []
    numbers = [n for n in numbers if is_finite(n.value) and is_finite(n.resolution)]
    numbers = [n for n in numbers if not is_of_list(text, n.start, n.end, has_unit=n.unit is not Unit.NONE)]
    numbers = [n for n in numbers if not _RATIO.search(text[max(0, n.start - 2) : n.start]) or n.resolution < 1]
    numbers = [n for n in numbers if not any(clock.start <= n.start < clock.end for clock in clocks)]
    words = clocks + [_from_word(match, text) for match in _WORD_NUMBER.finditer(text)]
    words += [_from_share(match) for match in _SHARE.finditer(text)]
    words += [_from_article(match, text) for match in _ARTICLE.finditer(text)]
    if words:
        numbers += words
        numbers.sort(key=lambda number: number.start)
    return tuple(numbers)


def _from_digits(match: re.Match[str], text: str) -> Number:
    digits = match["digits"].replace(",", "." if match["comma"] else "")
    exponent = _exponent(match["exponent"] or match["power"] or match["bare"])
    if match["kilo"]:
        exponent += 6 if "million" in match["kilo"] else 3
    decimals = len(digits.partition(".")[2])
    value = float(Decimal(digits).scaleb(exponent))
    sign = (match["sign"] or "").strip()
    before = text[: match.start()]
    if sign in ("-", "−") and not before.rstrip().endswith(tuple("0123456789%")):
        value = -value
    spread = _OF_SPREAD.match(text, match.end("digits"))
    unit, seconds = _unit(match["unit"] or (spread["unit"] if spread else None))
    hedge = _hedge(before)
    resolution = float(Decimal(1).scaleb(exponent - decimals))
    if hedge.approximate and not decimals and not exponent and digits.endswith("0"):
        last = 10.0 ** (len(digits) - len(digits.rstrip("0")))
        resolution = max(resolution, min(last, abs(value) / 10))
    return Number(
        value=value,
        text=match.group().rstrip(),
        start=match.start(),
        end=match.start() + len(match.group().rstrip()),
        resolution=resolution,
        unit=unit,
        seconds=seconds,
        approximate=hedge.approximate,
        bound=hedge.bound,
        gigabytes=_GIGABYTES[(match["unit"] or "")[0].lower()] if unit is Unit.NONE and match["unit"] else 0,
    )


def _exponent(written: str | None) -> int:
    """The power of ten of "1e-5", "3 × 10^-4", and of "3×10−4", where a copy lost the raised figures."""
    return int(_DASH.sub("-", written)) if written else 0


def _from_clock(match: re.Match[str], text: str) -> Number:
    """Reads "6 min 12 s" as 372 seconds."""
    hours, minutes, seconds = (
        match[names[0]] or match[names[1]] or match[names[2]] or "0"
        for names in (("hours", "h", "only_h"), ("minutes", "m", "only_m"), ("seconds", "s", "s"))
    )
    hedge = _hedge(text[: match.start()])
    return Number(
        value=3600 * int(hours) + 60 * int(minutes) + float(seconds),
        text=match.group(),
        start=match.start(),
        end=match.end(),
        resolution=60.0 if match["only_m"] else float(Decimal(1).scaleb(-len(seconds.partition(".")[2]))),
        unit=Unit.SECONDS,
        approximate=hedge.approximate,
        bound=hedge.bound,
    )


def _from_word(match: re.Match[str], text: str) -> Number:
    value = _WORDS[match["word"].lower()] + (_WORDS[match["unit_word"].lower()] if match["unit_word"] else 0)
    unit, seconds = _unit(match["unit"])
    hedge = _hedge(text[: match.start()])
    return Number(
        value=float(value),
        text=match.group().rstrip(),
        start=match.start(),
        end=match.start() + len(match.group().rstrip()),
        resolution=1.0,
        unit=unit,
        seconds=seconds,
        approximate=hedge.approximate,
        bound=hedge.bound,
    )


def _from_article(match: re.Match[str], text: str) -> Number:
    """Reads "an hour", "half a minute"."""
    unit, seconds = _unit(match["unit"])
    hedge = _hedge(text[: match.start()])
    value = 0.5 if match["half"] else 1.0
    return Number(
        value=value,
        text=match.group(),
        start=match.start(),
        end=match.end(),
        resolution=value / 2,
        unit=unit,
        seconds=seconds,
        approximate=hedge.approximate,
        bound=hedge.bound,
    )


def _from_share(match: re.Match[str]) -> Number:
    """Reads "by a fifth" as about 20 percent."""
    value = 100 * (_WORDS.get(match["n"].lower(), 1)) / _PARTS[match["part"].lower()]
    start = match.start("n")
    return Number(
        value=value,
        text=match.group()[start - match.start() :],
        start=start,
        end=match.end(),
        resolution=3.0,
        unit=Unit.PERCENT,
        approximate=True,
    )


def _unit(written: str | None) -> tuple[Unit, float]:
    word = (written or "").lower().lstrip("\\")
    if not word or word.endswith(("b", "byte", "bytes")):
        return Unit.NONE, 1
    if "point" in word or word == "pp":
        return Unit.POINTS, 1
    if word == "%" or word.startswith("percent"):
        return Unit.PERCENT, 1
    return Unit.SECONDS, _SECONDS.get(word, _SECONDS[word[0]])


class _Hedge(NamedTuple):
    bound: str = ""
    approximate: bool = False


def _hedge(before: str) -> _Hedge:
    tail = before[-24:]
    if _AT_LEAST.search(tail):
        return _Hedge(bound=">")
    if _AT_MOST.search(tail):
        return _Hedge(bound="<")
    return _Hedge(approximate=bool(_APPROXIMATE.search(tail)))
