"""Inspect logs, as JSON or as ``.eval`` (a zip of a header and one JSON file a sample): one run a sample."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from environment.records import Outcome
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Importer
from evaluation.importers.parsing import figure, mapping, objects, parse_json, text, tool_action
from evaluation.record.log import Exchange, LogStep, RunLog

_ATTACHMENT = "attachment://"
_MAX_MEMBER = 1_000_000_000


def _is_inspect(data: object) -> bool:
    """Whether parsed JSON is a log of Inspect."""
    found = mapping(data)
    return isinstance(found.get("eval"), dict) and "status" in found


def _read_json(path: Path, data: dict[str, Any], source: str) -> Iterator[RunLog]:
    """The samples of a log in JSON."""
    samples = objects(data.get("samples") or [], path, "samples")
    yield from _readable(
        path,
        (
            partial(_sample, path, sample, data, _name(source, sample, len(samples)), f"samples[{number}]")
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
                return _sample(path, sample, header, _name(source, sample, len(members)), info.filename)

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
        return archive.read(info)
    except (NotImplementedError, zipfile.BadZipFile, RuntimeError) as error:
        hint = "Convert it with `inspect log convert --to json`."
        raise LogError(path, f"cannot be unpacked: {error}", place=info.filename, hint=hint) from error


def _name(source: str, sample: dict[str, Any], count: int) -> str:
    return source if count == 1 else f"{source}#{sample.get('id', '')}:{sample.get('epoch', 1)}"


def _sample(path: Path, sample: dict[str, Any], header: dict[str, Any], source: str, place: str) -> RunLog:
    attachments = mapping(sample.get("attachments"))
    messages = objects(sample.get("messages") or [], path, f"{place}.messages")
    about = mapping(header.get("eval"))
    prompt = [text(m.get("content")) for m in messages if m.get("role") in ("system", "user")]
    return RunLog(
        source=source,
        steps=tuple(_steps(messages, attachments)),
        task=text(about.get("task")),
        task_text="\n\n".join([text(sample.get("input")) if isinstance(sample.get("input"), str) else "", *prompt[:2]]),
        model=text(about.get("model")) or None,
        agent="inspect",
        score=_score(sample),
        tokens=_tokens(mapping(sample.get("model_usage"))),
        seconds=figure(sample.get("total_time")),
    )


def _tokens(usage: dict[str, Any]) -> int | None:
    """Tokens of all models, where each is counted."""
    counts = [figure(mapping(of_model).get("total_tokens")) for of_model in usage.values()]
    known = [count for count in counts if count is not None]
    return int(sum(known)) if known and len(known) == len(counts) else None


def _steps(messages: list[dict[str, Any]], attachments: dict[str, Any]) -> Iterator[LogStep]:
    answers = {str(m.get("tool_call_id")): m for m in messages if m.get("role") == "tool"}
    for message in messages:
        if message.get("role") != "assistant":
            continue
        calls = message.get("tool_calls")
        exchanges = tuple(
            _exchange(call, answers.get(str(call.get("id")), {}), attachments)
            for call in (calls if isinstance(calls, list) else [])
            if isinstance(call, dict)
        )
        yield LogStep(prose=_prose(message, attachments), exchanges=exchanges)


def _prose(message: dict[str, Any], attachments: dict[str, Any]) -> dict[str, str]:
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    reasoning = "\n".join(text(part.get("reasoning")) for part in parts if part.get("type") == "reasoning")
    said = {"reasoning": _resolved(reasoning, attachments), "response": _resolved(text(content), attachments)}
    return {name: value for name, value in said.items() if value.strip()}


def _exchange(call: dict[str, Any], answer: dict[str, Any], attachments: dict[str, Any]) -> Exchange:
    error = mapping(answer.get("error"))
    seen = _resolved(text(answer.get("content")), attachments)
    message = text(error.get("message"))
    outcome = None
    if error:
        outcome = Outcome.KILLED if error.get("type") == "timeout" else Outcome.FAILED
        seen = f"{seen}\n{message}" if message and message not in seen else seen
    return Exchange(action=tool_action(call.get("function"), call.get("arguments")), observation=seen, outcome=outcome)


def _resolved(value: str, attachments: dict[str, Any]) -> str:
    """Long texts are kept once for a sample and referred to."""
    if value.startswith(_ATTACHMENT):
        return text(attachments.get(value.removeprefix(_ATTACHMENT).strip()))
    return value


def _score(sample: dict[str, Any]) -> float | None:
    for score in mapping(sample.get("scores")).values():
        value = figure(mapping(score).get("value"))
        if value is not None:
            return value
    return None


INSPECT_JSON = Importer(
    recognises=lambda found: _is_inspect(found.json),
    read=lambda found: _read_json(found.path, found.json, found.source),
)
"""Logs as JSON."""

INSPECT_EVAL = Importer(
    recognises=lambda found: found.path.suffix == ".eval",
    read=lambda found: _read_eval(found.path, found.source),
)
"""Logs as ``.eval``."""
