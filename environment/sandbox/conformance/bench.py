"""The frame of the suite: a check, what it is run on, and how it says that something does not hold."""

from __future__ import annotations

import inspect
import json
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from environment.records import KilledBy
from environment.sandbox.base import Command, Execution, Limits, Mount, Sandbox
from foundation.errors import MlabError
from foundation.records import Record
from foundation.sizes import MiB

LIMITS = Limits(timeout=60, memory=512 * MiB, tmp_size=32 * MiB)
"""Roomy for a small script; a check tightens the one it is about."""


class NotHeldError(MlabError):
    """The sandbox does not hold what the check is about."""


class NotApplicableError(MlabError):
    """The check has no meaning on this machine."""


def require(condition: bool, reason: str) -> None:
    """Say that something does not hold.

    Raises:
        NotHeldError: Where ``condition`` is false.
    """
    if not condition:
        raise NotHeldError(reason)


@dataclass(frozen=True)
class Bench:
    """What a check works with: a sandbox, a fresh workspace, and a folder that no command may see."""

    sandbox: Sandbox
    workspace: Path
    outside: Path

    def python(
        self,
        code: str,
        *,
        limits: Limits = LIMITS,
        readonly: Sequence[Mount] = (),
        writable: Sequence[Mount] = (),
        env: Mapping[str, str] | None = None,
        packages: Sequence[str] | None = None,
        on_output: Callable[[bytes], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> Execution:
        """Run Python code in the sandbox."""
        return self.sandbox.run(
            Command(
                ["python", "-c", textwrap.dedent(code)],
                workspace=self.workspace,
                limits=limits,
                readonly=readonly,
                writable=writable,
                env=env or {},
                packages=packages,
                on_output=on_output,
                cancel=cancel,
            )
        )

    def report(self, code: str, **options: Any) -> Any:
        """Run Python code that must succeed, and parse the JSON that it prints last.

        Raises:
            NotHeldError: It did not succeed.
        """
        execution = self.python(code, **options)
        text = execution.output.decode(errors="replace")
        require(execution.exit_code == 0, f"the probe itself failed ({ended(execution)}): {text[-500:]}")
        return json.loads(text.strip().splitlines()[-1])


def ended(execution: Execution) -> str:
    """How a command ended, in words."""
    return f"killed by {execution.killed_by}" if execution.killed_by else f"exit code {execution.exit_code}"


def killed_by(execution: Execution, expected: KilledBy) -> None:
    """Say that a command was not ended by a limit.

    Raises:
        NotHeldError: It ended otherwise.
    """
    tail = execution.output[-300:].decode(errors="replace")
    require(execution.killed_by == expected, f"{ended(execution)}, not killed by {expected}: {tail}")
    require(execution.exit_code is None, f"killed, and yet exit code {execution.exit_code}")


class CheckResult(Record):
    """How a check came out."""

    name: str
    proves: str
    outcome: Literal["passed", "failed", "skipped"]
    reason: str = ""
    seconds: float


@dataclass(frozen=True)
class Check:
    """One property of a sandbox, and the probe that would show its absence."""

    name: str
    proves: str
    probe: Callable[[Bench], None]

    def run(self, sandbox: Sandbox) -> CheckResult:
        """Probe a sandbox."""
        began = time.monotonic()
        outcome: Literal["passed", "failed", "skipped"] = "passed"
        reason = ""
        try:
            with _bench(sandbox) as bench:
                self.probe(bench)
        except NotApplicableError as error:
            outcome, reason = "skipped", str(error)
        except (MlabError, OSError) as error:
            outcome, reason = "failed", str(error)
        seconds = time.monotonic() - began
        return CheckResult(name=self.name, proves=self.proves, outcome=outcome, reason=reason, seconds=seconds)


@contextmanager
def _bench(sandbox: Sandbox) -> Iterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="mlab-conformance-") as folder:
        workspace, outside = Path(folder, "workspace"), Path(folder, "outside")
        workspace.mkdir()
        outside.mkdir()
        yield Bench(sandbox, workspace, outside)


@dataclass(frozen=True)
class Suite:
    """Checks of one subject, in the order they are written."""

    subject: str
    checks: list[Check] = field(default_factory=list)

    def check(self, probe: Callable[[Bench], None]) -> Callable[[Bench], None]:
        """Add a probe; its function's name and docstring say what it proves."""
        self.checks.append(Check(f"{self.subject}.{probe.__name__}", inspect.getdoc(probe) or "", probe))
        return probe
