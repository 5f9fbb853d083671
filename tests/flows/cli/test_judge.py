"""``mlab judge`` on a finished run, with a model behind a real HTTP server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import LlmServer, Reply
from tests.conftest import variables_of
from tests.evaluation.process.test_judge import FAIR
from tests.flows.command import mlab, mlab_json
from tests.flows.conftest import Finished

pytestmark = pytest.mark.usefixtures("mlab_environment")


def test_runs_are_judged_once_and_the_agreement_is_told(undisturbed: Finished, prefect_server: str) -> None:
    environment = {**variables_of(undisturbed.home, prefect_server), "OPENAI_API_KEY": "sk-planted-0123456789abcdef"}

    def answer(body: dict[str, Any]) -> Reply:
        assert "slope" in json.dumps(body["messages"]).lower()
        return Reply(tools=[("Rubric", FAIR.model_dump())])

    with LlmServer(answer) as server:
        arguments = ["judge", undisturbed.run_id, "--model", "openai:judge"]
        arguments += ["--set", f"model.base_url={server.address}/v1"]
        first = mlab_json(*arguments, env=environment)
        assert len(server.requests) == 1
        assert mlab_json(*arguments, env=environment) == first, "an answer is not paid for twice"
        shown = mlab(*arguments, "--again", env=environment)
        assert len(server.requests) == 2
    (run,) = first["runs"]
    assert (run["run_id"], run["rubric"]["solved"], run["tokens"]) == (undisturbed.run_id, True, 120)
    assert [one["agreed"] for one in first["agreement"]] == [1, 1, 1, 1]
    assert FAIR.summary.split()[0] in shown.stdout
    assert "Agreement with the rules" in shown.stdout


def test_the_limit_on_money_ends_it_with_what_was_judged(
    undisturbed: Finished, prefect_server: str, tmp_path: Path
) -> None:
    environment = {**variables_of(undisturbed.home, prefect_server), "OPENAI_API_KEY": "sk-planted-0123456789abcdef"}
    with LlmServer(lambda _: Reply(tools=[("Rubric", FAIR.model_dump())])) as server:
        prices = tmp_path / "prices.toml"
        price = "{ input = 10.0, output = 50.0 }"
        prices.write_text(f'version = "test"\n[prices]\n"openai:judge@{server.address}/v1" = {price}\n')
        arguments = ["judge", *[undisturbed.run_id] * 2, "--model", "openai:judge", "--again", "--max-cost", "0.001"]
        arguments += ["--set", f"model.base_url={server.address}/v1", "--set", f"model.prices={prices}", "--json"]
        done = mlab(*arguments, env=environment)
        assert len(server.requests) == 1
    assert done.returncode == 1
    assert "The limit of $0.0010 is reached after 1 call, 120 tokens, $0.0020" in " ".join(done.stderr.split())
    assert [run["cost"] for run in json.loads(done.stdout)["runs"]] == [0.002]


def test_wrong_usage() -> None:
    assert "--model" in mlab("judge").stderr
    done = mlab("judge", "--model", "openai:judge", "--set", "temperature=1")
    assert done.returncode == 2
    assert "temperature" in done.stderr
