"""Apply Patch: changes some lines of files, all of them or none."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.edits import difference
from environment.actions.spec import ActionInput
from environment.actions.syntax import syntax_note
from environment.errors import ActionError
from environment.patches.fitting import patched
from environment.patches.hunk import FilePatch, PatchError
from environment.patches.reading import FORMS, read_patch
from environment.workspace.decoding import decode
from environment.workspace.folder import Workspace
from foundation.text import shown


class ApplyPatchInput(ActionInput):
    """Arguments of Apply Patch."""

    patch: str = Field(description="a unified diff, or blocks <<<<<<< SEARCH … ======= … >>>>>>> REPLACE")
    file_name: str | None = Field(default=None, description="path of the file, where the patch itself names none")


@dataclass(frozen=True)
class _Change:
    """A file before and after; ``None`` where there is none."""

    path: str
    before: bytes | None
    after: bytes | None


def apply_patch(context: ActionContext, arguments: ApplyPatchInput) -> Reply:
    """Apply every hunk, or none."""
    workspace = context.workspace
    changes = [_change(workspace, patch) for patch in read_patch(arguments.patch, arguments.file_name)]
    names = [workspace.name(change.path) for change in changes]
    for change, name in zip(changes, names, strict=True):
        if names.count(name) > 1:
            raise PatchError(f"The patch names {shown(change.path)} in two ways; nothing was changed.")
    with ExitStack() as stack:
        for change in changes:
            stack.enter_context(context.history.changing(change.path))
        _write(workspace, changes)
    return Reply("\n".join(map(_in_words, changes)))


def _change(workspace: Workspace, patch: FilePatch) -> _Change:
    path = patch.path
    before = workspace.read(path) if workspace.exists(path) else None
    workspace.resolve(path, write=True)
    if before is None and any(hunk.before for hunk in patch.hunks):
        raise PatchError(f"The file {shown(path)} does not exist; nothing was changed.", hint=FORMS)
    text = patched(patch, decode(before or b"", path))
    if patch.deletes and text:
        raise PatchError(f"The patch deletes {shown(path)}, but not all of its lines; nothing was changed.")
    return _Change(path, before, None if patch.deletes else text.encode())


def _write(workspace: Workspace, changes: list[_Change]) -> None:
    """Write all; where one cannot be written, put the others back."""
    done: list[_Change] = []
    try:
        for change in changes:
            _put(workspace, change.path, change.after)
            done.append(change)
    except ActionError:
        for change in reversed(done):
            _put(workspace, change.path, change.before)
        raise


def _put(workspace: Workspace, path: str, content: bytes | None) -> None:
    if content is not None:
        workspace.write(path, content)
    elif workspace.exists(path):
        workspace.remove(path)


def _in_words(change: _Change) -> str:
    if change.after is None:
        return f"{shown(change.path)} is deleted."
    before, after = decode(change.before or b"", change.path), change.after.decode()
    done = "created" if change.before is None else "patched"
    diff = difference(change.path, before, change.path, after)
    return f"{shown(change.path)} is {done}:\n{diff}{syntax_note(change.path, after)}"


APPLY_PATCH = ActionDefinition(
    name="Apply Patch",
    description=f"Changes some lines of one or several files. {FORMS}\nEvery hunk must fit, or nothing is changed.",
    returns="The unified diff of each file, and the first syntax error in it; or which hunk does not fit, and why.",
    input=ApplyPatchInput,
    handler=apply_patch,
)
