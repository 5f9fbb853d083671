"""Another coding agent's own command line, at work in the sandbox: its model calls go through the run's gateway."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field, JsonValue

from agent.commands import EXECUTE_SCRIPT, final_answer, write_file
from agent.errors import AgentSettingsError
from agent.prompts.briefing import PromptSettings, as_text, briefing, left
from agent.protocol import AgentContext, View
from agent.settings import read_settings
from agent.stateless import Stateless
from environment.records import Action, Decision, Effect, Followed, Observation, Outcome, Step, TrainingRun

PROMPT = "PROMPT.md"
"""Where the command finds its task in the workspace."""
COMMAND_LINE = "Run Command Line"
SAYS = "Say"
"""The action of what is said without calling a tool: the command line reads what to do out of it."""
_SAID = 2_000
"""Characters of what it printed last that become the final answer, where its model said no last word."""


class CliSettings(PromptSettings):
    """Settings of ``cli``."""

    command: str = Field(description=f"its command line for sh, run in the workspace; the task lies in {PROMPT}")
    turns: int = Field(default=1, ge=1, description="how often it is run, before the workspace is submitted")


class CliAgent(Stateless):
    """Each turn runs the command; then each thing it did is a step, as its talk with the model tells it.

    A script of the workspace that it started is the training run of the step that names it, or of a step of its own.
    """

    def __init__(self, context: AgentContext) -> None:
        self._settings = read_settings(CliSettings, "cli", context.settings)

    def decide(self, view: View) -> Decision:
        """Write the task down, run the command, retell what it did, submit.

        Raises:
            AgentSettingsError: The run offers no models inside the sandbox.
        """
        turns = [step for step in view.steps if step.decision.action.name == COMMAND_LINE]
        if turns:
            retold = list(retell(turns[-1].n, turns[-1].effect))
            place = len(view.steps) - turns[-1].n - 1
            if place < len(retold):
                return retold[place]
        if len(turns) == self._settings.turns:
            return Decision(action=final_answer(last_word(turns[-1])))
        if not view.machine().models:
            raise AgentSettingsError("The agent cli needs models inside the sandbox", hint="Add --gateway")
        if not view.steps:
            prompt = as_text(briefing(view, honesty_rules=self._settings.honesty_rules))
            return Decision(action=write_file(PROMPT, f"{prompt}\n\n{left(view)}\n"))
        return Decision(action=Action(name=COMMAND_LINE, args={"command": self._settings.command}))


def retell(n: int, effect: Effect) -> Iterator[Decision]:
    """What a turn did, one decision each, with the training runs that it found.

    Args:
        n: The step of the turn.
        effect: What came of it.
    """
    left_over = dict(enumerate(effect.found))
    for done in _commands(effect):
        runs = [(place, left_over.pop(place)) for place in _own(done, left_over)]
        yield Decision(
            prose={"thought": done.said} if done.said and done.tool else {},
            action=Action(name=done.tool, args=done.args) if done.tool else Action(name=SAYS, args={"text": done.said}),
            answer=Observation(text=done.result, outcome=_outcome(runs[0][1]) if runs else Outcome.OK),
            takes_up=(n, runs[0][0]) if runs else None,
        )
        yield from (_script(n, place, run) for place, run in runs[1:])
    yield from (_script(n, place, run) for place, run in left_over.items())


def last_word(turn: Step) -> str:
    """What the model said at the end, or what the command printed last."""
    said = turn.effect.followed[-1].said if turn.effect.followed else ""
    return said or turn.effect.observation.text[-_SAID:]


def _commands(effect: Effect) -> Sequence[Followed]:
    """All but words that nothing came back to."""
    return [done for done in effect.followed if done.tool or done.result]


def _own(done: Followed, left_over: Mapping[int, TrainingRun]) -> list[int]:
    """The training runs of a command: of each script, the first ones left, as many as it names the script."""
    command = json.dumps(done.args, ensure_ascii=False) if done.tool else done.said
    named = Counter({run.script: command.count(run.script.rpartition("/")[2]) for run in left_over.values()})
    own = []
    for place, run in left_over.items():
        if named[run.script] and "python" in command:
            named[run.script] -= 1
            own.append(place)
    return own


def _script(n: int, place: int, run: TrainingRun) -> Decision:
    """A training run that no command names, as a step of its own."""
    args: dict[str, JsonValue] = {"script_name": run.script}
    if run.args:
        args["arguments"] = [*run.args]
    ended = f"exit code {run.exit_code}" if run.killed_by is None else f"stopped ({run.killed_by.value})"
    text = f"The command line ran {run.script}: {ended}, {run.seconds:.1f} s."
    observed = Observation(text=text, outcome=_outcome(run))
    return Decision(action=Action(name=EXECUTE_SCRIPT, args=args), answer=observed, takes_up=(n, place))


def _outcome(run: TrainingRun) -> Outcome:
    if run.killed_by is not None:
        return Outcome.KILLED
    return Outcome.OK if run.succeeded else Outcome.FAILED
