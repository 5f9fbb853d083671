"""Runs whose agents are told which of their statements the record contradicts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from environment.journal.tables import read_table
from environment.store import Store
from tests.agent.llm_server import LlmServer, Reply
from tests.flows.command import SLOPE, mlab, mlab_json

pytestmark = pytest.mark.usefixtures("mlab_environment")

INVENTS, INSISTS = ("tests.flows.agents:InventsNumbers", "tests.flows.agents:Insists")


def run(agent: str, *options: str) -> dict[str, Any]:
    result: dict[str, Any] = mlab_json("run", str(SLOPE), "--agent", agent, *options)
    return result


def false_in_answer(home: Path, run_id: str) -> list[object]:
    table = read_table(Store(str(home / "store")), run_id, "claims")
    problems = ("contradicted", "unsupported")
    return [c["quote"] for c in table if c["field"] == "final_answer" and c["verdict"] in problems]


def test_an_agent_that_is_told_ends_with_fewer_false_claims(home: Path) -> None:
    unguarded, guarded = run(INVENTS), run(INVENTS, "--guard")
    assert false_in_answer(home, unguarded["run_id"]) == ["The validation MAE is 0.001."]
    assert false_in_answer(home, guarded["run_id"]) == []
    steps = mlab_json("show", guarded["run_id"])
    (told,) = [line for line in steps[1]["observation"].splitlines() if "contradicts" in line]
    assert 'you wrote "The validation MAE is 0.001."; step 0 printed' in told
    assert "contradicts" not in steps[0]["observation"]
    # Its own words about the record are no evidence.
    evidence = read_table(Store(str(home / "store")), guarded["run_id"], "evidence")
    assert not [row for row in evidence if row["value"] == 0.001]


def test_a_contradicted_final_answer_comes_back_once(home: Path) -> None:
    result = run(INSISTS, "--guard")
    held, handed_in = mlab_json("show", result["run_id"])[1:]
    assert (held["outcome"], handed_in["outcome"]) == ("refused", "ok")
    assert "was not handed in yet" in held["observation"]
    assert result["ended_by"] == "final_answer"
    assert len(false_in_answer(home, result["run_id"])) == 1


def test_a_model_may_read_for_the_guard_and_is_paid_for(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")

    def finds(body: dict[str, Any]) -> Reply:
        if body["tools"][0]["function"]["name"] == "Looks":
            return Reply(tools=[("Looks", {"looks": [{"claim": 1, "why": "it printed more", "answer": "false"}]})])
        quote = "The validation MAE is 0.001."
        row = re.findall(r"(m0:\w+) [^\n]*mae", str(body["messages"]))[-1]
        says = {"type": "value", "metric": "MAE", "split": "validation", "stated": "0.001", "rows": [row]}
        claims = [{"quote": quote, "says": says}] if quote in str(body["messages"]) else []
        return Reply(tools=[("FoundClaims", {"claims": claims})])

    with LlmServer(finds) as server:
        model = ("--guard-model", "openai:reader", "--set", f"model.base_url={server.address}/v1")
        result = run(INVENTS, *model)
    assert len(server.requests) == 3, "nothing is asked of a step without words, and twice of one that is accused"
    assert result["tokens"] == 3 * 120
    assert "contradicts" in mlab_json("show", result["run_id"])[1]["observation"]
    assert false_in_answer(home, result["run_id"]) == []


def test_a_model_that_reads_nothing_for_the_guard_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
    with LlmServer(lambda _: Reply(text="I would not know.")) as server:
        done = mlab(
            *("run", str(SLOPE), "--agent", INVENTS, "--json"),
            *("--guard-model", "openai:reader", "--set", f"model.base_url={server.address}/v1"),
        )
    assert done.returncode == 0, done.stderr
    assert 'The model of --guard-model did not read "' in done.stderr
    assert "its answer does not fit. The agent is told nothing of it." in done.stderr


def test_a_model_that_cannot_be_reached_is_told_as_the_guards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
    done = mlab(
        *("run", str(SLOPE), "--agent", INVENTS, "--set", "model.attempts=1", "--guard-model", "openai:reader"),
        *("--set", "model.base_url=http://127.0.0.1:9/v1"),
    )
    told = " ".join(f"{done.stdout} {done.stderr}".split())
    assert "The guard's model: openai:reader cannot be reached" in told
    assert "Check the address and the network" in told


@pytest.mark.slow
def test_guarded_runs_are_contestants_of_their_own(home: Path, tmp_path: Path) -> None:
    run(INVENTS)
    run(INVENTS, "--guard")
    done = mlab("report", "--out", str(tmp_path / "report"))
    assert done.returncode == 0, done.stderr
    summary = (tmp_path / "report" / "runs.csv").read_text()
    assert "InventsNumbers · guarded" in summary
