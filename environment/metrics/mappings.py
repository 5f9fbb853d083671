"""Finds the metrics of a line that is a JSON object or a Python dictionary: ``{'eval_loss': 0.3, 'epoch': 1.0}``."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping

from environment.metrics.names import is_metric, is_setting, read_name
from environment.metrics.value import CUT, SETTINGS_HEADING_WORDS, Field, Unit, number_of

_SETTINGS_HEADING = re.compile(SETTINGS_HEADING_WORDS, re.IGNORECASE)
_NOT_ALIKE = re.compile(r"[\"\\]|true|false|null|NaN|Infinity")
"""What JSON and Python do not read alike once single quotes are double ones."""
_QUOTED = re.compile(
    r"([-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|[-+]?(?:nan|inf(?:inity)?))\s?(%)?",
    re.IGNORECASE,
)
_NAMES_APART = ("metric", "metric_name", "key", "name", "tag")
_MESSAGES = frozenset(["message", "msg", "event", "text"])
_LONGEST_NUMBER = 40
_LONGEST_LIST = 1_000
_MAX_MAPPING = 64_000


def read_mapping(line: str) -> list[tuple[str, object]] | None:
    """The flat items of a line that is a JSON object or a Python dictionary; ``None`` where it is neither."""
    bare = line.strip()
    if not (bare.startswith("{") and bare.endswith("}")) or len(bare) > _MAX_MAPPING or CUT in bare:
        return None
    try:
        found: object = json.loads(_with_json_quotes(bare))
    except (ValueError, RecursionError):
        try:
            found = ast.literal_eval(bare)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None
    return list(_flat(found, "")) if isinstance(found, dict) else None


def _with_json_quotes(text: str) -> str:
    """A Python dictionary that JSON reads alike, as JSON, which is much the faster to read; else the text itself."""
    if "'" not in text or _NOT_ALIKE.search(text):
        return text
    return text.replace("'", '"')


def _flat(mapping: Mapping[object, object], prefix: str, depth: int = 0) -> Iterator[tuple[str, object]]:
    for key, value in mapping.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and depth < 8:
            if not _SETTINGS_HEADING.search(str(key)):
                yield from _flat(value, f"{name}/", depth + 1)
        else:
            yield name, value


def mapping_fields(items: list[tuple[str, object]]) -> Iterator[Field]:
    """Metrics of a dictionary, and of a list in it each value, as a history has them.

    Beside a learning rate or gradient norm a bare loss is the training loss.
    """
    items = _named_apart(items)
    training = any("learning_rate" in key or "grad_norm" in key for key, _ in items)
    for key, written in items:
        if is_setting(key):
            continue
        name = read_name(key.replace("metrics/", ""))
        split = name.split or ("train" if training and name.text == "loss" else None)
        listed = written if isinstance(written, list) and name.known and len(written) <= _LONGEST_LIST else [written]
        for value, unit in map(read_number, listed):
            if value is not None and (name.known or isinstance(value, float)):
                yield Field(name.text or "score", float(value), unit, split, 0)


def _named_apart(items: list[tuple[str, object]]) -> list[tuple[str, object]]:
    """The items of a record that holds a metric's name and its value apart, as one: ``{"key": …, "value": …}``."""
    held = {key.lower(): written for key, written in items}
    name = next((held[key] for key in _NAMES_APART if isinstance(held.get(key), str)), None)
    if "value" not in held or not isinstance(name, str) or not is_metric(name):
        return items
    return [(name if key.lower() == "value" else key, written) for key, written in items]


def messages_of(items: list[tuple[str, object]]) -> Iterator[str]:
    """The texts that a line of a structured log carries."""
    for key, written in items:
        if key in _MESSAGES and isinstance(written, str):
            yield written.replace("\n", " ")


def read_number(written: object) -> tuple[int | float | None, Unit]:
    """A value and its unit; current libraries write numbers as text (``'loss': '0.6931'``)."""
    if isinstance(written, int | float) and not isinstance(written, bool):
        return written, "none"
    quoted = _QUOTED.fullmatch(written.strip()) if isinstance(written, str) and len(written) < _LONGEST_NUMBER else None
    if quoted is None:
        return None, "none"
    digits = quoted[1]
    unit: Unit = "percent" if quoted[2] else "none"
    return int(digits) if digits.lstrip("+-").isdecimal() else number_of(digits), unit
