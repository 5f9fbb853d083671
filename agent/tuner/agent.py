"""An agent without a model: searches the settings of the starter script, and submits the best it measured."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import Field

from agent.commands import WRITE_FILE, execute_script, final_answer, write_file
from agent.measure import described, measured
from agent.protocol import JSON, AgentContext, View
from agent.reading import read_whole
from agent.room import STEPS_TO_FINISH, has_room
from agent.settings import AgentSettings, read_settings
from agent.tuner.recall import untried
from agent.tuner.search import TriedSettings, best, propose
from agent.tuner.space import Knob, Value, find_knobs, with_values
from environment.records import CitedResult, Decision, MetricPoint, Outcome, Step
from environment.records.experience import Lesson
from foundation.records import Record
from tasks_catalog.library.spec import Direction


class TunerSettings(AgentSettings):
    """Settings of ``tuner``."""

    trials: int = Field(default=12, ge=0, description="settings tried besides the starter's own")
    startup: int = Field(default=5, ge=1, description="trials drawn at random before the sampler learns from them")
    metric: str | None = Field(default=None, description="name of the printed metric; default: the task's")


class TunerState(Record):
    """All the tuner remembers.

    Attributes:
        starter: The script as it was.
        trials: What was run and measured; the first one is the starter.
        pending: Settings written but not yet measured.
        finishing: Whether the pending settings are the best ones, run again to be submitted.
    """

    starter: str = ""
    trials: tuple[TriedSettings, ...] = ()
    pending: dict[str, Value] | None = None
    finishing: bool = False


class TunerAgent:
    """Measures the starter, tries settings, writes the best back, runs it and submits.

    Attributes:
        state_type: What it remembers; an agent that searches otherwise may remember more.
        steps_to_finish: Steps kept for the end.
    """

    state_type: type[TunerState] = TunerState
    steps_to_finish = STEPS_TO_FINISH

    def __init__(self, context: AgentContext) -> None:
        self._settings = self.read_settings(context)
        self._seed = context.seed
        self._state = self.state_type()
        self._lessons: Sequence[Lesson] = ()

    def read_settings(self, context: AgentContext) -> TunerSettings:
        """Its settings; an agent that searches otherwise has others."""
        return read_settings(TunerSettings, "tuner", context.settings)

    def propose(self, knobs: Sequence[Knob], direction: Direction) -> dict[str, Value] | None:
        """The next settings, which follow from the trials so far and the seed; ``None`` ends the search.

        What did well in earlier runs is tried before anything else.
        """
        recalled = next(untried(self._lessons, knobs, self._state.trials), None)
        return recalled or propose(knobs, self._state.trials, direction, self._seed, self._settings.startup)

    def state(self) -> JSON:
        """Starter and trials so far."""
        return self._state.model_dump(mode="json")

    def restore(self, state: JSON) -> None:
        """Take up the trials; the search goes on as if never stopped."""
        self._state = self.state_type.model_validate(state)

    def decide(self, view: View) -> Decision:
        """Run what was just written; else learn from the last run, and write the next settings."""
        self._lessons = view.lessons
        if not view.steps:
            return self._start(view)
        last = view.steps[-1]
        if last.decision.effective.name == WRITE_FILE:
            return self._run(view, last)
        point = self._learn(view, last)
        reflection = self._reflection(view, point)
        if self._state.finishing:
            return self._submit(view, reflection, point)
        return self._go_on(view, reflection, point)

    def _go_on(self, view: View, reflection: str, point: MetricPoint | None) -> Decision:
        """Write the next settings, or put the best ones back."""
        values = self._next_values(view)
        if values is not None:
            return self._write(view, reflection, values, f"Trial {len(self._state.trials)}")
        return self._finish(view, reflection, point)

    def _start(self, view: View) -> Decision:
        starter = read_whole(view, view.script)
        knobs = find_knobs(starter)
        self._state = self.state_type(starter=starter, pending={knob.name: knob.value for knob in knobs})
        found = ", ".join(knob.name for knob in knobs) or "nothing"
        thought = f"In {view.script} I find to tune: {found}. First I measure the starter unchanged."
        return Decision(prose={"thought": thought}, action=execute_script(view.script))

    def _run(self, view: View, last: Step) -> Decision:
        if last.effect.observation.outcome is not Outcome.OK:
            text = f"I could not write {view.script}: {last.effect.observation.text}"
            return Decision(action=final_answer(text))
        return Decision(
            prose={"thought": "Next I will run the script with these settings."}, action=execute_script(view.script)
        )

    def _learn(self, view: View, last: Step) -> MetricPoint | None:
        point = measured(last.effect, self._settings.metric or view.metric)
        if self._state.pending is not None:
            trial = TriedSettings(values=self._state.pending, metric=point.value if point else None)
            trials = (*self._state.trials, trial)
            self._state = self._state.model_copy(update={"trials": trials, "pending": None})
        return point

    def _reflection(self, view: View, point: MetricPoint | None) -> str:
        number = len(self._state.trials) - 1
        who = "The starter" if number == 0 else "The final run" if self._state.finishing else f"Trial {number}"
        found = f"{who} measured {described(point)}." if point else f"{who} gave no {view.metric} that I can read."
        if self._state.trials[-1].diverged:
            found += " That is no result."
        leader = best(self._state.trials, view.direction)
        if leader is None or leader == number:
            return found
        return f"{found} Best so far: {trial_name(leader)} with {self._state.trials[leader].metric:.6g}."

    def _next_values(self, view: View) -> dict[str, Value] | None:
        tried = self._state.trials
        if len(tried) > self._settings.trials or not has_room(view, self.steps_to_finish):
            return None
        if best(tried, view.direction) is None and not tried[0].diverged:  # not even the starter can be measured
            return None
        knobs = find_knobs(self._state.starter)
        return self.propose(knobs, view.direction) if knobs else None

    def _write(self, view: View, reflection: str, values: dict[str, Value], name: str) -> Decision:
        self._state = self._state.model_copy(update={"pending": values})
        script = with_values(self._state.starter, find_knobs(self._state.starter), values)
        thought = f"{name}: next I will set {_listed(values)}."
        return Decision(prose={"reflection": reflection, "thought": thought}, action=write_file(view.script, script))

    def _finish(self, view: View, reflection: str, point: MetricPoint | None) -> Decision:
        leader = best(self._state.trials, view.direction) or 0
        self._state = self._state.model_copy(update={"finishing": True})
        if leader == len(self._state.trials) - 1:  # the workspace holds it already
            return self._submit(view, reflection, point)
        return self._write(view, reflection, self._state.trials[leader].values, f"Back to {trial_name(leader)}")

    def _submit(self, view: View, reflection: str, point: MetricPoint | None) -> Decision:
        starter = self._state.trials[0].metric
        cited: tuple[CitedResult, ...] = ()
        if point is None or not math.isfinite(point.value):
            text = f"I submit what {view.script} made; I measured no {view.metric} for it."
        else:
            text = f"I submit a run with {described(point)}, with {_listed(self._state.trials[-1].values)}."
            text += _compared(point.value, starter, view.direction)
            ran = next(step.n for step in reversed(view.steps) if step.effect.training_run is not None)
            cited = (CitedResult(metric=point.name, value=point.value, step=ran),)
        return Decision(prose={"reflection": reflection}, action=final_answer(text, *cited))


def trial_name(number: int) -> str:
    """What a trial is called."""
    return "the starter" if number == 0 else f"trial {number}"


def _listed(values: dict[str, Value]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in values.items()) or "nothing changed"


def _compared(value: float, starter: float | None, direction: Direction) -> str:
    if starter is None:
        return ""
    if starter == 0 or value == starter:
        return f" The starter measured {starter:.6g}."
    change = (value - starter) / abs(starter)
    better = (change < 0) == (direction is Direction.MINIMIZE)
    word = "better" if better else "worse"
    return f" The starter measured {starter:.6g}: this is {abs(change):.1%} {word} on the same measurement."
