"""A foreign agent's command line as an agent: its task in a file, its turns as steps, its last words submitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import AgentSettingsError
from agent.protocol import AgentContext, View
from agent.registry import make_agent
from environment.records import Action, Budget, Effect, Machine, Observation
from tests.agent.bench import Bench


class WithModels(Bench):
    """Offers models to scripts, and says of each command that it worked."""

    models = "http://127.0.0.1:8317/v1"

    def view(self) -> View:
        return replace(super().view(), machine=lambda: Machine(models=self.models))

    def act(self, action: Action) -> Effect:
        if action.name == "Run Shell Command":
            return Effect(observation=Observation(text="I improved it."))
        return super().act(action)


def test_its_task_lies_in_a_file_and_each_turn_is_a_step(tmp_path: Path) -> None:
    bench = WithModels(tmp_path, budget=Budget(steps=9))
    context = AgentContext(model="openai:m", settings={"cli.command": "mini", "turns": 2, "model.top_p": 1})
    steps = bench.run(lambda: make_agent("cli", context), fresh_each_step=True)
    assert [step.decision.action.name for step in steps] == [
        "Write File",
        "Run Shell Command",
        "Run Shell Command",
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
