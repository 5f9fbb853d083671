"""Messages in states of LangGraph's, in a thread's history of them, and in what its nodes add as they stream."""

from __future__ import annotations

from typing import Any

from evaluation.importers.parsing import mapping, mappings


def of_state(state: object) -> list[Any]:
    """The messages of a state; none where it is none."""
    return _messages(mapping(state).get("values"))


def unrolled(data: object) -> object:
    """The messages of a thread's states, which the longest holds, or of nodes' updates; another list as it is."""
    held = [each for each in mappings(data) if each]
    if all("values" in each for each in held):
        return max(map(of_state, held), key=len, default=data)
    updates = [message for each in held for update in each.values() for message in _messages(update)]
    is_langchain = all("type" in mapping(message) and "role" not in message for message in updates)
    return updates if updates and is_langchain else data


def _messages(values: object) -> list[Any]:
    found = mapping(values).get("messages")
    return found if isinstance(found, list) else []
