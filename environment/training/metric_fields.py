"""Finds the named values of one line of output: ``loss: 0.3``, ``acc=81 %``, ``accuracy on test set is 0.83``."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from environment.training.metric_names import (
    Name,
    Split,
    is_aggregate,
    is_counter,
    is_metric,
    is_setting,
    read_name,
    split_in,
    without_aggregates,
)

Unit = Literal["none", "percent", "seconds"]

_NUMBER = r"[-+]?(?:(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|nan\b|inf(?:inity)?\b)"
_FIELD = re.compile(
    rf"""(?P<sep>[:=]{{1,2}}>?|\b(?:is|of|was|to|reached|reaches|took)\b|[ \t])[ \t]{{0,20}}
    (?:(?:tensor|array|np\.float\d+|np\.int\d+)\()?["'$]?
    (?:\d+/\d+[ ]?\([ ]?(?P<share>{_NUMBER})[ ]?%[ ]?\)
      |(?P<value>{_NUMBER})(?P<unit>[ ]?%|[ ]?(?:s|secs?|seconds?|ms|milliseconds?)\b)?x?
       (?![\w%|]|[.:/\-]\d|-[A-Za-z]|[ ]?(?:[KMGT]i?B|bytes|it/s|s/it)\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_DELIMITER = re.compile(r"[,;|│┃{}\[\]\t<>]|(?<!\w)[\"']|[\"'](?!\w)|[:=]|\s{2,}|\s[-–—]+\s|\.\s")
_SETTINGS_GROUP = re.compile(
    r"\b(?:hyper-?)?(?:params?|parameters?|config(?:uration)?|args|arguments|settings)\b[^{\n]{0,30}\{[^}]{0,4000}",
    re.IGNORECASE,
)
_CONSTRUCTOR = re.compile(r"\b([A-Z][A-Za-z]+)\((?=[^()]{0,400}\w=)[^()]{0,4000}")
_SETTINGS_HEADING = re.compile(
    r"\b(?:hyper-?)?(?:params|parameters|config(?:uration)?|arguments|settings)\b", re.IGNORECASE
)
_UNIT_NOTE = re.compile(r"\s*[(\[](%|s|secs?|seconds?|ms)[)\]]?\s*$", re.IGNORECASE)
_COUNTED = re.compile(r"\w+\s*#?\d+$")
_ON_SPLIT = re.compile(r"[ ](?:on|for|in)[ ](?:the[ ])?\w+(?:[ ]\w+)?")
_LIST = re.compile(r"[:=]\s{0,8}(?:array\()?[\[(]([-+.e\d\s,]{3,4000})[\])]", re.IGNORECASE)
_ENDS_A_NAME = re.compile(r"[^\W\d]|\)$")
_CUT = "[…]"
"""Stands in a log where text was left out; the name after it may be the rest of another."""
_LOOK_BACK = 100
_SETTINGS_REACH = 400
"""Characters after "params:" in which unknown names are taken for settings."""
_MAX_MAPPING = 64_000


class Field(NamedTuple):
    """A named value and where in its line it stands."""

    name: str
    value: float
    unit: Unit
    split: Split | None
    start: int


def line_fields(line: str, heading: str = "") -> Iterator[Field]:
    """The metrics of one line, left to right.

    Args:
        line: One line, free of control codes.
        heading: The metric that a heading above the line named, for values that have only a split
            ("train: 0.9").
    """
    mapping = _mapping(line)
    if mapping is None:
        bare = _without_settings(line)
        yield from _with_twins([*_text_fields(bare, heading), *_list_fields(bare)])
    elif any(is_metric(key) or is_counter(key) for key, _ in mapping):
        yield from _with_twins(list(_mapping_fields(mapping)))


def _with_twins(fields: list[Field]) -> list[Field]:
    """Beside ``val_loss`` a bare ``loss`` is the training loss (Keras)."""
    twins = {field.name for field in fields if field.split == "validation"}
    return [field._replace(split="train") if field.split is None and field.name in twins else field for field in fields]


class _Candidate(NamedTuple):
    """A value with the words before it, which may be a metric's name."""

    separator: str
    phrase: str
    number: str
    value: float
    unit: Unit
    before: str

    @classmethod
    def of(cls, match: re.Match[str], line: str, previous_end: int) -> _Candidate:
        start = match.start()
        phrase = _phrase(line[max(previous_end, start - _LOOK_BACK) : start], match["sep"])
        number = match["share"] or match["value"]
        value, unit = _value(number, "%" if match["share"] else (match["unit"] or _noted_unit(phrase)))
        return cls(match["sep"].lower(), phrase, number, value, unit, line[max(0, start - _SETTINGS_REACH) : start])

    def is_exact(self) -> bool:
        """Whether the number is written as a measurement: with a point, an exponent or a unit."""
        return bool({".", "e", "E"} & set(self.number)) or self.unit != "none" or not math.isfinite(self.value)

    def name(self, heading: str) -> Name | None:
        """The metric's name, or ``None`` where the value is none of a metric."""
        if not self.phrase:
            return None
        name = _read_name(self.phrase)
        if not self._accepts(name):
            return None
        if self.separator == "took":
            return name._replace(text=f"{name.text} time".strip())
        if name.text and not is_aggregate(name.text) and not _is_numbered_counter(name.text):
            return name
        subject = _metric_before(self.before[-_LOOK_BACK:]) or heading
        whole = f"{subject} {name.text}" if is_aggregate(name.text) else subject
        return name._replace(text=whole.strip() or "score")

    def _accepts(self, name: Name) -> bool:
        stands_alone = (name.split and not name.text) or is_aggregate(self.phrase) or _is_numbered_counter(self.phrase)
        if is_setting(self.phrase) and not stands_alone and not (name.known and not is_setting(name.text)):
            return False
        if self.separator == "took":
            return self.unit == "seconds"
        if self.separator[0] not in ":=":
            return name.known and self.is_exact() and (self.separator.isalpha() or is_metric(self.phrase.split()[-1]))
        if name.known:
            return True
        is_named = any(c.isalpha() for c in self.phrase)
        return is_named and self.is_exact() and _SETTINGS_HEADING.search(self.before) is None


def _text_fields(line: str, heading: str) -> Iterator[Field]:
    end = 0
    line_split: Split | None = None
    for match in _FIELD.finditer(line):
        if match["sep"].isspace() and not _ENDS_A_NAME.search(line, max(end, match.start() - 2), match.start()):
            continue
        candidate = _Candidate.of(match, line, end)
        name = candidate.name(heading)
        if name is not None:
            line_split = split_in(line[max(end, match.start() - _LOOK_BACK) : match.start()]) or line_split
            end = match.end()
            split = name.split or line_split or _split_after(line[end : end + _LOOK_BACK])
            yield Field(name.text, candidate.value, candidate.unit, split, match.start())


def _list_fields(line: str) -> Iterator[Field]:
    """``CV scores: [0.81 0.79 0.83]``: one value a fold."""
    for match in _LIST.finditer(line):
        start = match.start()
        phrase = _phrase(line[max(0, start - _LOOK_BACK) : start], ":")
        name = read_name(phrase)
        if name.known and not is_setting(phrase):
            for number in re.findall(_NUMBER, match.group(1)):
                yield Field(
                    name.text,
                    float(number),
                    "none",
                    name.split or split_in(line[max(0, start - _LOOK_BACK) : start]),
                    start,
                )


def _phrase(before: str, separator: str) -> str:
    """The words that name a value; before "is", "of" or "to" they may reach over a colon."""
    cut = 0
    for match in _DELIMITER.finditer(before.rstrip(" \t\"'")):
        cut = match.end()
    if _CUT in before:
        return ""
    phrase = before[cut:].strip(" \t\"'")
    if separator.isalpha() and not is_metric(phrase):
        phrase = _DELIMITER.sub(" ", before).strip()
    return phrase


def _split_after(text: str) -> Split | None:
    """The split of "… on the test set" after a value."""
    match = _ON_SPLIT.match(text)
    return split_in(match.group()) if match else None


@lru_cache(maxsize=4_096)
def _is_numbered_counter(text: str) -> bool:
    return bool(_COUNTED.match(text)) and is_counter(text.rstrip("0123456789# "))


def _metric_before(text: str) -> str:
    """The last metric that the line names before a position, where its value does not follow."""
    part = _DELIMITER.split(text)
    named = [piece.strip() for piece in part if is_metric(piece)]
    return without_aggregates(read_name(named[-1]).text) if named else ""


@lru_cache(maxsize=4_096)
def _read_name(phrase: str) -> Name:
    return read_name(_UNIT_NOTE.sub("", phrase))


@lru_cache(maxsize=4_096)
def _noted_unit(phrase: str) -> str:
    note = _UNIT_NOTE.search(phrase)
    return note.group(1) if note else ""


def _value(number: str, unit: str) -> tuple[float, Unit]:
    value = float(number.replace(",", ""))
    kind = unit.strip().lower()
    if kind == "%":
        return value, "percent"
    if kind.startswith("m"):
        return value / 1000, "seconds"
    return value, "seconds" if kind else "none"


def _without_settings(line: str) -> str:
    """Blank out parameter dictionaries and constructor calls, keeping every position."""
    if "{" not in line and "(" not in line:
        return line

    def blank(match: re.Match[str]) -> str:
        if match.re is _CONSTRUCTOR and is_metric(match.group(1)):
            return match.group()
        return " " * len(match.group())

    return _CONSTRUCTOR.sub(blank, _SETTINGS_GROUP.sub(blank, line))


def _mapping(line: str) -> list[tuple[str, object]] | None:
    """The flat items of a line that is a JSON object or a Python dictionary; ``None`` where it is neither."""
    bare = line.strip()
    if not (bare.startswith("{") and bare.endswith("}")) or len(bare) > _MAX_MAPPING or _CUT in bare:
        return None
    try:
        found: object = json.loads(bare)
    except (ValueError, RecursionError):
        try:
            found = ast.literal_eval(bare)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None
    return list(_flat(found, "")) if isinstance(found, dict) else None


def _flat(mapping: Mapping[object, object], prefix: str, depth: int = 0) -> Iterator[tuple[str, object]]:
    for key, value in mapping.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and depth < 8:
            if not _SETTINGS_HEADING.search(str(key)):
                yield from _flat(value, f"{name}/", depth + 1)
        else:
            yield name, value


def _mapping_fields(items: list[tuple[str, object]]) -> Iterator[Field]:
    """Metrics of a dictionary; beside a learning rate or gradient norm a bare loss is the training loss."""
    training = any("learning_rate" in key or "grad_norm" in key for key, _ in items)
    for key, value in items:
        if isinstance(value, bool) or not isinstance(value, int | float) or is_setting(key):
            continue
        name = read_name(key.replace("metrics/", ""))
        if name.known or isinstance(value, float):
            split = name.split or ("train" if training and name.text == "loss" else None)
            yield Field(name.text or "score", float(value), "none", split, 0)
