"""Which files hold results, and what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import PurePosixPath

from environment.metrics.files.documents import json_lines, json_points, yaml_points
from environment.metrics.files.events import event_points
from environment.metrics.files.mlflow_files import logged_points, metric_of_store
from environment.metrics.files.tables import table_points
from environment.metrics.names import is_split, split_in
from environment.metrics.outputs import parse_metrics
from environment.records import MetricPoint
from foundation.text import text_of

LARGEST = 8_000_000
"""Bytes of a file that are read; a larger one is no file of results."""
MOST_POINTS = 5_000
"""Of one file."""
_RESULTS = re.compile(
    r"(?:^|[^a-z])(?:results?|metrics?|scores?|eval(?:uation)?|final_info|history|summary|report|logs?|training"
    r"|stats|performance|progress|trainer_state|leaderboard)(?![a-z])",
    re.IGNORECASE,
)
_PREDICTIONS = re.compile(r"predict|submission", re.IGNORECASE)
_EVENTS = "events.out.tfevents."


def _written_points(content: bytes) -> Iterator[MetricPoint]:
    """The values of a text: a table with a header (Keras), else what a script could as well have printed."""
    table = list(islice(table_points(content), MOST_POINTS))
    for point in table or parse_metrics(text_of(content).removeprefix("\ufeff")):
        yield point if table else point.model_copy(update={"key": point.title})


_READERS: dict[str, Callable[[bytes], Iterator[MetricPoint]]] = {
    ".json": json_points,
    ".jsonl": json_lines,
    ".ndjson": json_lines,
    ".yaml": yaml_points,
    ".yml": yaml_points,
    ".csv": table_points,
    ".tsv": table_points,
    ".log": _written_points,
    ".txt": _written_points,
    ".md": _written_points,
}


def holds_results(name: str) -> bool:
    """Whether a file may hold results, by its name."""
    path = PurePosixPath(name)
    if path.name.startswith(_EVENTS) or metric_of_store(name):
        return True
    if path.suffix.lower() not in _READERS or _PREDICTIONS.search(path.stem):
        return False
    return _RESULTS.search(path.stem) is not None


def read_results(name: str, content: bytes) -> list[MetricPoint]:
    """Every measured value of a file, each with the file and where in it it stands; none of one that cannot be read.

    Args:
        name: The file, as the workspace names it.
        content: All of it.
    """
    path = PurePosixPath(name)
    read = _reader_of(path)
    points = list(islice(read(content), MOST_POINTS))
    if read is event_points and is_split(path.parent.name):  # as Keras and TensorFlow's estimators keep them apart
        of_folder = {"split": split_in(path.parent.name)}
        points = [point if point.split else point.model_copy(update=of_folder) for point in points]
    validated = {(point.name, point.part) for point in points if point.split == "validation"}
    return [_in_file(point, name, (point.name, point.part) in validated) for point in points]


def _reader_of(path: PurePosixPath) -> Callable[[bytes], Iterator[MetricPoint]]:
    if path.name.startswith(_EVENTS):
        return event_points
    metric = metric_of_store(str(path))
    return partial(logged_points, metric) if metric else _READERS[path.suffix.lower()]


def _in_file(point: MetricPoint, name: str, is_validated: bool) -> MetricPoint:
    """The point with its file; beside ``val_loss`` a bare ``loss`` is the training loss."""
    split = "train" if is_validated and point.split is None else point.split
    place = {"source": "file", "file": name, "split": split, "text": f"{name}: {point.text}"}
    return point.model_copy(update=place)
