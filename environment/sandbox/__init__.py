"""Sandboxes: where the agent's scripts run, and the way to open one."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from environment.errors import SandboxUnavailableError
from environment.gpus.card import Card
from environment.records import HeldBy
from environment.sandbox.backends import SANDBOXES, Backend, Setup
from environment.sandbox.base import WORKSPACE, Command, Execution, Limits, Mount, Sandbox
from environment.sandbox.sized import FILE_SYSTEM, NotSizedError, sized_folder
from environment.snapshots.walk import scratch_folder
from foundation.errors import MlabError
from foundation.text import known_names

__all__ = [
    "WORKSPACE",
    "Availability",
    "Command",
    "Execution",
    "Limits",
    "Mount",
    "Sandbox",
    "available",
    "kinds",
    "open_sandbox",
    "refuse_unsafe",
    "try_out",
    "writable_folder",
]

_LOG = logging.getLogger(__name__)

AUTO = "auto"
"""The first kind that protects and works here."""


class Availability(NamedTuple):
    """Whether a kind of sandbox works here, and why not."""

    kind: str
    works: bool
    detail: str
    held_by: HeldBy | None = None


def kinds() -> list[str]:
    """What a sandbox can be asked for by."""
    return [AUTO, *SANDBOXES.names()]


def refuse_unsafe(kind: str, *, unsafe: bool) -> None:
    """Refuse an unknown kind, and to go without protection unless somebody has asked for just that.

    Raises:
        SandboxUnavailableError: There is no such kind, or nobody has.
    """
    if kind != AUTO and kind not in SANDBOXES:
        raise SandboxUnavailableError(f"No kind of sandbox is called {kind!r}", hint=known_names(kind, kinds()))
    if kind != AUTO and not SANDBOXES.load(kind).protects and not unsafe:
        raise SandboxUnavailableError(
            "Without a sandbox, scripts of the agent can read and change everything you can.",
            hint="If that is what you want, say so with --unsafe-no-sandbox.",
        )


def open_sandbox(
    kind: str, *, label: str, image: str | None = None, unsafe: bool = False, cards: Sequence[Card] = ()
) -> Sandbox:
    """Open a sandbox; what dead harnesses of this machine left behind is cleared away first.

    Args:
        kind: A name of the registry, or ``auto``: Docker where a daemon answers, else bubblewrap.
        label: Names the run on what Docker shows of it.
        image: For kinds that take one; by default the sandbox shows the host's system and Python, read-only.
        unsafe: Allow a kind that protects nothing.
        cards: For the commands whose limits grant GPUs; the caller has leased them.

    Raises:
        SandboxUnavailableError: It does not work on this machine; the hint says what to do.
    """
    refuse_unsafe(kind, unsafe=unsafe)
    setup = Setup(label, image, tuple(cards))
    if kind != AUTO:
        return SANDBOXES.load(kind).open(setup)
    refused: SandboxUnavailableError | None = None
    for _, backend in _protecting():
        try:
            return backend.open(setup)
        except SandboxUnavailableError as error:
            refused = error
    raise refused or SandboxUnavailableError("No kind of sandbox protects")


def _protecting() -> Iterator[tuple[str, Backend]]:
    return ((name, backend) for name, backend in SANDBOXES.each() if backend.protects)


def try_out(sandbox: Sandbox, limits: Limits) -> Execution:
    """Run a command of no work under limits, as a script's would be.

    Raises:
        SandboxUnavailableError: It does not come to its end; the hint is what it printed.
        SandboxError: The sandbox fails.
    """
    with scratch_folder("mlab-probe-") as folder:
        execution = sandbox.run(Command(["python", "-c", "print(1)"], workspace=folder, limits=limits))
    if execution.exit_code != 0:
        ended = f"was killed ({execution.killed_by})" if execution.killed_by else f"ended with {execution.exit_code}"
        raise SandboxUnavailableError(
            f"No script can run in the sandbox {sandbox.name}: a first command {ended}",
            hint=execution.output.decode(errors="replace").strip(),
        )
    return execution


@contextmanager
def writable_folder(sandbox: Sandbox, prefix: str, size: int | None) -> Iterator[Path]:
    """A temporary folder for what a sandbox's commands write; where the kernel can, it holds its size."""
    with ExitStack() as stack:
        folder = None
        if size is not None and sandbox.held_by.disk == FILE_SYSTEM:
            try:
                folder = stack.enter_context(sized_folder(prefix, size))
            except NotSizedError as error:
                _LOG.warning("%s; a watcher alone holds the size of the workspace.", error.message)
        yield folder or stack.enter_context(scratch_folder(prefix))


def available() -> list[Availability]:
    """What works on this machine, each found out by running a command."""
    return [_try(kind) for kind, _ in _protecting()]


def _try(kind: str) -> Availability:
    try:
        sandbox = open_sandbox(kind, label="probe")
        execution = try_out(sandbox, Limits(timeout=60, cpus=1))
    except MlabError as error:
        return Availability(kind, works=False, detail=error.sentence)
    return Availability(
        kind, works=True, detail=f"python started in {execution.seconds:.2f} s", held_by=sandbox.held_by
    )
