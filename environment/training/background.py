"""A script that runs beside the agent's steps: one at a time, a training run like any other once it has ended."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from environment.errors import ActionError
from environment.records import TrainingRun
from environment.sandbox.base import Execution, Limits
from foundation.records import Record
from foundation.text import shown

Result = tuple[TrainingRun, Execution]


@dataclass(frozen=True)
class Beside:
    """How a script is followed and ended from another thread.

    Attributes:
        on_output: Called with each chunk of output.
        cancel: Set, it ends the script.
    """

    on_output: Callable[[bytes], None]
    cancel: threading.Event


class ScriptRunner(Protocol):
    """Runs a script of the workspace as a training run."""

    def execute(self, script: str, args: Sequence[str], n: int, limits: Limits, beside: Beside | None = None) -> Result:
        """Run it in step ``n``; returns the recorded training run and how it ended."""
        ...

    def lost(self, script: str, args: Sequence[str], n: int, limits: Limits) -> Result:
        """The record of a script that ended with the process that ran it; its output is gone."""
        ...

    def watch(self, argv: Sequence[str], n: int, limits: Limits) -> tuple[Execution, tuple[TrainingRun, ...]]:
        """Run a command in step ``n``; how it ended, and a training run for each script that it started by itself."""
        ...


class Plan(Record):
    """What runs in the background, and the step that began it."""

    script: str
    args: tuple[str, ...]
    step: int
    limits: Limits

    @property
    def title(self) -> str:
        """What it is called."""
        return f"{shown(self.script)} (begun in step {self.step})"


class BackgroundScript:
    """A script under way in a thread of its own.

    Attributes:
        plan: What runs.
        lost: It ended with the process that ran it.
    """

    def __init__(self, runner: ScriptRunner, plan: Plan, *, lost: bool = False) -> None:
        self.plan = plan
        self.lost = lost
        self._runner = runner
        self._output = bytearray()
        self._cancel = threading.Event()
        self._result: Result | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=f"mlab-background-{plan.step}", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._thread.is_alive()

    @property
    def output(self) -> bytes:
        """What it has printed so far."""
        return bytes(self._output)

    def wait(self, seconds: float) -> bool:
        """Wait for its end; whether it has ended."""
        self._thread.join(seconds)
        return not self.is_running

    def stop(self) -> None:
        """End it, and wait until it is gone."""
        self._cancel.set()
        self._thread.join()

    def result(self) -> Result:
        """The training run and how it ended.

        Raises:
            ActionError: The script could not be read when it was to begin.
            SandboxError: The sandbox failed, not the script.
        """
        self._thread.join()
        if self._error is not None:
            raise self._error
        if self._result is None:
            raise ActionError(f"{self.plan.script} ended without a result.")
        return self._result

    def _run(self) -> None:
        plan = self.plan
        try:
            if self.lost:
                self._result = self._runner.lost(plan.script, plan.args, plan.step, plan.limits)
            else:
                beside = Beside(self._output.extend, self._cancel)
                self._result = self._runner.execute(plan.script, plan.args, plan.step, plan.limits, beside)
        except Exception as error:  # noqa: BLE001 (raised where the result is asked for, in the run's thread)
            self._error = error


class Background:
    """The one script of a run that may run in the background.

    Args:
        runner: Where scripts run.
        reruns: Run a script again that was under way when the run was interrupted; else it counts as ended.
    """

    def __init__(self, runner: ScriptRunner, *, reruns: bool) -> None:
        self._runner = runner
        self._reruns = reruns
        self._interrupted: Plan | None = None
        self.current: BackgroundScript | None = None

    @property
    def is_running(self) -> bool:
        """Whether a script is under way."""
        return self.current is not None and self.current.is_running

    def start(self, plan: Plan) -> None:
        """Begin a script; there must be no other."""
        self.current = BackgroundScript(self._runner, plan)

    def collect(self, n: int) -> Result | None:
        """The result of the script that has ended, as a training run of step ``n``; then there is none any more.

        Raises:
            Exception: See ``BackgroundScript.result``.
        """
        script, self.current = self.current, None
        if script is None:
            return None
        run, execution = script.result()
        return run.in_step(n), execution

    def take_up(self) -> str:
        """Go on, after an interruption, with what ran then: anew, or as ended; says so."""
        plan, self._interrupted = self._interrupted, None
        if plan is None:
            return ""
        self.current = BackgroundScript(self._runner, plan, lost=not self._reruns)
        became = "was begun again" if self._reruns else "has ended with it"
        return f"Note: the run was interrupted; {plan.title} {became}."

    def unseen(self) -> str:
        """That a script has ended and nobody has looked, in words; "" where it is not so."""
        script = self.current
        if script is None or script.is_running:
            return ""
        return f"Note: {script.plan.title} has ended; look at it with Check Script."

    def close(self) -> None:
        """End what runs; nothing of it is recorded."""
        script, self.current = self.current, None
        if script is not None:
            script.stop()

    def state(self) -> JsonValue:
        """What a resume needs: the script that is under way or whose end nobody has seen."""
        plan = self.current.plan if self.current is not None else self._interrupted
        return plan.model_dump(mode="json") if plan is not None else None

    def restore(self, state: JsonValue) -> None:
        """Take up what ``state`` returned; the script itself begins with the next action."""
        self.close()
        self._interrupted = None if state is None else Plan.model_validate(state)
