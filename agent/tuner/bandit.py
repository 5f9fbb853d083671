"""An agent without a model: short runs of many settings, longer ones of those that do well."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from agent.protocol import AgentContext
from agent.settings import read_settings
from agent.tuner.agent import TunerAgent, TunerSettings
from agent.tuner.halving import Halving, resource_of
from agent.tuner.space import Knob, Value
from tasks_catalog.library.spec import Direction


class BanditSettings(TunerSettings):
    """Settings of ``bandit``."""

    trials: int = Field(default=40, ge=0, description="runs, short and long, besides the starter's own")
    eta: int = Field(default=3, ge=2, description="one of so many settings gets a run so many times as long")
    rungs: int = Field(default=3, ge=1, description="lengths of runs, at most")


class BanditAgent(TunerAgent):
    """Searches like the tuner where the script has nothing to run less of."""

    def read_settings(self, context: AgentContext) -> BanditSettings:
        """Its own settings."""
        self._halving = read_settings(BanditSettings, "bandit", context.settings)
        return self._halving

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
