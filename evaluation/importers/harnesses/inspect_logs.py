"""Inspect logs, as JSON or as ``.eval`` (a zip of a header and one JSON file a sample): one run a sample."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from environment.records import EndedBy
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, completed, span
from evaluation.importers.errors import LogError
from evaluation.importers.harnesses.archives import unpack
from evaluation.importers.harnesses.inspect_samples import score_of, steps_of
from evaluation.importers.importer import Importer
from evaluation.importers.parsing import figure, mapping, objects, parse_json, text
from evaluation.record.log import LogStep, RunLog

_ATTACHMENT = "attachment://"
_MAX_MEMBER = 1_000_000_000
_HEAVY = ("attachments", "events_data", "store", "timelines")
"""Parts of a sample that hold nothing of the run which does not stand elsewhere in it."""
_UNTOLD = "an error that the log does not tell"
_LIMITS = {
    "message": EndedBy.STEPS,
    "turn": EndedBy.STEPS,
    "token": EndedBy.TOKENS,
    "context": EndedBy.TOKENS,
    "time": EndedBy.TIME,
    "working": EndedBy.TIME,
    "cost": EndedBy.MONEY,
}


def _is_inspect(data: object) -> bool:
    """Whether parsed JSON is a log of Inspect."""
    found = mapping(data)
    return isinstance(found.get("eval"), dict) and "status" in found


def _read_json(path: Path, data: dict[str, Any], source: str) -> Iterator[RunLog]:
    """The samples of a log in JSON."""
    samples = objects(data.get("samples") or [], path, "samples")
    if not samples:
        yield from _without_samples(path, data, source)
    yield from _readable(
        path,
        (
            partial(
                _sample,
                path,
                sample,
                data,
                _name(source, sample, len(samples)),
                f"samples[{number}]",
                alone=len(samples) == 1,
            )
            for number, sample in enumerate(samples)
        ),
    )


def _read_eval(path: Path, source: str) -> Iterator[RunLog]:
    """The samples of a ``.eval`` file, read one at a time."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if info.filename.startswith("samples/")]
            members = [info for info in members if info.filename.endswith(".json")]
            header = mapping(_header(archive, path))

            def read(info: zipfile.ZipInfo) -> RunLog:
                sample = mapping(parse_json(_member(archive, info, path), path, info.filename))
                name = _name(source, sample, len(members))
                return _sample(path, sample, header, name, info.filename, alone=len(members) == 1)

            if not members:
                yield from _without_samples(path, header, source)
            yield from _readable(path, (partial(read, info) for info in members))
    except (zipfile.BadZipFile, OSError) as error:
        raise LogError(path, f"is no readable zip file: {error}") from error


def _readable(path: Path, samples: Iterable[Callable[[], RunLog]]) -> Iterator[RunLog]:
    """Every sample that can be read; what cannot is told at the end, and does not hide the others."""
    broken: list[LogError] = []
    for read in samples:
        try:
            yield read()
        except LogError as error:
            broken.append(error)
    if len(broken) == 1:
        raise broken[0]
    if broken:
        raise LogError(path, f"{len(broken)} of its samples cannot be read; the first: {broken[0].message}")


def _header(archive: zipfile.ZipFile, path: Path) -> Any:
    names = archive.namelist()
    for name in ("header.json", "_journal/start.json"):
        if name in names:
            return parse_json(_member(archive, archive.getinfo(name), path), path, name)
    raise LogError(path, "has neither header.json nor _journal/start.json", hint="Is it a log of Inspect?")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    if info.file_size > _MAX_MEMBER:
        raise LogError(path, f"is {info.file_size} bytes unpacked, too large to read", place=info.filename)
    try:
        return unpack(archive, info)
    except (NotImplementedError, zipfile.BadZipFile, RuntimeError) as error:
        hint = "Convert it with `inspect log convert --to json`."
        raise LogError(path, f"cannot be unpacked: {error}", place=info.filename, hint=hint) from error


def _name(source: str, sample: dict[str, Any], count: int) -> str:
    return source if count == 1 else f"{source}#{sample.get('id', '')}:{sample.get('epoch', 1)}"


def _sample(
    path: Path, packed: dict[str, Any], header: dict[str, Any], source: str, place: str, *, alone: bool
) -> RunLog:
    """One sample as a run.

    Args:
        path: The log.
        packed: The sample, whose long texts stand among its attachments.
        header: What the log says of all samples.
        source: What the run is called.
        place: Where in the log it stands.
        alone: It is the log's only sample, so that what befell the log befell it.
    """
    sample = _resolved(packed, mapping(packed.get("attachments")))
    messages = objects(sample.get("messages") or [], path, f"{place}.messages")
    about, usage = mapping(header.get("eval")), mapping(sample.get("model_usage"))
    prompt = [text(m.get("content")) for m in messages if m.get("role") in ("system", "user")]
    asked = sample.get("input")
    steps = steps_of(messages, sample.get("events"))
    return RunLog(
        source=source,
        steps=steps,
        task=text(about.get("task")),
        task_text="\n\n".join(filter(None, dict.fromkeys([asked if isinstance(asked, str) else "", *prompt[:2]]))),
        model=text(about.get("model")) or None,
        agent="inspect",
        **score_of(mapping(sample.get("scores")), mapping(mapping(header.get("results")).get("headline"))),
        tokens=int(tokens) if (tokens := _summed(usage, "total_tokens")) is not None else None,
        cost=_summed(usage, "total_cost"),
        **span(sample.get("started_at"), sample.get("completed_at"), figure(sample.get("total_time"))),
        **_ending(sample, header, steps, alone=alone),
    )


def _without_samples(path: Path, header: dict[str, Any], source: str) -> Iterator[RunLog]:
    """A log that ended before any sample did is a run without steps."""
    about = mapping(header.get("eval"))
    if header.get("status") in ("error", "cancelled"):
        task, model = text(about.get("task")), text(about.get("model")) or None
        ending = _ending({}, header, (), alone=True)
        yield RunLog(source=source, steps=(), task=task or path.stem, model=model, agent="inspect", **ending)


def _ending(sample: dict[str, Any], header: dict[str, Any], steps: tuple[LogStep, ...], *, alone: bool) -> Ending:
    """How a sample ended; one that was scored is not touched by what befell the others."""
    own = mapping(sample.get("error"))
    if own:
        return broken_off(text(own.get("message")) or _UNTOLD)
    status, limit = header.get("status"), mapping(sample.get("limit")).get("type")
    if alone or not sample.get("scores"):
        if status == "error":
            return broken_off(
                text(mapping(header.get("error")).get("message")) or "an error that the log does not tell"
            )
        if status == "cancelled" or (status == "started" and not sample.get("scores")):
            return INTERRUPTED
    if limit == "operator":
        return INTERRUPTED
    return completed(_LIMITS.get(str(limit))) if limit else by_last_step(steps, is_over=True)


def _summed(usage: dict[str, Any], name: str) -> float | None:
    """What all models used, where each is counted."""
    counts = [figure(mapping(of_model).get(name)) for of_model in usage.values()]
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def _resolved(value: Any, attachments: dict[str, Any]) -> Any:
    """Long texts are kept once for a sample and referred to."""
    if isinstance(value, str) and value.startswith(_ATTACHMENT):
        return text(attachments.get(value.removeprefix(_ATTACHMENT).strip()))
    if isinstance(value, dict):
        return {name: _resolved(part, attachments) for name, part in value.items() if name not in _HEAVY}
    return [_resolved(part, attachments) for part in value] if isinstance(value, list) else value


INSPECT_JSON = Importer(
    recognises=lambda found: _is_inspect(found.json),
    read=lambda found: _read_json(found.path, found.json, found.source),
)
"""Logs as JSON."""

INSPECT_EVAL = Importer(
    recognises=lambda found: found.path.suffix == ".eval",
    read=lambda found: _read_eval(found.path, found.source),
    suffixes=(".eval",),
)
"""Logs as ``.eval``."""
