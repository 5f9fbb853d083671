"""Tool calls of the Agent Client Protocol, as OpenHands keeps those of the agents that it has work for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.parsing import mapping, mappings, text, tool_action
from evaluation.importers.results import told
from evaluation.importers.turns import Turns

_NAMES = {"execute": "bash"}
"""Tools by their kind; what others do is told by that kind itself: ``edit``, ``read``, ``search``."""
_ENDED = {"completed": Outcome.OK, "failed": Outcome.FAILED}


def take(turns: Turns, event: dict[str, Any]) -> None:
    """A call as it stands: each event tells all that is known of it by then."""
    call_id, status = text(event.get("tool_call_id")), text(event.get("status"))
    call = turns.find(call_id) or turns.call(Action(name="none"), call_id)
    call.action = _action(event)
    if status in _ENDED:
        seen, outcome = told(event.get("raw_output") or "")
        failed = event.get("is_error") is True or status == "failed"
        call.seen = [seen or "\n".join(_texts(event.get("content")))]
        call.outcome = Outcome.FAILED if failed else outcome or _ENDED[status]
        call.answered = True


def _action(event: dict[str, Any]) -> Action:
    kind = text(event.get("tool_kind"))
    edits = [block for block in mappings(event.get("content")) if block.get("type") == "diff"]
    if edits:
        old, new = (edits[0].get(f"{age}_text", edits[0].get(f"{age}Text")) for age in ("old", "new"))
        args = {"file_path": edits[0].get("path"), "old_string": old, "new_string": new}
        return Action(name="edit", args={name: value for name, value in args.items() if value is not None})
    given = event.get("raw_input")
    return tool_action(_NAMES.get(kind, kind or "none"), given if given else {"command": text(event.get("title"))})


def _texts(content: object) -> Iterator[str]:
    """What blocks show of a call, where its output is not told apart."""
    for block in mappings(content):
        yield text(mapping(block.get("content")).get("text"))
