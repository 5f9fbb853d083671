"""The Python REPL: a fresh sandbox for each command, and the variables carried from one to the next."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pydantic import JsonValue, TypeAdapter

from environment.errors import ActionError
from environment.sandbox.base import Command, Execution, Limits, Mount, Sandbox
from environment.snapshots.walk import scratch_folder
from environment.store import Store
from environment.workspace.folder import Workspace
from foundation.sizes import MiB

RUNNER = Path(__file__).with_name("runner.py")

STATE_LIMIT = 512 * MiB
"""The most that the variables may take, pickled."""

_GIVEN, _LEFT = "/repl", "/repl-variables"
_Digest = TypeAdapter(str | None)


class ReplSession:
    """Python commands that share their variables, though each runs in a sandbox of its own.

    Between two commands no process is left, so nothing can change the workspace behind a checkpoint,
    and the time a command takes is the command's. The variables are an object in the store and their
    digest is the whole state: a resume goes on from there, and no command ever runs twice. Only code
    in the sandbox unpickles them; here they are bytes.
    """

    def __init__(self, workspace: Workspace, store: Store, sandbox: Sandbox) -> None:
        self._workspace = workspace
        self._store = store
        self._sandbox = sandbox
        self._variables: str | None = None

    def run(self, command: str, limits: Limits) -> Execution:
        """Run a command; its variables count from now on, unless it was stopped or ended the interpreter.

        Raises:
            SandboxError: The sandbox failed.
            StoreError: The variables cannot be kept or found.
        """
        with scratch_folder("mlab-repl-") as given, self._workspace.beside("mlab-repl-") as left:
            self._give(given, command)
            execution = self._sandbox.run(
                Command(
                    ["python", f"{_GIVEN}/{RUNNER.name}", _GIVEN, _LEFT],
                    workspace=self._workspace.root,
                    limits=limits,
                    readonly=[*self._workspace.readonly_mounts(), Mount(source=given, target=_GIVEN)],
                    writable=[Mount(source=left, target=_LEFT)],
                )
            )
            note = self._take_over(Workspace(left))
        return execution if note is None else _with_note(execution, note)

    def _give(self, folder: Path, command: str) -> None:
        """What the command is to read, as whichever user it runs."""
        shutil.copy(RUNNER, folder)
        (folder / "command.py").write_text(command, encoding="utf-8")
        if self._variables is not None:
            self._store.fetch_object(self._variables, folder / "state.pkl")
        for file in folder.iterdir():
            file.chmod(0o644)
        folder.chmod(0o755)

    def state(self) -> JsonValue:
        """The digest of the variables."""
        return self._variables

    def restore(self, state: JsonValue) -> None:
        """Take up what ``state`` returned."""
        self._variables = _Digest.validate_python(state)

    def _take_over(self, folder: Workspace) -> str | None:
        """Keep the new variables; why not, if not."""
        # The command could write here too: a link instead of the file must not lead anywhere.
        try:
            with folder.reading("next.pkl") as file:
                size = file.seek(0, os.SEEK_END)
                if size <= STATE_LIMIT:
                    self._variables = self._store.put_object(folder.resolve("next.pkl"))
                    return None
        except ActionError:
            return "the interpreter did not end by itself; the variables are as they were before this command"
        return (
            f"the variables take {size / MiB:,.1f} MiB, more than the {STATE_LIMIT / MiB:,.1f} that can be kept;"
            " they are as they were before this command"
        )


def _with_note(execution: Execution, note: str) -> Execution:
    lines = [execution.output.rstrip(b"\n"), f"({note})".encode()]
    return execution.model_copy(update={"output": b"\n".join(filter(None, lines))})
