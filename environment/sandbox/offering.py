"""A sandbox whose commands find models at an address of their own loopback, answered by the host over a socket."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from environment.sandbox import forward
from environment.sandbox.around import AroundSandbox
from environment.sandbox.base import Command, Execution, Mount, Sandbox

SOCKET = "models.sock"
_FOLDER = "/gateway"
_PORT = 8317
ADDRESS = f"http://127.0.0.1:{_PORT}/v1"


class OfferingModels(AroundSandbox):
    """A sandbox with a way out for one purpose: what a command says to ``ADDRESS`` reaches a socket of the host.

    Args:
        sandbox: Where commands run.
        folder: Of the host, with the socket ``SOCKET`` in it; shown to commands read-only.
    """

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        super().__init__(sandbox)
        self._folder = folder
        folder.chmod(0o755)  # commands run as another user; the folder above it is the run's own
        shutil.copyfile(forward.__file__, folder / "forward.py")

    def run(self, command: Command) -> Execution:
        """See ``Sandbox.run``."""
        forwarded = ["python", f"{_FOLDER}/forward.py", str(_PORT), f"{_FOLDER}/{SOCKET}", *command.argv]
        variables = {"OPENAI_BASE_URL": ADDRESS, "OPENAI_API_BASE": ADDRESS, "OPENAI_API_KEY": "none"}
        shown = Mount(source=self._folder, target=_FOLDER)
        return self._sandbox.run(
            replace(
                command,
                argv=forwarded,
                readonly=[*command.readonly, shown],
                env={**command.env, **variables},
            )
        )
