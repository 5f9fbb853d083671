"""Code of others that was written for pandas 2 runs on pandas 3: texts are objects, dropped methods are back."""

from __future__ import annotations

import warnings
from contextlib import suppress
from typing import Any


def allow_older_pandas() -> None:
    """Make this process's pandas do what pandas 2 did, as far as graders and preparations of others rely on it.

    Texts are read as objects, so that ``astype(str)`` turns a missing one into ``nan`` and any value may replace one;
    a column of digits too long for a number of 64 bits is one of texts; ``applymap`` is there; ``fillna(…,
    inplace=True)`` fills a column of missing numbers with texts.
    """
    import pandas as pd

    if int(pd.__version__.partition(".")[0]) < 3:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pd.set_option("future.infer_string", False)
    table: Any = pd.DataFrame
    if not hasattr(table, "applymap"):
        table.applymap = table.map
        table.fillna = _filling(table.fillna)
        reader: Any = pd
        reader.read_csv = _reading(pd.read_csv)


def _filling(fillna: Any) -> Any:
    def filled(frame: Any, *values: Any, inplace: bool = False, **options: Any) -> Any:
        made = fillna(frame, *values, **options)
        if not inplace:
            return made
        for name in frame.columns:
            frame[name] = made[name]
        return None

    return filled


def _reading(read_csv: Any) -> Any:
    """Read once more, as texts, what was taken for numbers of any length and has lost its leading zeros so."""

    def read(source: Any, *values: Any, **options: Any) -> Any:
        is_stream = hasattr(source, "read")
        start = _place(source) if is_stream else None
        table = read_csv(source, *values, **options)
        dtype = options.get("dtype") or {}
        if not hasattr(table, "columns") or not isinstance(dtype, dict):
            return table
        texts = {name: str for name, column in table.items() if column.dtype == object and any(map(_is_long, column))}
        if not texts or (is_stream and start is None):
            return table
        if is_stream:
            source.seek(start)
        return read_csv(source, *values, **{**options, "dtype": {**dtype, **texts}})

    return read


def _place(stream: Any) -> int | None:
    """Where to begin anew, unless it does not say: a socket does not, nor a file whose first line ``next`` has read."""
    with suppress(OSError, AttributeError):
        return int(stream.tell())
    return None


def _is_long(value: object) -> bool:
    return type(value) is int and value.bit_length() > 63
