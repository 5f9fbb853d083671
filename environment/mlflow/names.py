"""Names and values as MLflow takes them, and as people read them there."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from pydantic import BaseModel, JsonValue

from environment.mlflow.changes import set_by
from environment.records import MetricPoint, RunConfig, TrainingRun, contestant_name, run_name, task_name
from environment.records.config import IMPORTED
from foundation.storable import clamped
from tasks_catalog.catalog import find_task
from tasks_catalog.library.spec import Direction

PREFIX = "mlab"
"""Of the names of experiments."""
RUN_TAG = "mlab.run_id"
"""On a benchmark run: our id of it."""
FLOW_RUN_TAG = "mlab.flow_run"
"""On a benchmark run: the id of the Prefect flow run that began it."""
FLOW_PAGE_TAG = "mlab.flow_run_page"
"""On a benchmark run: the address of that flow run's page."""
NOTE_TAG = "mlflow.note.content"
"""The description of a run, in Markdown."""
TRAINING_TAG = "mlab.training_run"
"""On a training run: the benchmark run's id and the step."""
COMPLETE_TAG = "mlab.complete"
"""On a benchmark run, set last: all that belongs to it is there."""

NAME_TAG = "mlab.name."
"""On a training run, before the key of a curve: its name as the script wrote it."""

_MAX_NAME = 250
_MAX_KEY = 230
"""Of a name that others are put before, as ``training/`` and tags do."""
_MAX_TAG = 5_000
_MAX_PARAM = 6_000
_MAX_FOLDER = 100
_MAX_PART = 255
_NOT_PRINTABLE = re.compile(r"[\x00-\x1f\x7f]")
_NOT_IN_FOLDER = re.compile(r"[^A-Za-z0-9_.-]")
_NOT_ALLOWED = re.compile(r"[^\w/.\- :]")
_LIKE_SPELLED = re.compile(r":(?=[a-z0-9]+:)")
_SPELLED = {
    "<": "lt", ">": "gt", "=": "eq", "@": "at", "%": "pct", "(": "open", ")": "close", "[": "from", "]": "to",
    "+": "plus", "*": "star", "#": "no", "&": "and", "|": "or", ",": "comma", "^": "pow", "~": "about", "'": "prime",
}  # fmt: skip
"""Characters MLflow does not allow, as words between colons."""
_DIGEST = 8
_HELD = "nested in each are the training runs of the scripts that it executed."
"""By which a description of an experiment is known as written here, by any version."""


def model_name(config: RunConfig) -> str:
    """The agent with its model, in the characters MLflow allows in the name of a model."""
    return re.sub(r"[^\w \-·]", "-", contestant_name(config))[:_MAX_NAME]


def experiment_tags(config: RunConfig) -> dict[str, str]:
    """The description of a task's experiment; MLflow offers what goes with the training of models, not with chats."""
    return {NOTE_TAG: f"{_asked(config)} Runs of agents; {_HELD}", "mlflow.experimentKind": "custom_model_development"}


def is_former_note(note: str, now: str) -> bool:
    """Whether an earlier version wrote the description of an experiment; one that a person wrote is kept."""
    return note != now and note.endswith(_HELD)


def _asked(config: RunConfig) -> str:
    """What is measured and asked for, first: MLflow's list shows four words of a description beside the task's name."""
    if config.data == IMPORTED:
        return f"Other harnesses' logs of {task_name(config)}."
    task = find_task(config.task)
    if task is None:
        return f"Runs on {task_name(config)}, a task that is not there any more."
    metric = task.spec.metric
    better = "lower" if metric.direction is Direction.MINIMIZE else "higher"
    return f"{metric.name}, {better} is better: {task.spec.summary}"


def experiment_name(config: RunConfig) -> str:
    """``mlab/house-price (mini)``: scores on different data never lie in one list."""
    return f"{PREFIX}/{task_name(config)} ({config.data})"[:_MAX_NAME]


def benchmark_name(config: RunConfig) -> str:
    """``tuner · trials 4 · seed 0 · house-price``, since lists cut names: what differs within an experiment first."""
    task = task_name(config)
    return f"{run_name(config).removeprefix(f'{task} · ')} · {task}"[:_MAX_NAME]


def training_name(run: TrainingRun) -> str:
    """``step 07 · MAX_DEPTH 9 · train.py``, since lists cut names: what differs from the starter first."""
    parts = [f"step {run.step:02d}", set_by(run), PurePosixPath(run.script).name]
    return _NOT_PRINTABLE.sub(" ", " · ".join(filter(None, parts)))[:_MAX_NAME]


def key_of(point: MetricPoint) -> str:
    """The curve a value belongs to: ``validation/loss``, ``cora/test/accuracy``; a file's under the file's name."""
    if point.source == "file":
        return metric_key(f"{point.file}/{point.key}")
    return metric_key("/".join(word for word in (point.part, point.split, point.name) if word))


def titles_of(points: Iterable[MetricPoint]) -> dict[str, str]:
    """As tags, what curves are called where MLflow does not allow the name itself."""
    titles = {
        key_of(point): f"{point.file}: {point.key}" if point.source == "file" else point.title for point in points
    }
    return {f"{NAME_TAG}{key}": title[:_MAX_TAG] for key, title in titles.items() if ":" in key}


def metric_key(name: str) -> str:
    """A name in the characters MLflow allows; different names stay different.

    ``accuracy (age<40)`` is ``accuracy :open:age:lt:40:close:``. What else is changed (empty parts, spaces at the
    ends, characters beyond the longest name) is made up for by a digest of the name.
    """
    text = _NOT_ALLOWED.sub(_spelled, _LIKE_SPELLED.sub(":colon:", name))
    parts = [part.strip() for part in text.split("/")]
    plain = "/".join(part for part in parts if part and set(part) != {"."})
    if plain and plain == text and len(plain) <= _MAX_KEY:
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
    return f"{plain[: _MAX_KEY - _DIGEST - 2] or 'value'} :{digest}"


def _spelled(match: re.Match[str]) -> str:
    return f":{_SPELLED.get(match.group(), f'u{ord(match.group()):x}')}:"


def folder_name(name: str) -> str:
    """A folder for the artifacts of a task: what every file system and URL takes."""
    return _NOT_IN_FOLDER.sub("_", name)[:_MAX_FOLDER].strip(".") or "task"


def file_path(name: str) -> str:
    """The path of an artifact, each part of it a name that every file system takes."""
    parts = (_NOT_PRINTABLE.sub("_", part) for part in name.split("/"))
    return "/".join(_short(part) for part in parts if part.strip(".")) or "artifact"


def _short(part: str) -> str:
    """The beginning and the end of a name, 255 bytes at most in UTF-8."""
    return part if len(part.encode()) <= _MAX_PART else f"{part[:30]}~{part[-30:]}"


def params_of(values: Mapping[str, str]) -> dict[str, str]:
    """Parameters under names that MLflow allows, long values cut."""
    return {metric_key(name): value[:_MAX_PARAM] for name, value in values.items()}


def tags_of(values: Mapping[str, object]) -> dict[str, str]:
    """Tags as text; what is ``None`` is left out."""
    return {name: str(value)[:_MAX_TAG] for name, value in values.items() if value is not None}


def flat(record: BaseModel) -> dict[str, str]:
    """A record as parameters: nested fields joined with dots, unset ones left out."""
    return dict(_flat(record.model_dump(mode="json"), ""))


def _flat(value: JsonValue, name: str) -> Iterable[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    elif value not in (None, [], ""):
        yield name, str(value)


def curve_steps(points: Sequence[MetricPoint]) -> list[int]:
    """The step each point is drawn at: its epoch, where every point of the metric has one of its own.

    Points that only count (several a batch, or in an epoch) keep their training step.
    """
    epochs: defaultdict[str, list[float | None]] = defaultdict(list)
    for point in points:
        epochs[key_of(point)].append(point.epoch)
    by_epoch = {
        key
        for key, values in epochs.items()
        if len(set(values)) == len(values) and all(value is not None and value.is_integer() for value in values)
    }
    return [
        clamped(int(point.epoch)) if point.epoch is not None and key_of(point) in by_epoch else point.step
        for point in points
    ]
