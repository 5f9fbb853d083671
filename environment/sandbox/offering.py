"""A sandbox whose commands find what the harness offers at an address of their own loopback, over one socket."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from environment.sandbox import forward
from environment.sandbox.around import AroundSandbox
from environment.sandbox.base import Command, Execution, Mount, Sandbox

SOCKET = "gateway.sock"
_FOLDER = "/gateway"
_PORT = 8317
_ORIGIN = f"http://127.0.0.1:{_PORT}"
ADDRESS = f"{_ORIGIN}/v1"
LITERATURE_URL = f"{ADDRESS}/literature"
VARIABLES = {
    "OPENAI_BASE_URL": ADDRESS,
    "OPENAI_API_BASE": ADDRESS,
    "OPENAI_API_KEY": "none",
    "ANTHROPIC_BASE_URL": _ORIGIN,
    "ANTHROPIC_API_KEY": "none",
    "LITERATURE_URL": LITERATURE_URL,
}
"""What commands are told, in the variables that clients look for."""


class Meter(Protocol):
    """Counts what a command uses of what is offered."""

    @property
    def used(self) -> Mapping[str, int]:
        """How often what was used since ``begin``."""
        ...

    def begin(self) -> None:
        """A command begins."""
        ...


class OfferedSandbox(AroundSandbox):
    """A sandbox with a way out for one purpose: what a command says to ``ADDRESS`` reaches a socket of the host.

    Args:
        sandbox: Where commands run.
        folder: Of the host, with the socket ``SOCKET`` in it; shown to commands read-only.
        meter: What counts the use of one command, where it is limited.
    """

    def __init__(self, sandbox: Sandbox, folder: Path, meter: Meter | None = None) -> None:
        super().__init__(sandbox)
        self._folder = folder
        self._meter = meter
        folder.chmod(0o755)  # commands run as another user; the folder above it is the run's own
        shutil.copyfile(forward.__file__, folder / "forward.py")

    def run(self, command: Command) -> Execution:
        """See ``Sandbox.run``."""
        forwarded = ["python", f"{_FOLDER}/forward.py", str(_PORT), f"{_FOLDER}/{SOCKET}", *command.argv]
        shown = Mount(source=self._folder, target=_FOLDER)
        if self._meter is not None:
            self._meter.begin()
        done = self._sandbox.run(
            replace(
                command,
                argv=forwarded,
                readonly=[*command.readonly, shown],
                env={**command.env, **VARIABLES},
            )
        )
        return done.model_copy(update={"used": dict(self._meter.used)}) if self._meter else done
