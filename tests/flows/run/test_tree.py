"""A tree search as a run: killed at random it ends like an undisturbed one, and its tree is shown."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import LlmServer
from tests.agent.tree_server import next_script
from tests.conftest import make_home, variables_of
from tests.flows.command import SLOPE, mlab, mlab_json, trajectory
from tests.flows.conftest import Finished
from tests.flows.run.test_resume import kill_and_resume

SCRIPT = (SLOPE / "workspace" / "train.py").read_text()
KEY = "sk-planted-0123456789abcdef"


def slopes(body: dict[str, Any]) -> str:
    braces = SCRIPT.replace("{", "{{").replace("}", "}}")
    return next_script(body, re.sub(r"^SLOPE = \S+", "SLOPE = 0.{value}", braces, flags=re.MULTILINE))


@pytest.fixture(scope="module")
def server() -> Iterator[LlmServer]:
    with LlmServer(slopes) as started:
        yield started


def command(server: LlmServer) -> list[str]:
    model = ["--model", "openai:scripted", "--set", f"model.base_url={server.address}/v1"]
    return ["run", str(SLOPE), "--agent", "tree", *model, "--set", "drafts=2", "--max-steps", "11"]


@pytest.fixture(scope="module")
def searched(
    tmp_path_factory: pytest.TempPathFactory, shared_folder: Path, prefect_server: str, server: LlmServer
) -> tuple[dict[str, Any], dict[str, str]]:
    home = make_home(tmp_path_factory.mktemp("tree"), shared_folder)
    environment = {**variables_of(home, prefect_server), "OPENAI_API_KEY": KEY}
    return mlab_json(*command(server), env=environment), environment


def tree_of(run: str, env: dict[str, str] | None = None) -> dict[str, Any]:
    tree: dict[str, Any] = mlab_json("show", run, "--tree", env=env)
    return tree


def test_the_tree_is_shown(searched: tuple[dict[str, Any], dict[str, str]]) -> None:
    result, environment = searched
    tree = tree_of(result["run_id"], environment)
    nodes = tree["nodes"]
    best = min((node for node in nodes if not node["buggy"]), key=lambda node: node["value"])
    assert tree["submitted"] == best["id"]
    assert best["on_path"]
    assert "+SLOPE = 0." in best["diff"]
    shown = mlab("show", result["run_id"], "--tree", env=environment).stdout
    assert "submitted" in shown
    assert "✕ ValueError: not this way" in shown
    assert result["claims"].keys() <= {"supported", "uncheckable"}


@pytest.mark.parametrize("kills", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_a_killed_search_ends_like_an_undisturbed_one(
    mlab_environment: Path,
    searched: tuple[dict[str, Any], dict[str, str]],
    server: LlmServer,
    monkeypatch: pytest.MonkeyPatch,
    kills: int,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    result, environment = searched
    killed = kill_and_resume(mlab_environment, kills, random.Random(kills), command(server))
    assert trajectory(killed) == trajectory(result["run_id"], environment)
    assert tree_of(killed) == tree_of(result["run_id"], environment)


def test_a_run_without_a_tree_says_so(undisturbed: Finished, prefect_server: str) -> None:
    refused = mlab("show", undisturbed.run_id, "--tree", env=variables_of(undisturbed.home, prefect_server))
    assert refused.returncode == 2
    assert "keeps no search tree" in refused.stderr
