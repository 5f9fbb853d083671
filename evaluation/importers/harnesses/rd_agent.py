"""Runs of RD-Agent as its web page gets them, a list of tagged messages; its own logs are pickles and stay shut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.ending import INTERRUPTED, completed, span
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import mapping, mappings, text
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_PICKLED = "__session__"
"""Lies in every log folder of RD-Agent."""
_TAGS = ("research.", "evolving.", "feedback.")
_SAID = {
    "research.hypothesis": ("hypothesis", "reason", "concise_reason", "concise_observation", "concise_justification"),
    "research.tasks": ("description",),
    "evolving.feedbacks": ("execution", "return_checking", "code"),
    "feedback.hypothesis_feedback": ("observations", "hypothesis_evaluation", "new_hypothesis", "reason"),
}
"""What the model wrote, by the tag of its message."""


def _read(found: Found) -> Iterator[RunLog]:
    if found.is_folder:
        raise LogError(
            found.path,
            "is a log of RD-Agent, whose records are Python pickles: whoever opens one runs what is in it",
            hint="Save what its own web page shows: start `rdagent server_ui`, send POST /trace with"
            ' {"id": "SCENARIO/TRACE", "all": true, "reset": true}, and import the answer as a .json file.',
        )
    turns = Turns()
    messages = _messages(found)
    for message in messages:
        tag = text(message.get("tag"))
        for content in _each(message.get("content")):
            if tag == "evolving.codes":
                _write(turns, mapping(content.get("codes")))
            elif tag == "feedback.metric":
                _run(turns, content.get("result"))
            elif tag in _SAID:
                words = "\n\n".join(filter(None, (text(content.get(name)) for name in _SAID[tag])))
                turns.say(tag.partition(".")[2], words)
    yield RunLog(
        source=found.source,
        steps=turns.steps(),
        task=found.stem,
        agent="rd-agent",
        **span(messages[0].get("timestamp"), messages[-1].get("timestamp")),
        **(completed() if messages[-1].get("tag") == "END" else INTERRUPTED),
    )


def _messages(found: Found) -> list[dict[str, Any]]:
    """The messages of a list, which may each be wrapped with the trace that they are of."""
    return [mapping(message.get("msg")) or message for message in mappings(found.json)]


def _each(content: object) -> list[dict[str, Any]]:
    return mappings(content) if isinstance(content, list) else [mapping(content)]


def _write(turns: Turns, codes: dict[str, Any]) -> None:
    for name, code in codes.items():
        turns.call(Action(name="write", args={"file_path": name, "content": text(code)}), name)
        turns.answer(name, "written", Outcome.OK)


def _run(turns: Turns, result: object) -> None:
    """The run whose metrics a message holds, as JSON of a table or a column."""
    try:
        table = mapping(json.loads(text(result)))
    except ValueError:
        table = {}
    turns.call(Action(name="Execute Script", args={"script_name": "main.py"}))
    turns.answer("", "\n".join(_lines(table)) or text(result), Outcome.OK)


def _lines(table: dict[str, Any]) -> Iterator[str]:
    for column, value in table.items():
        if isinstance(value, dict):
            yield from (f"{row} {column}: {each}" for row, each in value.items())
        else:
            yield f"{column}: {value}"


def _recognises(found: Found) -> bool:
    if found.is_folder:
        return (found.path / _PICKLED).is_dir()
    messages = _messages(found)
    return bool(messages) and text(messages[0].get("tag")).startswith(_TAGS) and "content" in messages[0]


RD_AGENT = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
