"""Deterministic measures of how an agent worked, from its trajectory alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from pydantic import Field

from environment.records import Outcome, Step
from environment.records.display import number, percent
from evaluation.process.kinds import ActionKind, kind_of, succeeded
from evaluation.process.plans import PlanMeasures, plan_measures
from foundation.records import Record

THINKING = "thinking"
KINDS = (*(kind.value for kind in ActionKind), THINKING)
"""What time goes into, in the order it is shown."""


class KindUse(Record):
    """What one kind of action took; model calls are a kind of their own, which has no steps or tokens."""

    kind: str
    steps: int = 0
    seconds: float = 0.0
    tokens: int = 0


class ProcessMeasures(Record):
    """How one run was worked.

    Attributes:
        steps: All steps.
        first_execution: The step of the first training run; ``None`` without one.
        executions: Training runs.
        failed_executions: Those that ended with an error or were stopped.
        edits: Successful actions that edit a file.
        edit_run_cycles: Training runs with an edit since the one before.
        recoveries: Failed training runs after which a later one of the same script succeeded.
        steps_to_recover: Steps from such a failure to that success, in the mean.
        repeated_actions: Steps whose action, with the same arguments, was taken before and gave the same
            observation.
        refused_actions: Steps whose action was refused.
        plan: How it planned.
        steps_by_kind: Number of steps by kind of action.
        seconds_by_kind: Seconds of the actions themselves, by kind.
        thinking_seconds: Seconds of model calls.
        tokens_by_kind: Prompt and completion tokens of the steps of each kind.
    """

    steps: int
    first_execution: int | None = None
    executions: int = 0
    failed_executions: int = 0
    edits: int = 0
    edit_run_cycles: int = 0
    recoveries: int = 0
    steps_to_recover: float | None = None
    repeated_actions: int = 0
    refused_actions: int = 0
    plan: PlanMeasures = PlanMeasures()
    steps_by_kind: dict[ActionKind, int] = Field(default_factory=dict)
    seconds_by_kind: dict[ActionKind, float] = Field(default_factory=dict)
    thinking_seconds: float = 0.0
    tokens_by_kind: dict[ActionKind, int] = Field(default_factory=dict)

    def facts(self) -> dict[str, str]:
        """The measures in words, those that say nothing left out."""
        plan = self.plan
        found = {
            "first training run": None if self.first_execution is None else f"step {self.first_execution}",
            "training runs": f"{self.executions}, {self.failed_executions} failed" if self.executions else None,
            "edit-run cycles": self.edit_run_cycles,
            "recoveries": f"{self.recoveries}, {number(self.steps_to_recover)} steps each" if self.recoveries else None,
            "repeated actions": self.repeated_actions,
            "refused actions": self.refused_actions,
            "plan changes": plan.changes,
            "plan carried out": None
            if plan.carried_out is None
            else f"{percent(plan.carried_out)} of {plan.items} items",
        }
        return {name: str(value) for name, value in found.items() if value}

    @property
    def by_kind(self) -> tuple[KindUse, ...]:
        """Each kind of action that was taken, with its steps, time and tokens."""
        kinds = [
            KindUse(
                kind=kind.value,
                steps=steps,
                seconds=self.seconds_by_kind.get(kind, 0.0),
                tokens=self.tokens_by_kind.get(kind, 0),
            )
            for kind in ActionKind
            if (steps := self.steps_by_kind.get(kind, 0))
        ]
        return (
            (*kinds, KindUse(kind=THINKING, seconds=self.thinking_seconds)) if self.thinking_seconds else tuple(kinds)
        )


def measure(steps: Sequence[Step]) -> ProcessMeasures:
    """Measure a trajectory; an empty one gives zeros."""
    executions = [step for step in steps if step.effect.training_run is not None]
    delays = _recovery_delays(executions)
    counts: defaultdict[ActionKind, int] = defaultdict(int)
    seconds: defaultdict[ActionKind, float] = defaultdict(float)
    tokens: defaultdict[ActionKind, int] = defaultdict(int)
    for step in steps:
        kind = kind_of(step)
        counts[kind] += 1
        seconds[kind] += step.effect.seconds - step.effect.waited_seconds
        tokens[kind] += sum(call.prompt_tokens + call.completion_tokens for call in step.calls)
    return ProcessMeasures(
        steps=len(steps),
        first_execution=executions[0].n if executions else None,
        executions=len(executions),
        failed_executions=sum(not succeeded(step) for step in executions),
        edits=sum(_is_edit(step) for step in steps),
        edit_run_cycles=_edit_run_cycles(steps),
        recoveries=len(delays),
        steps_to_recover=sum(delays) / len(delays) if delays else None,
        repeated_actions=len(repeated_steps(steps)),
        refused_actions=sum(step.effect.observation.outcome is Outcome.REFUSED for step in steps),
        plan=plan_measures(steps),
        steps_by_kind=dict(counts),
        seconds_by_kind=dict(seconds),
        thinking_seconds=sum(call.seconds for step in steps for call in step.decision.calls),
        tokens_by_kind=dict(tokens),
    )


def repeated_steps(steps: Sequence[Step]) -> list[int]:
    """Steps that did again what an earlier step did, and saw again what it saw."""
    seen: set[tuple[str, str, str]] = set()
    repeated = []
    for step in steps:
        action = step.decision.action
        key = (action.name, json.dumps(action.args, sort_keys=True), step.effect.observation.text)
        if key in seen:
            repeated.append(step.n)
        seen.add(key)
    return repeated


def _is_edit(step: Step) -> bool:
    return kind_of(step) is ActionKind.EDIT and succeeded(step)


def _edit_run_cycles(steps: Sequence[Step]) -> int:
    cycles, edited = 0, False
    for step in steps:
        if step.effect.training_run is not None:
            cycles += edited
            edited = False
        elif _is_edit(step):
            edited = True
    return cycles


def _recovery_delays(executions: Sequence[Step]) -> list[int]:
    """Steps from each failed execution to the next success of the same script."""
    waiting: defaultdict[str, list[int]] = defaultdict(list)
    delays: list[int] = []
    for step in executions:
        run = step.effect.training_run
        if run is None:
            continue
        if run.succeeded:
            delays += [step.n - failed for failed in waiting.pop(run.script, [])]
        else:
            waiting[run.script].append(step.n)
    return delays
