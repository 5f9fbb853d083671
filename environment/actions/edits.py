"""Actions that edit scripts, and take edits back."""

from __future__ import annotations

import difflib

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.spec import ActionInput
from environment.actions.syntax import syntax_note
from environment.errors import ActionError
from environment.workspace.decoding import decode
from foundation.text import lines_of, shown

_DIFF_LINES = 20_000  # difflib's time grows with the square of the lines


class EditScriptInput(ActionInput):
    """Arguments of Edit Script."""

    script_name: str = Field(description="path of the script to edit; a missing one counts as empty")
    content: str = Field(description="the whole edited text")
    save_name: str = Field(description="path under which the edited text is saved")


class UndoEditScriptInput(ActionInput):
    """Arguments of Undo Edit Script."""

    script_name: str = Field(description="path of the file whose last change is taken back")


def edit_script(context: ActionContext, arguments: EditScriptInput) -> Reply:
    """Save an edited script and show what changed."""
    workspace, name, target = context.workspace, arguments.script_name, arguments.save_name
    before = decode(workspace.read(name), name) if workspace.exists(name) else ""
    with context.history.changing(target):
        workspace.write(target, arguments.content.encode())
    return Reply(
        f"The edited file is saved to {shown(target)}. Here is the diff, please check if the edit is correct and"
        f" desirable:\n\n{difference(name, before, target, arguments.content)}{syntax_note(target, arguments.content)}"
    )


def undo_edit_script(context: ActionContext, arguments: UndoEditScriptInput) -> Reply:
    """Put back what was there before the last change of a file by an action."""
    name = arguments.script_name
    try:
        content = context.history.undo(name)
    except LookupError:
        raise ActionError("There is no change to undo.") from None
    if content is None:
        return Reply(f"{shown(name)} did not exist before the most recent edit; it is deleted.")
    return Reply(f"Content of {shown(name)} after undo the most recent edit:\n{decode(content, name)}")


def difference(name: str, before: str, target: str, after: str) -> str:
    """The unified diff of two texts; of very long ones that there is none."""
    old, new = lines_of(before), lines_of(after)
    if len(old) + len(new) > _DIFF_LINES:
        return f"(no diff is shown of files this long: {len(old):,} lines before, {len(new):,} after)"
    return "\n".join(difflib.unified_diff(old, new, shown(name), shown(target), lineterm="")) or "(nothing changed)"


EDIT_SCRIPT = ActionDefinition(
    name="Edit Script",
    description="Saves the edited text of a script, under its own or another name.",
    returns="The unified diff against the script as it was, and the first syntax error.",
    input=EditScriptInput,
    handler=edit_script,
)

UNDO_EDIT_SCRIPT = ActionDefinition(
    name="Undo Edit Script",
    description="Takes back the most recent change that an action made to a file; again for the one before.",
    returns="The file's content after it.",
    input=UndoEditScriptInput,
    handler=undo_edit_script,
)
