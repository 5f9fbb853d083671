"""Agents with a model in whole benchmark runs: killed at bad moments, and led by a real small model."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from environment.store import RunKeys
from tests.agent.llm_server import LlmServer, Reply
from tests.agent.scripted_answers import LLM_AGENTS, Scripted, is_decision, says
from tests.agent.small_model import SmallModel, missing
from tests.flows.command import SLOPE, mlab, mlab_json, only_run, start
from tests.flows.forked import Forked

SLOW_SCRIPT = "import time\ntime.sleep(3)\nprint('validation MAE: 1.5')\n"
PLAN = (
    ("Execute Script", {"script_name": "train.py"}),
    ("Write File", {"file_name": "slow.py", "content": SLOW_SCRIPT}),
    ("Execute Script", {"script_name": "slow.py"}),
    ("Final Answer", {"final_answer": "The validation MAE is 1.5."}),
)
KILLED_AT = 2
"""The step in which the run is killed."""


TOKENS = sum(Reply.usage[:2]) if Reply.usage else 0
"""What each answer of the server is said to have cost."""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")


def run(agent: str, server: LlmServer, *more: str) -> list[str]:
    """The command that lets an agent work with the server's model."""
    model = ["--model", "openai:test-model", "--set", f"model.base_url={server.address}/v1"]
    return ["run", str(SLOPE), "--agent", agent, *model, "--set", "model.backoff=0.01", *more]


def decided(home: Path, n: int) -> bool:
    """Whether the only run has journalled the decision of step ``n``."""
    return bool(list((home / "store").glob(RunKeys(run_id="*").decided(n))))


def kill_when(process: Forked, due: Callable[[], bool]) -> None:
    """SIGKILL a run as soon as something has happened."""
    while not due():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.kill()
    process.communicate()


class ThinksLong(Scripted):
    """Does not answer the first request for the decision of one step before the run is killed."""

    def __init__(self, agent: str, step: int) -> None:
        asked = [*PLAN[: step + 1], *PLAN[step:]]
        super().__init__([says(agent, *action) for action in asked])
        self.decisions = 0
        self._long = step

    def __call__(self, body: dict[str, Any]) -> Reply:
        reply = super().__call__(body)
        if is_decision(body):
            self.decisions += 1
            if self.decisions == self._long + 1:
                time.sleep(3)
        return reply


@pytest.mark.usefixtures("mlab_environment")
@pytest.mark.parametrize(
    "agent", [name if name == "research" else pytest.param(name, marks=pytest.mark.slow) for name in LLM_AGENTS]
)
def test_no_decision_is_paid_twice_by_a_run_killed_in_its_script(agent: str, home: Path) -> None:
    with LlmServer(Scripted([says(agent, *action) for action in PLAN])) as server:
        process = start(*run(agent, server))
        kill_when(process, lambda: decided(home, KILLED_AT))
        result = mlab_json("resume", only_run(home))
        decisions = [request for request in server.requests if is_decision(request.body)]
        assert (result["status"], result["steps"], len(decisions)) == ("completed", len(PLAN), len(PLAN))
        assert result["tokens"] == len(server.requests) * TOKENS


@pytest.mark.slow
@pytest.mark.usefixtures("mlab_environment")
@pytest.mark.parametrize("agent", LLM_AGENTS)
def test_only_the_unanswered_question_is_asked_again_after_a_kill(agent: str, home: Path) -> None:
    script = ThinksLong(agent, KILLED_AT)
    with LlmServer(script) as server:
        process = start(*run(agent, server))
        kill_when(process, lambda: script.decisions > KILLED_AT)
        result = mlab_json("resume", only_run(home))
    assert (result["status"], result["steps"], script.decisions) == ("completed", len(PLAN), len(PLAN) + 1)


@pytest.fixture(scope="module")
def small_model() -> Iterator[LlmServer]:
    if absent := missing():
        pytest.skip(f"not installed: {', '.join(absent)}")
    with LlmServer(SmallModel(), context=2_048) as server:
        yield server


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.usefixtures("mlab_environment")
@pytest.mark.parametrize("agent", LLM_AGENTS)
def test_whatever_a_small_model_writes_the_run_ends_well(agent: str, small_model: LlmServer, home: Path) -> None:
    asked = len(small_model.requests)
    done = mlab(*run(agent, small_model, "--max-steps", "3", "--set", f"{agent}.repairs=2", "--json"), timeout=3_500)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    result = json.loads(done.stdout)
    steps = mlab_json("show", result["run_id"])
    assert result["ended_by"] in ("steps", "final_answer", "error")
    assert len(steps) == result["steps"]
    assert result["status"] == "completed" or result["invalid_submission"]
    assert result["ended_by"] != "error" or " could be " in result["error"]
    assert len(small_model.requests) > asked
    before = len(small_model.requests)
    assert mlab("resume", result["run_id"]).returncode == done.returncode
    assert len(small_model.requests) == before
