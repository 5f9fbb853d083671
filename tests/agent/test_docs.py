"""What the documents say about agents and models is so."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from agent.autogpt import AutoGptSettings
from agent.entries import EntrySettings
from agent.models.factory import PROVIDERS
from agent.models.settings import ModelSettings
from agent.protocol import Agent, AgentContext
from agent.registry import AGENTS, make_agent
from agent.research.settings import ResearchSettings
from agent.tools import ToolsSettings
from agent.tree.policy import TreeSettings
from agent.tuner.agent import TunerSettings
from agent.tuner.bandit import BanditSettings
from agent.tuner.ensemble import EnsembleSettings
from environment.records import Budget
from tasks_catalog.catalog import load_task
from tests.agent.bench import Bench

DOCS = Path(__file__).parents[2] / "docs"
AGENTS_PAGE, MODELS_PAGE = (DOCS / "agents.md").read_text(), (DOCS / "models.md").read_text()

TRAINING = """
EPOCHS = 1
print(f"validation MAE: {abs(EPOCHS - 5)}")
"""


SETTINGS = (
    TunerSettings,
    BanditSettings,
    EnsembleSettings,
    ResearchSettings,
    EntrySettings,
    ToolsSettings,
    AutoGptSettings,
    TreeSettings,
)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one, with the agent of the docs in the folder above, which is the current one."""
    found = re.search(r"```python\n(.*?)```", AGENTS_PAGE, re.DOTALL)
    assert found
    assert len(found[1].strip().splitlines()) <= 40
    (tmp_path / "doubler.py").write_text(found[1])
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def doubler() -> Agent:
    return make_agent("doubler.py:Doubler", AgentContext())


def test_the_agent_of_the_docs_runs_and_resumes(workspace: Path) -> None:
    (workspace / "train.py").write_text(TRAINING)
    steps = Bench(workspace).run(doubler, fresh_each_step=True)
    errors = [step.effect.training_run.metrics[0].value for step in steps if step.effect.training_run]
    assert errors == [4, 3, 1, 3, 1]
    assert steps[-1].effect.final


def test_the_agent_of_the_docs_changes_the_starter_of_the_task_named_there(workspace: Path) -> None:
    assert "mlab run house-price --agent doubler.py:Doubler" in AGENTS_PAGE
    shutil.copy(load_task("house-price").starter / "train.py", workspace)
    (workspace / "data").mkdir()
    rows = "".join(f"{n},{n * n},{1000 * n}\n" for n in range(50))
    for name in ("train", "test"):
        (workspace / "data" / f"{name}.csv").write_text(f"Id,Area,SalePrice\n{rows}")
    run, write = Bench(workspace, budget=Budget(steps=2), has_libraries=True).run(doubler)
    assert run.effect.training_run
    assert "\nN_ESTIMATORS = 100 " in str(write.decision.action.args["content"])


def test_every_agent_is_in_the_table() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", AGENTS_PAGE, re.MULTILINE))
    assert set(AGENTS.built_in) - {"forger", "leaker", "vandal"} <= rows


@pytest.mark.parametrize(
    "kind",
    [
        TunerSettings,
        ResearchSettings,
        EntrySettings,
        ToolsSettings,
        AutoGptSettings,
        TreeSettings,
        BanditSettings,
        EnsembleSettings,
    ],
)
def test_every_setting_is_described(kind: type[ResearchSettings]) -> None:
    assert all(f"`{name}`" in AGENTS_PAGE for name in kind.model_fields)


def test_every_model_setting_and_provider_is_described() -> None:
    assert all(f"`model.{name}`" in MODELS_PAGE for name in ModelSettings.model_fields)
    assert all(
        f"`{name}`" in MODELS_PAGE and f"`{provider.extra}`" in MODELS_PAGE for name, provider in PROVIDERS.items()
    )
