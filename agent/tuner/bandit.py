"""An agent without a model: short runs of many settings, longer ones of those that do well."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from agent.commands import EXECUTE_SCRIPT
from agent.protocol import AgentContext, View
from agent.room import has_room
from agent.settings import read_settings
from agent.tuner.agent import TunerAgent, TunerSettings
from agent.tuner.halving import Halving, resource_of
from agent.tuner.space import Knob, Value, find_knobs
from agent.tuner.watching import curve, falls_behind
from environment.metrics.outputs import read_metrics
from environment.records import Action, Decision, Outcome, Step, TrainingRun
from tasks_catalog.library.spec import Direction

CHECK_SCRIPT, STOP_SCRIPT = "Check Script", "Stop Script"
_LOOKS = 4
"""How often a run is looked at until its expected end."""
_SHORTEST = 1.0
_MOST = 5_000
"""Values that are read of an unfinished run."""


class BanditSettings(TunerSettings):
    """Settings of ``bandit``."""

    trials: int = Field(default=40, ge=0, description="runs, short and long, besides the starter's own")
    eta: int = Field(default=3, ge=2, description="one of so many settings gets a run so many times as long")
    rungs: int = Field(default=3, ge=1, description="lengths of runs, at most")
    watch: float = Field(
        default=120, ge=0, description="seconds from which a run is watched while it prints, and ended where it lags"
    )


class BanditAgent(TunerAgent):
    """Searches like the tuner where the script has nothing to run less of."""

    def read_settings(self, context: AgentContext) -> BanditSettings:
        """Its own settings."""
        self._halving = read_settings(BanditSettings, "bandit", context.settings)
        return self._halving

    def decide(self, view: View) -> Decision:
        """Look after a run in the background; else go on like the tuner."""
        return self._look_after(view) if _is_under_way(view) else super().decide(view)

    def _run(self, view: View, last: Step) -> Decision:
        decision = super()._run(view, last)
        offered = any(spec.name == CHECK_SCRIPT for spec in view.actions)
        runs_script = decision.action.name == EXECUTE_SCRIPT and not self._state.finishing
        if not (offered and runs_script and self._expected(view) > self._halving.watch):
            return decision
        args = {**decision.action.args, "wait": False}
        return decision.model_copy(update={"action": Action(name=EXECUTE_SCRIPT, args=args)})

    def _look_after(self, view: View) -> Decision:
        """End the run where it has fallen behind, or the steps run out; else wait for some more of it."""
        metric = self._settings.metric or view.metric
        printed = read_metrics(view.steps[-1].effect.observation.text, _MOST).points
        earlier = [curve(run.metrics, metric) for run in _runs(view) if run.succeeded]
        if falls_behind(curve(printed, metric), earlier, view.direction, least=self._settings.startup):
            thought = (
                f"So far its {view.metric} is worse than that of half of the earlier runs at this epoch: I end it."
            )
            return Decision(prose={"thought": thought}, action=Action(name=STOP_SCRIPT))
        if not has_room(view, self.steps_to_finish):
            return Decision(action=Action(name=STOP_SCRIPT))
        wait = max(self._expected(view) / _LOOKS, _SHORTEST)
        return Decision(action=Action(name=CHECK_SCRIPT, args={"wait": wait}))

    def _expected(self, view: View) -> float:
        """Seconds that the pending settings will take, by the longest of the earlier runs for its length."""
        resource, pending = resource_of(find_knobs(self._state.starter)), self._state.pending or {}
        amounts = [trial.values.get(resource.name) if resource else 1 for trial in self._state.trials]
        rates = [
            run.seconds / amount
            for run, amount in zip(_runs(view), amounts, strict=False)
            if isinstance(amount, int | float) and amount > 0
        ]
        wanted = pending.get(resource.name) if resource else 1
        return max(rates, default=0.0) * (wanted if isinstance(wanted, int | float) else 1)

    def propose(self, knobs: Sequence[Knob], direction: Direction) -> dict[str, Value] | None:
        """The last settings with a longer run where they did well, else new ones with a short run."""
        resource, settings = resource_of(knobs), self._halving
        if resource is None:
            return super().propose(knobs, direction)
        halving = Halving(
            knobs,
            resource,
            direction,
            seed=self._seed,
            startup=settings.startup,
            eta=settings.eta,
            rungs=settings.rungs,
        )
        return halving.propose(self._state.trials)


def _runs(view: View) -> list[TrainingRun]:
    """The training runs so far."""
    return [step.effect.training_run for step in view.steps if step.effect.training_run is not None]


def _is_under_way(view: View) -> bool:
    """Whether the last step began a run in the background, or has not seen its end."""
    if not view.steps:
        return False
    last = view.steps[-1]
    began = last.decision.action.name == EXECUTE_SCRIPT and last.decision.action.args.get("wait") is False
    looked = last.decision.action.name in (CHECK_SCRIPT, STOP_SCRIPT)
    return (began or looked) and last.effect.training_run is None and last.effect.observation.outcome is Outcome.OK
