"""What the documents say about agents and models is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent.autogpt import AutoGptSettings
from agent.entries import EntrySettings
from agent.models.factory import PROVIDERS
from agent.models.settings import ModelSettings
from agent.protocol import AgentContext
from agent.registry import BUILT_IN, make_agent
from agent.research.settings import ResearchSettings
from agent.tools import ToolsSettings
from agent.tuner.agent import TunerSettings
from tests.agent.bench import Bench

DOCS = Path(__file__).parents[2] / "docs"
AGENTS, MODELS = (DOCS / "agents.md").read_text(), (DOCS / "models.md").read_text()

TRAINING = """
EPOCHS = 1
print(f"validation loss: {abs(EPOCHS - 5)}")
"""


def test_the_agent_of_the_docs_runs_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = re.search(r"```python\n(.*?)```", AGENTS, re.DOTALL)
    assert found
    assert len(found[1].strip().splitlines()) <= 40
    (tmp_path / "doubler.py").write_text(found[1])
    monkeypatch.chdir(tmp_path)
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "train.py").write_text(TRAINING)
    steps = Bench(workspace).run(lambda: make_agent("doubler.py:Doubler", AgentContext()), fresh_each_step=True)
    losses = [step.effect.training_run.metrics[0].value for step in steps if step.effect.training_run]
    assert losses == [4, 3, 1, 3]
    assert steps[-1].effect.final


def test_every_agent_is_in_the_table() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", AGENTS, re.MULTILINE))
    assert set(BUILT_IN) - {"forger", "leaker", "vandal"} <= rows


@pytest.mark.parametrize("kind", [TunerSettings, ResearchSettings, EntrySettings, ToolsSettings, AutoGptSettings])
def test_every_setting_is_described(kind: type[ResearchSettings]) -> None:
    assert all(f"`{name}`" in AGENTS for name in kind.model_fields)


def test_every_model_setting_and_provider_is_described() -> None:
    assert all(f"`model.{name}`" in MODELS for name in ModelSettings.model_fields)
    assert all(f"`{name}`" in MODELS and f"[{provider.extra}]" in MODELS for name, provider in PROVIDERS.items())
