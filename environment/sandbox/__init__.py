"""Sandboxes: where the agent's scripts run, and the way to open one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from environment.errors import SandboxUnavailableError
from environment.gpus.card import Card
from environment.records import HeldBy
from environment.sandbox.base import WORKSPACE, Execution, Limits, Mount, Sandbox
from environment.snapshots.walk import scratch_folder
from foundation.errors import MlabError

__all__ = [
    "WORKSPACE",
    "Availability",
    "Execution",
    "Limits",
    "Mount",
    "Sandbox",
    "SandboxKind",
    "available",
    "open_sandbox",
    "refuse_unsafe",
    "try_out",
]

SandboxKind = Literal["auto", "docker", "bubblewrap", "none"]
_KINDS: tuple[SandboxKind, ...] = ("docker", "bubblewrap")


class Availability(NamedTuple):
    """Whether a kind of sandbox works here, and why not."""

    kind: SandboxKind
    works: bool
    detail: str
    held_by: HeldBy | None = None


def refuse_unsafe(kind: SandboxKind, *, unsafe: bool) -> None:
    """Refuse to go without a sandbox unless somebody has asked for just that.

    Raises:
        SandboxUnavailableError: Nobody has.
    """
    if kind == "none" and not unsafe:
        raise SandboxUnavailableError(
            "Without a sandbox, scripts of the agent can read and change everything you can.",
            hint="If that is what you want, say so with --unsafe-no-sandbox.",
        )


def open_sandbox(
    kind: SandboxKind, *, label: str, image: str | None = None, unsafe: bool = False, cards: Sequence[Card] = ()
) -> Sandbox:
    """Open a sandbox; what dead harnesses of this machine left behind is cleared away first.

    Args:
        kind: ``auto`` takes Docker where a daemon answers, else bubblewrap. ``none`` protects nothing.
        label: Names the run on what Docker shows of it.
        image: For Docker; by default the container shows the host's system and Python, read-only.
        unsafe: Allow ``none``.
        cards: For the commands whose limits grant GPUs; the caller has leased them.

    Raises:
        SandboxUnavailableError: It does not work on this machine; the hint says what to do.
    """
    from environment.sandbox.bubblewrap import BubblewrapSandbox
    from environment.sandbox.docker import DockerSandbox
    from environment.sandbox.unconfined import UnconfinedSandbox

    refuse_unsafe(kind, unsafe=unsafe)
    match kind:
        case "docker":
            return DockerSandbox(label=label, image=image, cards=cards)
        case "bubblewrap":
            return BubblewrapSandbox(cards)
        case "auto":
            try:
                return DockerSandbox(label=label, image=image, cards=cards)
            except SandboxUnavailableError:
                return BubblewrapSandbox(cards)
        case "none":
            return UnconfinedSandbox(cards)


def try_out(sandbox: Sandbox, limits: Limits) -> Execution:
    """Run a command of no work under limits, as a script's would be.

    Raises:
        SandboxUnavailableError: It does not come to its end; the hint is what it printed.
        SandboxError: The sandbox fails.
    """
    with scratch_folder("mlab-probe-") as folder:
        execution = sandbox.run(["python", "-c", "print(1)"], workspace=folder, limits=limits)
    if execution.exit_code != 0:
        ended = f"was killed ({execution.killed_by})" if execution.killed_by else f"ended with {execution.exit_code}"
        raise SandboxUnavailableError(
            f"no script can run in the sandbox {sandbox.name}: a first command {ended}",
            hint=execution.output.decode(errors="replace").strip(),
        )
    return execution


def available() -> list[Availability]:
    """What works on this machine, each found out by running a command."""
    return [_try(kind) for kind in _KINDS]


def _try(kind: SandboxKind) -> Availability:
    try:
        sandbox = open_sandbox(kind, label="probe")
        execution = try_out(sandbox, Limits(timeout=60, cpus=1))
    except MlabError as error:
        return Availability(kind, works=False, detail=error.sentence)
    return Availability(
        kind, works=True, detail=f"python started in {execution.seconds:.2f} s", held_by=sandbox.held_by
    )
