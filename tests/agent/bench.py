"""A workspace in a folder, enough to drive an agent: the actions it uses, run for real, without a sandbox."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from agent.protocol import Agent, View
from environment.actions.spec import ActionSpec
from environment.records import (
    Action,
    Budget,
    Checkpoint,
    Decision,
    Effect,
    MetricPoint,
    Observation,
    Outcome,
    Spent,
    Step,
    TrainingRun,
)
from tasks_catalog.library.spec import Direction

METRIC_LINE = re.compile(r"^(?:(train|validation|test) )?(\w+): ([-\d.e+]+)$", re.MULTILINE)


def spec(name: str, *, reads_only: bool = False, **usage: str) -> ActionSpec:
    """An action with text arguments."""
    properties = {arg: {"type": "string", "description": text} for arg, text in usage.items()}
    schema: dict[str, object] = {"type": "object", "properties": properties, "required": list(usage)}
    description = f"This is the action {name}."
    return ActionSpec(
        name=name,
        description=description,
        usage=usage,
        returns="The observation is text.",
        input_schema=schema,
        reads_only=reads_only,
    )


ACTIONS = (
    spec("List Files", reads_only=True, dir_path="a folder"),
    spec("Read File", reads_only=True, file_name="a file"),
    spec("Write File", file_name="a file", content="what to write"),
    spec("Execute Script", script_name="a script"),
    spec("Final Answer", final_answer="what was done"),
)


@dataclass
class Bench:
    """Drives one agent at a time; every step goes through JSON as a checkpoint does.

    Scripts start without installed libraries, which is faster, unless ``has_libraries``.
    """

    root: Path
    instruction: str = "Make train.py better."
    metric: str = "mae"
    direction: Direction = Direction.MINIMIZE
    budget: Budget = field(default_factory=lambda: Budget(steps=50))
    has_libraries: bool = False
    actions: Sequence[ActionSpec] = ACTIONS
    steps: list[Step] = field(default_factory=list)
    states: list[str] = field(default_factory=list)

    def view(self) -> View:
        """What the agent sees now."""
        spent = Spent(
            steps=len(self.steps),
            wall_seconds=sum(s.effect.seconds for s in self.steps),
            training_runs=sum(s.effect.training_run is not None for s in self.steps),
        )
        return View(
            instruction=self.instruction,
            script="train.py",
            metric=self.metric,
            direction=self.direction,
            actions=self.actions,
            steps=tuple(self.steps),
            budget=self.budget,
            spent=spent,
            look=self.look,
        )

    def step(self, agent: Agent) -> Step:
        """One decision, carried out and kept."""
        decision = Decision.model_validate_json(agent.decide(self.view()).model_dump_json())
        self.states.append(json.dumps(agent.state()))
        effect = Effect(observation=decision.answer) if decision.answer is not None else self.act(decision.effective)
        n, now = len(self.steps), datetime.now(UTC)
        checkpoint = Checkpoint(
            step=n, workspace="", agent_state="", environment_state="", spent=Spent(), committed=now
        )
        self.steps.append(Step(n=n, decision=decision, effect=effect, checkpoint=checkpoint, started=now))
        return self.steps[-1]

    def run(self, make: Callable[[], Agent], *, fresh_each_step: bool = False) -> list[Step]:
        """To the final answer or the end of the steps; ``fresh_each_step`` remakes the agent from its state."""
        agent = make()
        while self.budget.steps is None or len(self.steps) < self.budget.steps:
            if fresh_each_step:
                agent = make()
                if self.states:
                    agent.restore(json.loads(self.states[-1]))
            if self.step(agent).effect.final:
                break
        return self.steps

    def look(self, action: Action) -> Observation:
        """Carry out an action that only reads."""
        return self.act(action).observation

    def act(self, action: Action) -> Effect:
        """Carry out one action."""
        args = {name: str(value) for name, value in action.args.items()}
        match action.name:
            case "Read File":
                return _said((self.root / args["file_name"]).read_text())
            case "List Files":
                return _said("\n".join(sorted(p.name for p in self.root.iterdir())))
            case "Write File":
                path = self.root / args["file_name"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(args["content"])
                return _said("written")
            case "Copy File":
                target = self.root / args["destination"]
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.root / args["source"], target)
                return _said("copied")
            case "Execute Script":
                return self._execute(args["script_name"])
            case "Final Answer":
                return Effect(observation=Observation(text="end"), final=True)
            case _:
                return _said(f"no action {action.name}", Outcome.REFUSED)

    def _execute(self, script: str) -> Effect:
        started = datetime.now(UTC)
        options = () if self.has_libraries else ("-S",)
        done = subprocess.run(
            [sys.executable, *options, script], cwd=self.root, capture_output=True, text=True, timeout=60
        )
        metrics = tuple(
            MetricPoint.model_validate({"split": split or None, "name": name, "value": float(value)})
            for split, name, value in METRIC_LINE.findall(done.stdout)
        )
        seconds = (datetime.now(UTC) - started).total_seconds()
        run = TrainingRun(
            id=f"bench.{len(self.steps)}",
            step=len(self.steps),
            script=script,
            script_sha256=hashlib.sha256((self.root / script).read_bytes()).hexdigest(),
            exit_code=done.returncode,
            started=started,
            seconds=seconds,
            output="",
            metrics=metrics,
        )
        outcome = Outcome.OK if done.returncode == 0 else Outcome.FAILED
        observation = Observation(text=done.stdout + done.stderr, outcome=outcome)
        return Effect(observation=observation, training_run=run, seconds=seconds)


def _said(text: str, outcome: Outcome = Outcome.OK) -> Effect:
    return Effect(observation=Observation(text=text, outcome=outcome))
