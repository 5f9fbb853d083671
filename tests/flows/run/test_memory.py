"""What earlier runs showed, told to a later one: never from the data that it is graded on."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from environment.journal.entries import Journal
from environment.recall import Recall
from environment.records.experience import Experience
from environment.store import Store
from environment.store.layout import memory_key
from tests.agent.llm_server import LlmServer, Reply
from tests.flows.command import SLOPE, mlab, mlab_json, trajectory
from tests.flows.conftest import Finished

pytestmark = pytest.mark.usefixtures("mlab_environment")
RECALLS = "tests.flows.agents:Recalls"
TUNED = ("--agent", "tuner", "--set")


def sibling(folder: Path) -> Path:
    """A task with the same starter on other data."""
    task = Path(shutil.copytree(SLOPE, folder / "steeper"))
    for name, before, after in (("task.toml", 'name = "slope"', 'name = "steeper"'), ("prepare.py", "2.5 *", "2.4 *")):
        text = (task / name).read_text(encoding="utf-8")
        assert before in text
        (task / name).write_text(text.replace(before, after), encoding="utf-8")
    return task


def written(result: dict[str, Any]) -> str:
    """The first script that an agent wrote."""
    steps = trajectory(str(result["run_id"]))
    return next(str(step["action"]["args"]["content"]) for step in steps if step["action"]["name"] == "Write File")


@pytest.mark.slow
def test_what_helped_is_tried_first_on_other_data_and_unknown_on_the_same(home: Path, tmp_path: Path) -> None:
    first = mlab_json("run", str(SLOPE), *TUNED, "trials=4")
    learned = Experience.model_validate(mlab_json("learn"))
    best = max(learned.lessons, key=lambda one: one.gain or 0)
    assert best.gain is not None
    assert best.gain > 0
    assert best.settings
    assert all(run.startswith(first["run_id"]) for run in best.runs)
    store = Store(str(home / "store"))

    same = mlab_json("run", str(SLOPE), *TUNED, "trials=1", "--memory", "default")
    assert store.get_record(Journal(store, same["run_id"]).keys.memory, Experience).lessons == ()
    other = mlab_json("run", str(sibling(tmp_path)), *TUNED, "trials=1", "--memory", "default")
    assert all(f"{name} = {value}" in written(other) for name, value in best.settings.items())
    locks = [Journal(store, result["run_id"]).lock() for result in (first, same, other)]
    assert [lock.memory is None for lock in locks if lock] == [True, False, False]
    assert locks[1] != locks[2]
    allowed = mlab_json("run", str(SLOPE), *TUNED, "trials=1", "--memory", "default", "--memory-of-same-data")
    assert all(f"{name} = {value}" in written(allowed) for name, value in best.settings.items())


@pytest.fixture
def earlier_run(home: Path, undisturbed: Finished) -> None:
    """A run of the tuner lies in the store."""
    shutil.copytree(undisturbed.home / "store", home / "store")


@pytest.mark.usefixtures("earlier_run")
def test_an_agent_recalls_and_a_missing_base_is_told(tmp_path: Path) -> None:
    assert mlab_json("learn", "--name", "mine")["lessons"]
    result = mlab_json("run", str(sibling(tmp_path)), "--agent", RECALLS, "--memory", "mine", expect=1)
    recalled = trajectory(str(result["run_id"]))[0]["observation"]
    assert "slope: " in recalled
    assert "MAE" in recalled
    missing = mlab("run", str(SLOPE), "--agent", "nop", "--memory", "none-such")
    assert missing.returncode == 2
    assert "mlab learn --name none-such" in missing.stderr
    assert mlab("learn", "--name", "../x").returncode == 2


@pytest.mark.usefixtures("earlier_run")
def test_a_model_may_add_its_own_words_to_what_was_measured(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
    with LlmServer([Reply(tools=[("Written", {"summary": "Steeper was better."})]), "no summary"]) as server:
        asking = ("learn", "--model", "openai:test-model", "--set", f"model.base_url={server.address}/v1")
        told = mlab(*asking)
        assert (told.returncode, told.stderr.strip()) == (
            0,
            "openai:test-model: 1 call, 120 tokens, at an unknown price",
        )
        assert "What openai:test-model says of the runs on slope, which nothing measured:\nSteeper was" in told.stdout
        assert "slope: " in server.requests[0].prompt
        failed = mlab(*asking, "--name", "other")
        assert failed.returncode == 1
        assert "gave no summary of slope" in failed.stderr
    kept = Store(str(home / "store")).get_record(memory_key("default"), Experience)
    assert kept.besides("", "slope").summaries == ()
    assert Recall(kept.besides("", "another")).section("slope MAE").endswith("Steeper was better.")
    assert kept.besides(kept.lessons[0].data, "another").summaries == ()
    refused = mlab("learn", "--max-cost", "1")
    assert refused.returncode == 2
    assert "Give --model" in refused.stderr
