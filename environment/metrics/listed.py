"""The values of single seeds or folds on the line of their mean: ``rmse 53.84 ± 3.53  seeds [54.10 53.87 53.54]``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean, median
from typing import NamedTuple

from environment.metrics.value import Field

_KINDS = "seed|fold|run|split|repeat|trial"
_KIND = rf"(?P<kind>{_KINDS})"
_DECIMAL = r"[-+]?\d*\.\d+(?:e[-+]?\d+)?"
_NUMBER = rf"{_DECIMAL}%?"
_END = r"(?![\w.]|(?<!%)%|[ ](?:s|ms|secs?|seconds?|min)\b|[ ]?[,;/]?[ ]?[-+]?\d)"
_LIST = re.compile(
    rf"\b{_KIND}s?[ ]?(?:values?|scores?)?[ ]?[:=]?[ ]?"
    rf"(?:[\[(](?P<boxed>\s?{_NUMBER}(?:[\s,;/]{{1,4}}{_NUMBER})+)\s?[\])]"
    rf"|(?P<bare>{_NUMBER}(?:(?:[,;/][ ]?|[ ]){_NUMBER})+){_END})",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"\b{_KIND}[ _#]?(?P<which>\d{{1,4}})[ ]?[:=]?[ ]?(?P<value>{_DECIMAL})(?![\w.])", re.IGNORECASE)
_EACH = re.compile(_DECIMAL, re.IGNORECASE)
_BEHIND = re.compile(
    r"%?[ \t(|,;:]*(?:(?:±|\+/-|\+-)[ ]?[\d.]+%?)?[ \t()|,;:]*(?:(?:per|by|over|across|of)[ ])?(?:the[ ])?"
)
"""All that may stand between a mean and its parts where the numbers do not tell whose parts they are."""
_LISTED = re.compile(rf"(?:\d+ of \d+ (?:{_KINDS})s|(?:{_KINDS}) \d+)$")
_LONGEST_LINE = 2_000


class _Part(NamedTuple):
    name: str
    value: float
    span: tuple[int, int]


class _Group(NamedTuple):
    """The parts of one mean, and where the line begins to tell them."""

    start: int
    parts: list[_Part]


def is_listed(part: str) -> bool:
    """Whether a value's part is what this module calls the values of one seed or fold."""
    return _LISTED.search(part) is not None


def may_list(line: str) -> bool:
    """Whether it depends on the numbers of a line which of its values are of single seeds or folds."""
    return next(_groups(line), None) is not None


def with_listed(fields: list[Field], line: str) -> list[Field]:
    """The fields, with the values of single seeds or folds in front of the mean that they are parts of.

    They come first, as where a script prints fold by fold and then the mean: the last value of a metric is the mean.
    """
    for group in _groups(line) if fields else ():
        spans = {part.span for part in group.parts}
        others = [field for field in fields if field.number not in spans]
        mean = _mean_of(group, others, line)
        if mean is not None:
            values = [mean._replace(value=v, start=at[0], number=None, part=name) for name, v, at in group.parts]
            at = others.index(mean)
            fields = [*others[:at], *values, *others[at:]]
    return fields


def _groups(line: str) -> Iterator[_Group]:
    """The values of each list, which does not tell how it counts, and of each kind that is counted one by one."""
    if len(line) > _LONGEST_LINE:
        return
    for found in _LIST.finditer(line):
        kind, group = found["kind"].lower(), "boxed" if found["boxed"] else "bare"
        numbers = list(_EACH.finditer(line, *found.span(group)))
        names = (f"{n} of {len(numbers)} {kind}s" for n in range(1, len(numbers) + 1))
        yield _Group(
            found.start(), [_Part(n, float(each.group()), each.span()) for n, each in zip(names, numbers, strict=True)]
        )
    counted: defaultdict[str, list[re.Match[str]]] = defaultdict(list)
    for found in _COUNTED.finditer(line):
        counted[found["kind"].lower()].append(found)
    for kind, each_found in counted.items():
        named = {f"{kind} {found['which']}": found for found in each_found}
        if len(named) == len(each_found) > 1:
            parts = [_Part(name, float(found["value"]), found.span("value")) for name, found in named.items()]
            yield _Group(each_found[0].start(), parts)


def _mean_of(group: _Group, fields: Sequence[Field], line: str) -> Field | None:
    """The field that is the mean or median of the parts, else the one right before them that lies among them."""
    values = [part.value for part in group.parts]
    measured = [
        field for field in fields if field.number is not None and field.unit != "seconds" and field.divisor == 1
    ]
    slack = _rounding(line, group.parts[0].span)
    for middle in (fmean(values), median(values)):
        for field in measured:
            if abs(field.value - middle) <= slack + _rounding(line, field.number or (0, 0)):
                return field
    before = [field for field in measured if not field.name.endswith(" std") and field.start < group.start]
    last = max(before, key=lambda field: field.start, default=None)
    if last is None or last.number is None or not min(values) <= last.value <= max(values):
        return None
    return last if _BEHIND.fullmatch(line, last.number[1], group.start) else None


def _rounding(line: str, span: tuple[int, int]) -> float:
    """How far a written number may lie from what was measured."""
    decimals = line[slice(*span)].lower().partition("e")[0].partition(".")[2]
    return 0.501 * 10.0 ** -len(decimals.strip())
