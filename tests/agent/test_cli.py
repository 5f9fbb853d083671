"""A foreign agent's command line as an agent: its task in a file, its turns as steps, its last words submitted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.cli import COMMAND_LINE
from agent.errors import AgentSettingsError
from agent.protocol import AgentContext, View
from agent.registry import make_agent
from environment.records import Action, Budget, Effect, Followed, Machine, Observation, Outcome, TrainingRun
from tests.agent.bench import Bench


class WithModels(Bench):
    """Offers models to scripts, and says of each command that it worked."""

    models = "http://127.0.0.1:8317/v1"
    followed: tuple[Followed, ...] = ()
    found: tuple[TrainingRun, ...] = ()

    def view(self) -> View:
        return replace(super().view(), machine=lambda: Machine(models=self.models))

    def act(self, action: Action) -> Effect:
        if action.name == COMMAND_LINE:
            return Effect(observation=Observation(text="I improved it."), followed=self.followed, found=self.found)
        return super().act(action)


def test_its_task_lies_in_a_file_and_each_turn_is_a_step(tmp_path: Path) -> None:
    bench = WithModels(tmp_path, budget=Budget(steps=9))
    context = AgentContext(model="openai:m", settings={"cli.command": "mini", "turns": 2, "model.top_p": 1})
    steps = bench.run(lambda: make_agent("cli", context), fresh_each_step=True)
    assert [step.decision.action.name for step in steps] == [
        "Write File",
        COMMAND_LINE,
        COMMAND_LINE,
        "Final Answer",
    ]
    task = (tmp_path / "PROMPT.md").read_text()
    assert "## Task\nMake train.py better." in task
    assert "OPENAI_BASE_URL" in task
    assert steps[1].decision.action.args == {"command": "mini"}
    assert steps[-1].decision.action.args == {"final_answer": "I improved it."}


def test_without_a_gateway_or_a_command_it_says_what_is_missing(tmp_path: Path) -> None:
    bench = WithModels(tmp_path)
    bench.models = ""
    with pytest.raises(AgentSettingsError, match="needs models inside the sandbox"):
        bench.step(make_agent("cli", AgentContext(settings={"command": "mini"})))
    with pytest.raises(AgentSettingsError, match="command"):
        make_agent("cli", AgentContext())


def found(script: str, exit_code: int = 0) -> TrainingRun:
    return TrainingRun(
        id="run.1",
        step=1,
        script=script,
        script_sha256="",
        exit_code=exit_code,
        started=datetime.now(UTC),
        seconds=2,
        output="",
    )


def test_what_a_turn_did_is_retold_step_by_step_with_its_training_runs(tmp_path: Path) -> None:
    bench = WithModels(tmp_path, budget=Budget(steps=20))
    bench.followed = (
        Followed(said="Look.", tool="shell", args={"command": "ls"}, result="train.py"),
        Followed(said="Run it twice.", tool="shell", args={"command": "python train.py; python train.py"}, result="0"),
        Followed(tool="edit", args={"path": "train.py"}, result="changed"),
        Followed(said="```python train.py```", result="1"),
        Followed(said="All done."),
    )
    bench.found = (found("train.py"), found("train.py", 1), found("train.py", 2), found("sub/other.py"))
    steps = bench.run(lambda: make_agent("cli", AgentContext(model="openai:m", settings={"command": "mini"})))
    told = [(step.decision.action.name, step.decision.takes_up, step.effect.observation.outcome) for step in steps[2:]]
    assert told == [
        ("shell", None, Outcome.OK),
        ("shell", (1, 0), Outcome.OK),
        ("Execute Script", (1, 1), Outcome.FAILED),
        ("edit", None, Outcome.OK),
        ("Say", (1, 2), Outcome.FAILED),
        ("Execute Script", (1, 3), Outcome.OK),
        ("Final Answer", None, Outcome.OK),
    ]
    assert steps[3].decision.prose == {"thought": "Run it twice."}
    assert steps[4].effect.observation.text == "The command line ran train.py: exit code 1, 2.0 s."
    assert steps[-1].decision.action.args == {"final_answer": "All done."}
