"""Code that came with another benchmark's task, run where it sees no keys and writes to one folder only."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import psutil

from environment.errors import SandboxUnavailableError
from environment.sandbox import Command, Limits, Mount, Sandbox, open_sandbox
from environment.sandbox.inside import own
from environment.snapshots.walk import mend, scratch_folder
from evaluation.grading import GRADER_VARIABLES, own_packages
from foundation.sizes import GiB
from tasks_catalog.library.foreign_code import ForeignProgram, Ran, last_words, never, refuse_ways_out

_MEMORY_SHARE = 0.75
"""Of the machine's, so that the machine survives it."""

_ENTER = ("sh", "-c", 'cd "$0" && exec python "$@"')


@dataclass(frozen=True)
class InSandbox:
    """Runs code of others in a sandbox; see ``RunForeign``.

    Attributes:
        network: Its owner lets all of it reach the network, which no other sandbox but bubblewrap gives.
    """

    network: bool = False

    def __call__(self, program: ForeignProgram) -> Ran:
        """Run it to its end.

        Raises:
            TaskError: No sandbox works here, or it has left a link that leads out of its folder.
        """
        network = self.network or program.network
        try:
            sandbox = open_sandbox("bubblewrap" if network else "auto", label="foreign code")
        except SandboxUnavailableError:
            return never(program)
        return _run(program, sandbox, network=network)


def _run(program: ForeignProgram, sandbox: Sandbox, *, network: bool) -> Ran:
    target = program.target.resolve()
    owner = target.stat().st_uid
    with scratch_folder("mlab-foreign-") as workspace:
        done = sandbox.run(
            Command(
                [*_ENTER, str(program.folder.resolve()), *program.arguments],
                workspace=workspace,
                limits=_limits(),
                readonly=[*own_packages(), *(_shown(folder, str(folder)) for folder in program.reads)],
                writable=[_shown(target, str(target))],
                env=GRADER_VARIABLES,
                network=network,
            )
        )
    if os.geteuid() == 0:
        own([target], owner)
    mend(target)
    where = "in a sandbox with network" if network else "in a sandbox without network"
    if done.exit_code != 0:
        ended = f" (killed: {done.killed_by})" if done.killed_by else ""
        return Ran(last_words(done.output.decode(errors="replace"), done.exit_code) + ended, where)
    refuse_ways_out(target, left_by=program.script)
    return Ran(None, where)


def _limits() -> Limits:
    """Data sets may be of any size, and whoever asked for one can stop its making."""
    memory = int(psutil.virtual_memory().total * _MEMORY_SHARE)
    return Limits(
        timeout=None, memory=memory, processes=4096, file_size=None, workspace_size=None, tmp_size=16 * GiB, gpus=False
    )


def _shown(source: Path, target: str) -> Mount:
    return Mount(source=source, target=target)
