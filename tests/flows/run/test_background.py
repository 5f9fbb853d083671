"""A run that is killed while a script of its runs in the background, and resumed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.agent.llm_server import LlmServer
from tests.agent.scripted_answers import Scripted, says
from tests.flows.command import SLOPE, mlab_json, only_run, start

LONG = """import time
for n in range(600):
    print(f"epoch {n} validation MAE: {9 - n / 100}", flush=True)
    time.sleep(0.1)
"""
PLAN = (
    ("Write File", {"file_name": "long.py", "content": LONG}),
    ("Execute Script", {"script_name": "long.py", "wait": False}),
    ("Run Shell Command", {"command": "sleep 600"}),
    ("Check Script", {"wait": 1}),
    ("Final Answer", {"final_answer": "It was long."}),
)


def is_under_way(home: Path) -> bool:
    """Whether the run has journalled the decision that it is killed in, with the script at work beside it."""
    return bool(list(home.glob("store/runs/*/steps/*2/decided.json")))


@pytest.mark.slow
@pytest.mark.usefixtures("mlab_environment")
@pytest.mark.parametrize("becomes", ["ended", "rerun"])
def test_a_script_in_the_background_is_taken_up_after_a_kill(
    becomes: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
    limits = ["--script-timeout", "3", "--interrupted-scripts", becomes]
    with LlmServer(Scripted([says("react", *action) for action in PLAN])) as server:
        model = ["--model", "openai:test-model", "--set", f"model.base_url={server.address}/v1"]
        process = start("run", str(SLOPE), "--agent", "react", *model, *limits)
        while not is_under_way(home):
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.kill()
        process.communicate()
        result = mlab_json("resume", only_run(home), expect=1)  # it submits nothing
    steps = mlab_json("show", only_run(home))
    runs = [step["training_run"] for step in steps]
    seen = [step["observation"] for step in steps]
    assert (result["ended_by"], result["training_runs"]) == ("final_answer", 1)
    told = "was begun again" if becomes == "rerun" else "has ended with it"
    assert f"long.py (begun in step 1) {told}." in str(seen[2])
    assert [n for n, run in enumerate(runs) if run] == [3]
    assert ("epoch 3 " in str(seen[3])) is (becomes == "rerun")
    assert ("what it had printed is lost" in str(seen[3])) is (becomes == "ended")
