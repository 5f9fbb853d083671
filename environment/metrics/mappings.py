"""Finds the metrics of a line that is a JSON object or a Python dictionary: ``{'eval_loss': 0.3, 'epoch': 1.0}``."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping

from environment.metrics.names import is_setting, read_name
from environment.metrics.value import CUT, SETTINGS_HEADING_WORDS, Field

_SETTINGS_HEADING = re.compile(SETTINGS_HEADING_WORDS, re.IGNORECASE)
_NOT_ALIKE = re.compile(r"[\"\\]|true|false|null|NaN|Infinity")
"""What JSON and Python do not read alike once single quotes are double ones."""
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
    """Metrics of a dictionary; beside a learning rate or gradient norm a bare loss is the training loss."""
    training = any("learning_rate" in key or "grad_norm" in key for key, _ in items)
    for key, value in items:
        if isinstance(value, bool) or not isinstance(value, int | float) or is_setting(key):
            continue
        name = read_name(key.replace("metrics/", ""))
        if name.known or isinstance(value, float):
            split = name.split or ("train" if training and name.text == "loss" else None)
            yield Field(name.text or "score", float(value), "none", split, 0)
