"""What every sandbox promises: one call that runs a command where it can harm nothing."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import Field

from environment.errors import SandboxError
from environment.gpus.card import Card
from environment.records import HeldBy, KilledBy
from foundation.records import Record
from foundation.sizes import GiB, MiB

WORKSPACE = "/workspace"
"""Where a script finds the workspace, the same on every backend and machine."""


class Limits(Record):
    """What a command may use; ``None`` is no limit. Sizes in bytes, times in seconds."""

    timeout: float | None = 1_800
    memory: int | None = 4 * GiB
    cpus: float | None = None
    processes: int | None = 256
    file_size: int | None = 2 * GiB
    workspace_size: int | None = 2 * GiB
    tmp_size: int = 1 * GiB
    output: int = Field(default=64 * MiB, description="bytes of output, after which the command is killed")
    gpus: bool = Field(default=False, description="whether it sees the sandbox's cards")


class Mount(Record):
    """A host folder or file shown inside, at an absolute path."""

    source: Path
    target: str


@dataclass(frozen=True)
class Command:
    """A command, what it may see and what it may use.

    Attributes:
        argv: Never a shell string.
        workspace: Host folder shown read-write at ``/workspace``; mounts below it are laid over it.
        limits: See ``Limits``.
        readonly: Shown read-only.
        writable: Shown read-write besides the workspace.
        env: The only variables of the command besides PATH, HOME, LANG, thread counts, and those that make Python
            write its output at once and no bytecode.
        packages: The only third-party Python packages visible; ``None`` shows all.
        network: It shares the host's network; never an agent's command.
        on_output: Called with each chunk of output as it comes, for a live view.
        cancel: Set from another thread, it ends the command (``KilledBy.CANCELLED``).

    Raises:
        SandboxError: Two mounts have one target, which some backends refuse and others take for the last of them.
    """

    argv: Sequence[str]
    workspace: Path
    limits: Limits
    readonly: Sequence[Mount] = ()
    writable: Sequence[Mount] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    packages: Sequence[str] | None = None
    network: bool = False
    on_output: Callable[[bytes], None] | None = None
    cancel: threading.Event | None = None

    def __post_init__(self) -> None:
        twice = [target for target, count in Counter(mount.target for mount in self.mounts).items() if count > 1]
        if twice:
            raise SandboxError(f"A command is shown more than one thing at {', '.join(twice)}")

    @property
    def mounts(self) -> list[Mount]:
        """What is shown besides the workspace."""
        return [*self.readonly, *self.writable]

    @property
    def written(self) -> list[Path]:
        """The host folders it may write to."""
        return [self.workspace, *(mount.source for mount in self.writable)]


class Execution(Record):
    """How a command ended.

    Attributes:
        exit_code: ``None`` where it was killed by a limit; negative for a signal of its own.
        output: stdout and stderr in the order they were written, complete up to ``Limits.output``.
        seconds: Wall time, measured outside.
        killed_by: The limit that ended it.
        peak_memory: Bytes, where the backend can tell.
        cpu_seconds: Of all its processes together, where the backend can tell; without control groups as last looked
            at, so that up to half a second is missing.
        refused: Attempts that the sandbox saw and refused, in words.
        left_running: Names of processes that it left behind and that were ended with it, where the backend can tell.
        used: How often it used what was offered to it beside the sandbox, by name.
    """

    exit_code: int | None
    output: bytes
    seconds: float
    killed_by: KilledBy | None = None
    peak_memory: int | None = None
    cpu_seconds: float | None = None
    refused: tuple[str, ...] = ()
    left_running: tuple[str, ...] = ()
    used: dict[str, int] = Field(default_factory=dict)


class Sandbox(Protocol):
    """Runs commands with no network, no secrets and no way out.

    The command sees: ``workspace`` read-write at ``/workspace`` (its working directory), the mounts,
    a sized ``/tmp``, the system's libraries and the Python environment of this process (``python`` on
    its PATH) without this project's own packages. It sees no variable but those in ``env``.
    """

    @property
    def name(self) -> str:
        """As the registry has it."""
        ...

    @property
    def cards(self) -> tuple[Card, ...]:
        """What commands see whose limits grant them GPUs; the sandbox is given them, and holds no lease itself."""
        ...

    @property
    def held_by(self) -> HeldBy:
        """What holds each limit of a command on this machine."""
        ...

    def run(self, command: Command) -> Execution:
        """Run a command to its end, or to a limit; nothing it started is left behind.

        Raises:
            SandboxError: The sandbox itself failed; the command may not have run.

        Any other exception that reaches the calling thread meanwhile, an interrupt above all, ends the
        command as well. May be called from several threads at once.
        """
        ...
