"""What lasts between the commands of one run besides the workspace: ``/tmp``, which is ``HOME`` too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from stat import S_ISDIR

from environment.sandbox.around import AroundSandbox
from environment.sandbox.base import Command, Execution, Limits, Mount, Sandbox
from environment.sandbox.usage import disk_usage
from environment.snapshots.walk import delete_tree, walk
from foundation.sizes import MiB

TMP = "/tmp"


class LastingTmp(AroundSandbox):
    """A sandbox whose commands share one ``/tmp``, as long as it is small and the run goes on undisturbed.

    It is no part of the workspace: no checkpoint holds it. What was lost is told to the agent, once.

    Args:
        sandbox: Where commands run.
        folder: Of the host, for ``/tmp``; it goes with the run.
        limits: ``tmp_size`` is the most that is kept.
    """

    def __init__(self, sandbox: Sandbox, folder: Path, limits: Limits) -> None:
        super().__init__(sandbox)
        self._folder = folder
        self._size = limits.tmp_size
        self._lost = ""

    def run(self, command: Command) -> Execution:
        """See ``Sandbox.run``; what lies in ``/tmp`` already does not count towards the workspace's limit."""
        limits = command.limits
        if limits.workspace_size is not None:
            held = disk_usage([self._folder])
            limits = limits.model_copy(update={"workspace_size": limits.workspace_size + held})
        mount = Mount(source=self._folder, target=TMP)
        return self._sandbox.run(replace(command, limits=limits, writable=[*command.writable, mount]))

    def settle(self) -> str:
        """Empty it where it has grown too large; what was lost, in words, or ""."""
        if disk_usage([self._folder], ceiling=self._size) > self._size:
            self._empty()
            self._lost = f"they held more than the {self._size / MiB:,.0f} MiB that are kept"
        why, self._lost = self._lost, ""
        return f"Note: {TMP} and HOME were emptied: {why}. Keep what you need in the workspace." if why else ""

    def holds_files(self) -> bool:
        """Whether a resume would lose anything; a folder alone may be where the sandbox mounts something."""
        return any(found.status.st_size and not S_ISDIR(found.status.st_mode) for found in walk(self._folder))

    def restart(self, *, held_files: bool) -> None:
        """Begin anew after an interruption; what the run had held there is lost."""
        self._empty()
        if held_files:
            self._lost = "the run was interrupted and resumed"

    def _empty(self) -> None:
        if any(self._folder.iterdir()):
            delete_tree(self._folder)
            self._folder.mkdir(mode=0o700)
