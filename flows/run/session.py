"""One benchmark run, open on this machine: a step decides, acts and commits through it.

The journal is the truth. Each method first asks it whether its part of the step is already recorded,
so that calling a step again, in this process or in another one, does nothing twice.
"""

from __future__ import annotations

import json
import math
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import JsonValue

from agent.models.gateway import Gateway
from agent.protocol import Agent, View
from environment.acting import Environment
from environment.actions.scripts import RUN_COMMAND_LINE
from environment.budgets import BudgetMeter
from environment.errors import CorruptObjectError, StoreError
from environment.journal.lease import RunLease
from environment.mlflow.mirror import MlflowMirror
from environment.records import (
    Checkpoint,
    Decided,
    Decision,
    Effect,
    EndedBy,
    Executed,
    Machine,
    Observation,
    Outcome,
    Step,
    TrainingRun,
)
from environment.snapshots.trees import Snapshots
from environment.workspace.folder import Workspace
from flows.run.deciding import ask, restore, state_of
from flows.run.observer import Observer
from flows.run.opened import OpenedRun
from flows.run.view import machine_for, view_now
from foundation.sizes import MiB

if TYPE_CHECKING:
    from flows.run.guard import Guard

_SECONDS_OF_A_STOP = 10.0
"""For MLflow, where a run ends before its time: a resume shows it, and who stopped it is not to wait for a lock."""


@dataclass
class RunSession:
    """Everything a run's steps need, and what of it lives in memory.

    Attributes:
        run: What it stands on.
        initial_workspace: Digest of the workspace before step 0.
        lease: Says before each entry that the run is still this process's.
        gateway: Answers scripts that ask for a model, where the config offers it.
        guard: Tells the agent what of its words the record contradicts, where the config asks for it.
        on_close: What is let go of when the session ends: the lease on the run.
    """

    run: OpenedRun
    snapshots: Snapshots
    workspace: Workspace
    environment: Environment
    agent: Agent
    meter: BudgetMeter
    mirror: MlflowMirror
    observer: Observer
    initial_workspace: str
    lease: RunLease
    guard: Guard | None = None
    gateway: Gateway | None = None
    on_close: ExitStack = field(default_factory=ExitStack)
    _agent_at: int | None = field(default=None, init=False)
    _workspace_at: int | None = field(default=None, init=False)
    _decide_seconds: float = field(default=0.0, init=False)
    _closed: bool = field(default=False, init=False)

    @property
    def next_step(self) -> int:
        """The first step that is not committed."""
        return len(self.run.journal.steps())

    def is_executed(self, n: int) -> bool:
        """Whether the effect of step ``n`` is already journalled."""
        return self.run.journal.executed(n) is not None

    def ended_by(self) -> EndedBy | None:
        """Why the run is over, or ``None`` while it goes on."""
        steps = self.run.journal.steps()
        if steps and steps[-1].effect.final:
            return EndedBy.FINAL_ANSWER
        if steps and steps[-1].decision.gave_up is not None:
            return EndedBy.ERROR
        return self.meter.exhausted()

    def decide(self, n: int) -> Decision:
        """The decision of step ``n``: from the journal, or from the agent."""
        decided = self.run.journal.decided(n)
        started = time.monotonic()
        if decided is None:
            self._settle_agent(n)
            self._settle_workspace(n)
            self._agent_at = None
            began, decision = datetime.now(UTC), ask(self.agent, self._view(), self.run)
            with self.run.store.together():
                state = self.run.store.put_object(state_of(self.agent, self.run))
                decided = Decided(started=began, decision=decision, agent_state=state)
                self.lease.check()
                self.run.journal.record_decided(n, decided)
            self._decide_seconds = time.monotonic() - started
        else:
            restore(self.agent, self._get(decided.agent_state), self.run)
            self._decide_seconds = sum(call.seconds + call.waited_seconds for call in decided.decision.calls)
        self.observer.decided(n, decided.decision)
        return decided.decision

    def act(self, n: int, decision: Decision, reply: Effect | None = None) -> Effect:
        """The effect of step ``n``: from the journal, or by carrying the decision out.

        Args:
            n: The step.
            decision: What ``decide`` returned for it.
            reply: The effect of an action that a person answered or refused, made outside.
        """
        executed = self.run.journal.executed(n)
        if executed is None:
            self._settle_workspace(n)
            self._workspace_at = None
            if self.gateway is not None:
                self.gateway.begin(n)
            with self.run.store.together():
                effect = self._asked(decision, self._guarded(decision, reply or self._within_quota(n, decision)))
                if self._is_last(decision, effect):
                    effect = self._asked(decision, self.environment.finish(effect, n))
                executed = Executed(
                    effect=effect,
                    workspace=self.snapshots.take(self.workspace.root, exclude=self.workspace.mounts),
                    environment_state=self._put(self.environment.state()),
                )
                self.lease.check()
                self.run.journal.record_executed(n, executed)
            if effect.training_run is not None:
                self.mirror.record(effect.training_run)
        else:
            self._restore_workspace(executed.workspace, executed.environment_state)
        self.observer.executed(n, executed.effect)
        return executed.effect

    def commit(self, n: int, decision: Decision) -> Checkpoint:
        """Make step ``n`` part of the trajectory; the last object written."""
        checkpoint = self.run.journal.checkpoint(n)
        if checkpoint is None:
            decided, executed = self._recorded(n)
            seconds = self._decide_seconds + executed.effect.seconds
            self.lease.check()
            spent = self.meter.charge(decision, executed.effect, seconds)
            checkpoint = Checkpoint(
                step=n,
                workspace=executed.workspace,
                agent_state=decided.agent_state,
                environment_state=executed.environment_state,
                spent=spent,
                committed=datetime.now(UTC),
            )
            with self.run.store.together():
                self.run.journal.commit(n, checkpoint)
        self._agent_at = self._workspace_at = n
        self.observer.committed(n, decision, checkpoint)
        return checkpoint

    def settle(self) -> None:
        """Bring workspace and environment to the last commit, for grading."""
        self._settle_workspace(self.next_step)

    def close(self) -> None:
        """Write out what is still under way, and let go of the run; once is enough."""
        if self._closed:
            return
        self._closed = True
        with self.on_close:
            self.environment.close()
            if not self.mirror.close(math.inf if self._is_over() else _SECONDS_OF_A_STOP):
                self.observer.warned(
                    f"MLflow at {self.mirror.uri} does not show all of run {self.run.run_id}: {self.mirror.why}. "
                    "The run is safe in the store; the next run that reaches MLflow shows this one, too."
                )

    def _is_over(self) -> bool:
        with suppress(StoreError):
            return self.run.journal.result() is not None
        return False

    @cached_property
    def _machine(self) -> Machine:
        return machine_for(self.run, self.gateway)

    def _view(self) -> View:
        return view_now(self.run, self.environment, self.meter, lambda: self._machine)

    def _carry_out(self, n: int, decision: Decision) -> Effect:
        if decision.gave_up is not None:
            return Effect(observation=Observation(text=decision.gave_up, outcome=Outcome.FAILED))
        if decision.answer is not None:
            return Effect(observation=decision.answer, training_run=self._taken_up(n, decision))
        return self.environment.act(decision.effective, n, timeout=self.meter.script_timeout())

    def _taken_up(self, n: int, decision: Decision) -> TrainingRun | None:
        """The training run that an earlier step found, as one of this step."""
        if decision.takes_up is None:
            return None
        step, place = decision.takes_up
        return self.run.journal.steps()[step].effect.found[place].in_step(n)

    def _within_quota(self, n: int, decision: Decision) -> Effect:
        """Carry a decision out; a workspace that outgrows its limit goes back to what it was, and is never stored."""
        allowance = self.workspace.allowance()
        effect = self._carry_out(n, decision)
        if allowance is None or self.workspace.used() <= allowance:
            return effect
        before = self._previous(n)
        kept = before.checkpoint.workspace if before else self.initial_workspace
        self.snapshots.restore(kept, self.workspace.root, exclude=self.workspace.mounts)
        limit = f"its limit of {allowance / MiB:,.0f} MiB"
        undone = f"The workspace then held more than {limit}: what this step wrote in it is undone."
        observation = effect.observation.model_copy(
            update={"text": f"{effect.observation.text}\n{undone}", "outcome": Outcome.FAILED}
        )
        return effect.model_copy(update={"observation": observation})

    def _asked(self, decision: Decision, effect: Effect) -> Effect:
        """The effect with the calls that scripts have made meanwhile, and what a command line did by them."""
        if self.gateway is None:
            return effect
        update: dict[str, object] = {"calls": (*effect.calls, *self.gateway.taken())}
        followed = self.gateway.followed()
        if decision.effective.name == RUN_COMMAND_LINE:
            update["followed"] = (*effect.followed, *followed)
        return effect.model_copy(update=update)

    def _is_last(self, decision: Decision, effect: Effect) -> bool:
        seconds = self._decide_seconds + effect.seconds
        return effect.final or decision.gave_up is not None or self.meter.ends_with(decision, effect, seconds)

    def _guarded(self, decision: Decision, effect: Effect) -> Effect:
        return self.guard.watch(self.run.journal.steps(), decision, effect) if self.guard else effect

    def _recorded(self, n: int) -> tuple[Decided, Executed]:
        decided, executed = self.run.journal.decided(n), self.run.journal.executed(n)
        if decided is None or executed is None:
            raise CorruptObjectError(f"Run {self.run.run_id} has lost part of step {n} while it was under way.")
        return decided, executed

    def _settle_agent(self, n: int) -> None:
        if self._agent_at == n - 1:
            return
        previous = self._previous(n)
        if previous is not None:
            restore(self.agent, self._get(previous.checkpoint.agent_state), self.run)
        self._agent_at = n - 1

    def _settle_workspace(self, n: int) -> None:
        if self._workspace_at == n - 1:
            return
        previous = self._previous(n)
        if previous is None:
            self._restore_workspace(self.initial_workspace, None)
            self.workspace.mend()  # the starter may lie where nothing can be written
        else:
            self._restore_workspace(previous.checkpoint.workspace, previous.checkpoint.environment_state)
        self._workspace_at = n - 1

    def _previous(self, n: int) -> Step | None:
        return self.run.journal.steps()[n - 1] if n else None

    def _restore_workspace(self, workspace: str, environment_state: str | None) -> None:
        self.snapshots.restore(workspace, self.workspace.root, exclude=self.workspace.mounts)
        if environment_state is not None:
            self.environment.restore(self._get(environment_state))

    def _put(self, state: JsonValue) -> str:
        # In the order the owner gave: it may speak of its settings in that order.
        return self.run.store.put_object(json.dumps(state).encode())

    def _get(self, digest: str) -> JsonValue:
        state: JsonValue = json.loads(self.run.store.get_object(digest))
        return state
