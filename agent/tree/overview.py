"""A first look at what lies in the workspace, for a model that never looks for itself."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from agent.protocol import View
from environment.records import Action, Outcome

LIMIT = 10_000
"""Characters of the whole overview."""
_FILES = 12
_LISTED = 30
"""Names of a folder."""
_LINES = 4
_DESCRIBING_LINES = 60
"""Lines of a file that explains others."""
_WIDTH = 1_500
_TEXTS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".md", ".py")
_DESCRIBING = (".md", ".txt")


def overview(view: View) -> str:
    """The files of the workspace and of the folders in it, and how those of text begin; without the script itself."""
    names = list(_names(view))
    lines = ["Files:", *names]
    for name in [name for name in names if name.endswith(_TEXTS) and name != view.script][:_FILES]:
        shown = _beginning(view, name)
        if shown:
            lines += ["", f"{name} begins:", shown]
    return "\n".join(lines)[:LIMIT]


def _names(view: View) -> Iterator[str]:
    for entry in _entries(view, "."):
        yield entry
        if entry.endswith("/"):
            inside = _entries(view, entry.rstrip("/"))
            yield from (f"{entry}{name}" for name in inside[:_LISTED])
            if len(inside) > _LISTED:
                yield f"{entry}… {len(inside) - _LISTED} more"


def _entries(view: View, folder: str) -> list[str]:
    seen = view.look(Action(name="List Files", args={"dir_path": folder}))
    return seen.text.splitlines() if seen.outcome is Outcome.OK else []


def _beginning(view: View, name: str) -> str:
    """The first lines of a file of text; nothing where it cannot be read."""
    most = _DESCRIBING_LINES if name.endswith(_DESCRIBING) else _LINES
    window: dict[str, JsonValue] = {"script_name": name, "start_line_number": 1, "end_line_number": most}
    seen = view.look(Action(name="Inspect Script Lines", args=window))
    if seen.outcome is not Outcome.OK:
        return ""
    return "\n".join(line[:_WIDTH] for line in seen.text.splitlines()[1:]).strip()
