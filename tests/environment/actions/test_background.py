"""Scripts in the background: followed, stopped, ended with the run, and taken up after an interruption."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from environment.records import Effect, KilledBy, Observation, Outcome
from environment.sandbox import open_sandbox
from tests.environment.bench import Bench, make_bench

SCRIPT = """
import time
for epoch in range(600):
    print(f"epoch {epoch} validation mae: {9 - epoch}", flush=True)
    time.sleep(0.1 if epoch else 0)
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = make_bench(tmp_path)
    (bench.root / "train.py").write_text(SCRIPT)
    (bench.root / "short.py").write_text("print('validation mae: 3')\n")
    yield bench
    bench.environment.close()


def begin(bench: Bench, name: str = "train.py") -> str:
    return bench.text("Execute Script", script_name=name, wait=False)


def until_printed(bench: Bench, text: str) -> str:
    for _ in range(200):
        seen = bench.text("Check Script")
        if text in seen:
            return seen
        time.sleep(0.05)
    raise AssertionError(seen)


def test_a_script_is_followed_while_others_act_and_then_stopped(bench: Bench) -> None:
    assert begin(bench).startswith("train.py runs in the background.")
    seen = until_printed(bench, "epoch 1 ")
    assert seen.startswith("train.py (begun in step 0) is still running. Output so far:\nepoch 0")
    assert "Values so far:\nvalidation mae: 9, 8" in seen
    assert bench.outcome("Write File", file_name="new.py", content="") is Outcome.OK
    assert "hello" in bench.text("Run Shell Command", command="echo hello")
    for wait in (True, False):
        refused = bench.act("Execute Script", script_name="short.py", wait=wait).observation
        assert refused.outcome is Outcome.REFUSED
        assert "train.py is running in the background; nothing was run." in refused.text
    step = bench.step
    stopped = bench.act("Stop Script")
    assert stopped.observation.outcome is Outcome.KILLED
    assert f"its results are recorded as those of step {step}." in stopped.observation.text
    assert "train.py was stopped: it was told to stop." in stopped.observation.text
    assert stopped.training_run
    assert (stopped.training_run.id, stopped.training_run.step) == (f"test.{step}", step)
    assert stopped.training_run.killed_by is KilledBy.CANCELLED
    assert b"epoch 1 " in bench.store.get_object(stopped.training_run.output)
    assert "No script runs in the background." in bench.text("Check Script")
    assert bench.outcome("Execute Script", script_name="short.py") is Outcome.OK


def test_its_end_is_waited_for_and_told(bench: Bench) -> None:
    begin(bench, "short.py")
    ended = bench.act("Check Script", wait=20)
    assert ended.training_run
    assert ended.training_run.succeeded
    assert "short.py ended with exit code 0. Output:\nvalidation mae: 3" in ended.observation.text


def test_an_end_that_nobody_saw_is_told_with_every_action(bench: Bench) -> None:
    begin(bench, "short.py")
    note = "Note: short.py (begun in step 0) has ended; look at it with Check Script."
    for _ in range(100):
        if note in bench.text("Run Shell Command", command="sleep 0.05"):
            break
    assert note in bench.text("List Files", dir_path=".")
    assert "short.py has ended in the background" in bench.text("Execute Script", script_name="short.py")
    assert bench.act("Check Script").training_run


def test_the_run_s_end_is_its_end(bench: Bench) -> None:
    begin(bench)
    until_printed(bench, "epoch 1 ")
    last = bench.environment.finish(Effect(observation=Observation(text="done"), final=True), 7)
    assert last.final
    assert last.observation.outcome is Outcome.OK
    assert last.observation.text.startswith("done\ntrain.py (begun in step 0) has ended;")
    assert last.training_run
    assert last.training_run.killed_by is KilledBy.CANCELLED
    nothing = Effect(observation=Observation(text="done"))
    assert bench.environment.finish(nothing, 8) == nothing


def test_after_an_interruption_it_counts_as_ended(bench: Bench, tmp_path: Path) -> None:
    begin(bench)
    state = bench.environment.state()
    bench.environment.close()
    resumed = make_bench(tmp_path)
    resumed.environment.restore(state)
    assert "the run was interrupted; train.py (begun in step 0) has ended with it." in resumed.text(
        "List Files", dir_path="."
    )
    lost = resumed.act("Check Script", wait=5)
    assert "what it had printed is lost" in lost.observation.text
    assert lost.training_run
    assert lost.training_run.killed_by is KilledBy.CANCELLED
    assert resumed.environment.state() == make_bench(tmp_path).environment.state()


def test_or_it_is_run_again(bench: Bench, tmp_path: Path) -> None:
    begin(bench, "short.py")
    state = bench.environment.state()
    bench.environment.close()
    resumed = make_bench(tmp_path, reruns=True)
    resumed.environment.restore(state)
    assert resumed.environment.state() == state
    again = resumed.act("Check Script", wait=20)
    assert "Note: the run was interrupted; short.py (begun in step 0) was begun again." in again.observation.text
    assert again.training_run
    assert again.training_run.succeeded


def test_several_run_at_a_time_where_the_run_allows_them(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, scripts_at_once=3)
    (bench.root / "train.py").write_text(SCRIPT)
    (bench.root / "short.py").write_text("print('validation mae: 3')\n")
    told = {spec.name: spec.description for spec in bench.environment.actions()}
    assert told["Execute Script"].endswith("This run allows 3 scripts at a time.")
    begin(bench)
    begin(bench)
    assert "short.py ended with exit code 0" in bench.text("Execute Script", script_name="short.py")
    begin(bench, "short.py")
    refused = bench.act("Execute Script", script_name="short.py").observation
    assert refused.text.startswith("3 scripts run in the background or have ended there, which is as many as may;")
    several = "Several scripts run in the background: train.py (begun in step 0), train.py (begun in step 1), short.py"
    assert several in bench.text("Check Script")
    assert "No script in the background was begun in step 2." in bench.text("Stop Script", begun=2)
    assert bench.outcome("Final Answer", final_answer="done") is Outcome.REFUSED
    ended = bench.act("Check Script", begun=3, wait=20)
    assert ended.training_run
    assert ended.training_run.succeeded
    state = bench.environment.state()
    stopped = bench.act("Stop Script", begun=1)
    assert stopped.training_run
    assert stopped.training_run.killed_by is KilledBy.CANCELLED
    begin(bench)
    last = bench.environment.finish(Effect(observation=Observation(text="time is up")), bench.step)
    assert last.training_run
    assert last.observation.text.endswith("train.py (begun in step 10) has ended with the run, unrecorded.")
    resumed = make_bench(tmp_path, scripts_at_once=3)
    resumed.environment.restore(state)
    assert resumed.environment.state() == state
    seen = resumed.text("List Files", dir_path=".")
    assert [f"train.py (begun in step {n}) has ended with it." in seen for n in range(3)] == [True, True, False]


def test_the_paper_s_profile_has_none(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, profile="paper")
    (bench.root / "short.py").write_text("print(1)\n")
    assert "no scripts in the background here" in begin(bench, "short.py")


@pytest.mark.slow
def test_docker_holds_one_as_well(docker_daemon: None, tmp_path: Path) -> None:
    bench = make_bench(tmp_path, sandbox=open_sandbox("docker", label="test"))
    (bench.root / "train.py").write_text(SCRIPT)
    begin(bench)
    assert "Values so far:\nvalidation mae: 9, 8" in until_printed(bench, "epoch 1 ")
    stopped = bench.act("Stop Script")
    assert stopped.training_run
    assert stopped.training_run.killed_by is KilledBy.CANCELLED
