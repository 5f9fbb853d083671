"""Values that stand before their names: ``0.87 = Validation score (accuracy)``, ``90/100 correct``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from environment.metrics.names import is_metric, read_name, split_in
from environment.metrics.value import Field, Unit

_INVERTED = re.compile(
    r"\s*(?P<number>[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?P<unit>\s?%|s)?\s+=\s+"
    r"(?P<name>[A-Za-z][A-Za-z ]{2,40}?)\s*(?:\((?P<sign>-?)(?P<metric>\w+)\))?\s*$"
)
"""A line of AutoGluon's; a metric of which less is better has its sign turned."""
_WITH_SPREAD = re.compile(
    r"\s*(?P<number>\d*\.\d+|\d+(?=\s?%))(?P<unit>\s?%)?\s+(?P<name>[A-Za-z][\w -]{1,30}?)\s+with\s+(?:an?\s+)?"
    r"(?:standard deviation|std)\s+(?:of\s+)?(?P<spread>\d*\.?\d+)\s?%?\s*\.?\s*$",
    re.IGNORECASE,
)
"""How scikit-learn's documentation prints the scores of a cross-validation."""
_UNITS: dict[str, Unit] = {"%": "percent", "s": "seconds"}
_LEADING = re.compile(
    r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)\s?%\s+(?P<name>(?:(?:top-?\d|test|val(?:idation)?|train(?:ing)?)\s+)?"
    r"(?:accuracy|acc|precision|recall|f1(?:[ -]score)?|auc|error(?: rate)?))\b(?P<after>.{0,40})",
    re.IGNORECASE,
)
"""A share with its name behind it: "88.1% accuracy on the test set"."""
_WANTED = re.compile(
    r"\b(?:targets?|goals?|threshold|needs?|aim\w*|should|expect\w*|chance|random\w*|until)\b", re.IGNORECASE
)
"""On a line that tells what is to be reached."""
_SHARE = re.compile(
    r"(?:\b(?P<before>correct(?:ly \w+)?|acc(?:uracy)?)\s?[:=]\s?)?"
    r"(?<![\d/.])(?P<part>\d{1,9})\s?(?:/|of(?= \d+ \w{0,20} ?correct))\s?(?P<whole>\d{1,9})(?![\d/.]|\s?\()"
    r"(?P<after>\s(?:\w+ )?correct\b)?",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"(?<![\w.])(?P<number>\d+\.\d+)\s?(?:(?P<short>bp[bc])"
    r"|bits?(?: per |\s?/\s?)(?P<bits>char(?:acter)?|byte|token|word|pixel|dim)s?"
    r"|(?P<unit>ms|µs|us|s|secs?|seconds?)(?: per |/)(?P<each>(?!it\b|iter\b)[a-z]{3,20}))\b(?!\s{0,3}[:=]?\s{0,3}\d)"
)
"""A value whose unit tells what it is: "2.671 bits/char", "60.5 ms/step"."""
_PER_SECOND = {"m": 1_000, "µ": 1_000_000, "u": 1_000_000}
_SEGMENT = re.compile(r"[|,;()]")


def rate_fields(line: str) -> Iterator[Field]:
    """The values of a line that are named by their unit alone."""
    end = 0
    for found in _RATE.finditer(line) if "/" in line or "per " in line or "bp" in line else ():
        split = split_in(_SEGMENT.split(line[end : found.start()])[-1])
        end, at = found.end(), found.span("number")
        if found["unit"]:
            divisor = _PER_SECOND.get(found["unit"][0], 1)
            value = float(found["number"]) / divisor
            yield Field(f"{found['each']} time", value, "seconds", split, found.start(), at, divisor)
        else:
            of = "character" if (found["bits"] or "").startswith("char") else found["bits"]
            name = found["short"] or f"bits per {of}"
            yield Field(name, float(found["number"]), "none", split, found.start(), at)


def inverted_fields(line: str) -> Iterator[Field]:
    """The value of a line that is only a number, an equals sign and a name, or the mean and scatter of folds."""
    spread = _WITH_SPREAD.match(line)
    if spread is not None and is_metric(spread["name"]):
        unit, split = _UNITS.get((spread["unit"] or "").strip(), "none"), split_in(spread["name"])
        for kind, group in (("", "number"), (" std", "spread")):
            name = f"{read_name(spread['name']).text}{kind}"
            yield Field(name, float(spread[group]), unit, split, spread.start(group), spread.span(group))
        return
    found = _INVERTED.match(line)
    if found is None or not is_metric(found["metric"] or found["name"]):
        return
    divisor = -1 if found["sign"] else 1
    value = float(found["number"]) / divisor
    unit = _UNITS.get((found["unit"] or "").strip(), "none")
    name = found["metric"] or read_name(" ".join(found["name"].split())).text
    yield Field(name, value, unit, split_in(found["name"]), found.start("number"), found.span("number"), divisor)


def leading_fields(line: str) -> Iterator[Field]:
    """Shares with their names behind them, on a line without other values."""
    if "%" not in line or _WANTED.search(line):
        return
    for found in _LEADING.finditer(line):
        name = read_name(found["name"])
        split = name.split or split_in(line[: found.start()]) or split_in(found["after"])
        yield Field(name.text, float(found["number"]), "percent", split, found.start("number"), found.span("number"))


def share_fields(line: str) -> Iterator[Field]:
    """How many of all were right, in percent."""
    if "/" not in line and " of " not in line:
        return
    for found in _SHARE.finditer(line):
        whole = int(found["whole"])
        if (found["before"] or found["after"]) and int(found["part"]) <= whole:
            share = 100 * int(found["part"]) / whole if whole else 0.0
            yield Field("accuracy", share, "percent", split_in(line[: found.start("part")]), found.start("part"))
