"""An agent without a model: tunes the starter, and submits the blend of what its best variants predict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import PurePosixPath
from typing import cast

from pydantic import Field

from agent.commands import (
    COPY_FILE,
    LIST_FILES,
    WRITE_FILE,
    copy_file,
    execute_script,
    final_answer,
    write_file,
)
from agent.measure import measured
from agent.protocol import AgentContext, View
from agent.room import STEPS_TO_FINISH
from agent.settings import read_settings
from agent.tuner.agent import TunerAgent, TunerSettings, TunerState, trial_name
from agent.tuner.search import ranked
from environment.records import Action, Decision, MetricPoint, Outcome
from tasks_catalog.library.spec import Direction

BLEND_SCRIPT = "blend.py"
FOLDER = "variants"
_LEAST_MEMBERS = 2
_ARRAYS_OF_PREDICTIONS = re.compile(r"predict|submission|prob", re.IGNORECASE)
_STEPS_TO_BLEND = 3
"""Keeping the last variant, writing the blend's script, running it."""


class EnsembleSettings(TunerSettings):
    """Settings of ``ensemble``."""

    members: int = Field(
        default=5, ge=_LEAST_MEMBERS, description="variants blended at most, the best on validation data"
    )
    least_gain: float = Field(default=0.75, ge=0, le=1, description="share of the best one's gain that a member has")


class EnsembleState(TunerState):
    """What it remembers besides the trials.

    Attributes:
        files: What lay in the workspace at first.
        predictions: The one file of predictions that the script writes; ``None`` where there is none to blend.
        kept: Trials whose predictions were kept.
        blending: Trials that are being blended.
    """

    files: tuple[str, ...] = ()
    predictions: str | None = None
    kept: tuple[int, ...] = ()
    blending: tuple[int, ...] = ()


class EnsembleAgent(TunerAgent):
    """Searches like the tuner, keeps what its best trials predict, and blends it in the end.

    Where the script writes no single file of predictions, or they cannot be blended, it submits the best trial.
    """

    state_type = EnsembleState
    steps_to_finish = STEPS_TO_FINISH + _STEPS_TO_BLEND

    def read_settings(self, context: AgentContext) -> EnsembleSettings:
        """Its own settings."""
        self._own = read_settings(EnsembleSettings, "ensemble", context.settings)
        return self._own

    def decide(self, view: View) -> Decision:
        """Keep what a good trial predicts; blend when the search is over; else as the tuner."""
        if not view.steps:
            started = super().decide(view)
            self._remember(files=_files(view))
            return started
        last, blending = view.steps[-1], self._memory.blending and not self._memory.finishing
        action, worked = last.decision.effective, last.effect.observation.outcome is Outcome.OK
        if blending and action.name == WRITE_FILE and worked:
            return Decision(prose={"thought": "Next I blend them."}, action=execute_script(BLEND_SCRIPT))
        if blending and worked:
            return self._submit_blend(view)
        if blending:
            return super()._finish(view, "They cannot be blended.", self._last_point(view))
        if action.name == COPY_FILE:
            return super()._go_on(view, f"The predictions are in {action.args['destination']}.", self._last_point(view))
        return super().decide(view)

    def _go_on(self, view: View, reflection: str, point: MetricPoint | None) -> Decision:
        number, memory = len(self._state.trials) - 1, self._memory
        if number == 0:
            self._remember(predictions=_predictions(set(_files(view)) - set(memory.files)))
            memory = self._memory
        best = ranked(self._state.trials, view.direction)[: self._own.members]
        if memory.predictions is None or number not in best:
            return super()._go_on(view, reflection, point)
        self._remember(kept=(*memory.kept, number))
        thought = f"What {trial_name(number)} predicts is kept, to be blended."
        action = copy_file(memory.predictions, _place(number, memory.predictions))
        return Decision(prose={"reflection": reflection, "thought": thought}, action=action)

    def _finish(self, view: View, reflection: str, point: MetricPoint | None) -> Decision:
        memory = self._memory
        best = [n for n in self._members(view.direction) if n in memory.kept]
        if memory.predictions is None or len(best) < _LEAST_MEMBERS:
            return super()._finish(view, reflection, point)
        self._remember(blending=tuple(best))
        thought = f"Next I blend what {_listed(best)} predict, the best on validation data."
        script = _blend_script([_place(n, memory.predictions) for n in best], memory.predictions)
        return Decision(prose={"reflection": reflection, "thought": thought}, action=write_file(BLEND_SCRIPT, script))

    def _members(self, direction: Direction) -> list[int]:
        """The best trials, less those that gain much less over the starter than the best one does."""
        trials, best = self._state.trials, ranked(self._state.trials, direction)[: self._own.members]
        start, sign = trials[0].metric, 1 if direction is Direction.MINIMIZE else -1
        if start is None:
            return best
        gains = [sign * (start - (trials[n].metric or 0.0)) for n in best]
        return [n for n, gain in zip(best, gains, strict=True) if gain >= self._own.least_gain * gains[0]]

    def _submit_blend(self, view: View) -> Decision:
        members, trials = self._memory.blending, self._state.trials
        text = (
            f"I submit the blend of what {_listed(members)} predict. Nothing measured the blend itself; "
            f"{trial_name(members[0])}, the best of them, measured validation {view.metric} "
            f"{trials[members[0]].metric:.6g}."
        )
        return Decision(action=final_answer(text))

    def _last_point(self, view: View) -> MetricPoint | None:
        """What the last trial measured."""
        runs = (step for step in reversed(view.steps) if step.effect.training_run is not None)
        trial = next((s for s in runs if s.decision.effective.args.get("script_name") == view.script), None)
        return measured(trial.effect, self._settings.metric or view.metric) if trial else None

    @property
    def _memory(self) -> EnsembleState:
        return cast("EnsembleState", self._state)

    def _remember(self, **fields: object) -> None:
        self._state = self._state.model_copy(update=fields)


def _files(view: View) -> tuple[str, ...]:
    listed = view.look(Action(name=LIST_FILES, args={"dir_path": "."})).text
    return tuple(line.strip() for line in listed.splitlines())


def _predictions(made: Iterable[str]) -> str | None:
    """The one file of predictions among those that a run made: a table, or arrays that are called so."""
    found = [
        name
        for name in made
        if PurePosixPath(name).suffix == ".csv"
        or (PurePosixPath(name).suffix in (".npy", ".npz") and _ARRAYS_OF_PREDICTIONS.search(name))
    ]
    return found[0] if len(found) == 1 else None


def _place(number: int, predictions: str) -> str:
    return f"{FOLDER}/{number}{PurePosixPath(predictions).suffix}"


def _listed(trials: Sequence[int]) -> str:
    return ", ".join(trial_name(number) for number in trials)


def _blend_script(paths: Sequence[str], output: str) -> str:
    """The blending module as a script of its own, with what it blends in place of its arguments."""
    source = resources.files("agent.tuner").joinpath("blending.py").read_text(encoding="utf-8")
    return source.replace("sys.argv[1:]", repr([*paths, output]))
