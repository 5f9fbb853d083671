"""``mlab judge`` on a finished run, with a model behind a real HTTP server."""

from __future__ import annotations

import json
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


def test_wrong_usage() -> None:
    assert "--model" in mlab("judge").stderr
    done = mlab("judge", "--model", "openai:judge", "--set", "temperature=1")
    assert done.returncode == 2
    assert "temperature" in done.stderr
