"""Scripts that run beside the agent's steps: a few at a time, training runs like any other once they have ended."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue, TypeAdapter

from environment.errors import ActionError
from environment.records import TrainingRun
from environment.sandbox.base import Execution, Limits
from foundation.records import Record
from foundation.text import shown

Result = tuple[TrainingRun, Execution]


@dataclass(frozen=True)
class Beside:
    """How a script is followed and ended that runs beside others.

    Attributes:
        on_output: Called with each chunk of output.
        cancel: Set from another thread, it ends the script.
    """

    on_output: Callable[[bytes], None] = lambda _: None
    cancel: threading.Event = field(default_factory=threading.Event)


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


_PLANS = TypeAdapter(list[Plan])


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
    """The scripts of a run that run in the background, by the step that began each.

    Args:
        runner: Where scripts run.
        reruns: Run a script again that was under way when the run was interrupted; else it counts as ended.
        at_once: How many scripts there may be at a time, one that is waited for among them.
    """

    def __init__(self, runner: ScriptRunner, *, reruns: bool, at_once: int = 1) -> None:
        self.at_once = at_once
        self._runner = runner
        self._reruns = reruns
        self._interrupted: list[Plan] = []
        self._scripts: dict[int, BackgroundScript] = {}

    @property
    def scripts(self) -> Sequence[BackgroundScript]:
        """Those under way, and those whose end nobody has seen; the one begun first comes first."""
        return list(self._scripts.values())

    @property
    def is_running(self) -> bool:
        """Whether a script is under way."""
        return any(script.is_running for script in self.scripts)

    @property
    def is_full(self) -> bool:
        """Whether no other script may begin."""
        return len(self._scripts) >= self.at_once

    def start(self, plan: Plan) -> None:
        """Begin a script; there must be room for it."""
        self._scripts[plan.step] = BackgroundScript(self._runner, plan)

    def find(self, begun: int | None) -> BackgroundScript | None:
        """The script that was begun in a step; the one there is where no step is named."""
        if begun is not None:
            return self._scripts.get(begun)
        return self.scripts[0] if len(self._scripts) == 1 else None

    def collect(self, script: BackgroundScript, n: int) -> Result:
        """The result of a script that has ended, as a training run of step ``n``; then it is there no more.

        Raises:
            Exception: See ``BackgroundScript.result``.
        """
        del self._scripts[script.plan.step]
        run, execution = script.result()
        return run.in_step(n), execution

    def take_up(self) -> str:
        """Go on, after an interruption, with what ran then: anew, or as ended; says so."""
        plans, self._interrupted = self._interrupted, []
        for plan in plans:
            self._scripts[plan.step] = BackgroundScript(self._runner, plan, lost=not self._reruns)
        became = "was begun again" if self._reruns else "has ended with it"
        return "\n".join(f"Note: the run was interrupted; {plan.title} {became}." for plan in plans)

    def unseen(self) -> str:
        """That scripts have ended and nobody has looked, in words; "" where it is not so."""
        ended = [script.plan for script in self.scripts if not script.is_running]
        return "\n".join(f"Note: {plan.title} has ended; look at it with Check Script." for plan in ended)

    def close(self) -> None:
        """End what runs; nothing of it is recorded."""
        scripts, self._scripts = self.scripts, {}
        for script in scripts:
            script.stop()

    def state(self) -> JsonValue:
        """What a resume needs: the scripts that are under way or whose end nobody has seen."""
        plans = [*(script.plan for script in self.scripts), *self._interrupted]
        return [plan.model_dump(mode="json") for plan in plans]

    def restore(self, state: JsonValue) -> None:
        """Take up what ``state`` returned; the scripts themselves begin with the next action."""
        self.close()
        self._interrupted = _PLANS.validate_python(state or [])
