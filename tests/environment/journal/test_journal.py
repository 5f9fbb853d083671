from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from environment.errors import JournalError, RunNotFoundError
from environment.journal.entries import Journal
from environment.records import (
    Action,
    Checkpoint,
    Decided,
    Decision,
    Effect,
    Executed,
    Observation,
    RunConfig,
    Spent,
)
from environment.snapshots.trees import Snapshots
from environment.store import RunKeys, Store, object_key

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def decided(n: int, thought: str = "") -> Decided:
    decision = Decision(prose={"Thought": thought or f"step {n}"}, action=Action(name="List Files", args={"n": n}))
    return Decided(decision=decision, agent_state="a" * 64, started=NOW)


def executed(n: int, text: str = "") -> Executed:
    effect = Effect(observation=Observation(text=text or f"seen {n}"), seconds=0.1 * n)
    return Executed(effect=effect, workspace="b" * 64, environment_state="c" * 64)


def checkpoint(n: int) -> Checkpoint:
    return Checkpoint(
        step=n,
        workspace="b" * 64,
        agent_state="a" * 64,
        environment_state="c" * 64,
        spent=Spent(steps=n + 1),
        committed=NOW,
    )


def take_step(journal: Journal, n: int) -> None:
    journal.record_decided(n, decided(n))
    journal.record_executed(n, executed(n))
    journal.commit(n, checkpoint(n))


def run_of(steps: int, store: Store, run_id: str = "run") -> Journal:
    journal = Journal(store, run_id)
    for n in range(steps):
        take_step(journal, n)
    return journal


@pytest.fixture
def store() -> Store:
    return Store(f"memory://{uuid4().hex}")


def test_a_step_exists_once_it_is_committed(store: Store) -> None:
    journal = run_of(2, store)
    journal.record_decided(2, decided(2))
    journal.record_executed(2, executed(2))
    for seen in (journal, Journal(store, "run")):
        steps = seen.steps()
        assert [step.n for step in steps] == [0, 1]
        assert steps[1].decision == decided(1).decision
        assert steps[1].effect == executed(1).effect
        assert steps[1].started == NOW
        assert seen.checkpoint(1) == checkpoint(1)
        assert seen.checkpoint(2) is None
        assert seen.decided(2) == decided(2)
        assert seen.executed(2) == executed(2)
        assert seen.decided(3) is None


def test_the_first_record_counts(store: Store) -> None:
    journal = run_of(1, store)
    journal.record_decided(1, decided(1, "first"))
    again = Journal(store, "run")
    assert again.record_decided(1, decided(1, "second")) == decided(1, "first")
    again.record_executed(1, executed(1, "first"))
    assert again.record_executed(1, executed(1, "second")) == executed(1, "first")
    assert again.commit(0, checkpoint(0).model_copy(update={"spent": Spent(steps=9)})) == checkpoint(0)


def test_entries_come_in_order(store: Store) -> None:
    journal = Journal(store, "run")
    with pytest.raises(JournalError, match="0 steps are committed"):
        journal.record_decided(1, decided(1))
    with pytest.raises(JournalError, match="before it was decided"):
        journal.record_executed(0, executed(0))
    journal.record_decided(0, decided(0))
    with pytest.raises(JournalError, match="can't be committed"):
        journal.commit(0, checkpoint(0))


def test_another_process_is_seen(store: Store) -> None:
    reader = Journal(store, "run")
    assert reader.steps() == []
    run_of(3, store)
    assert len(reader.steps()) == 3


@pytest.mark.parametrize("damage", ["torn", "missing", "empty"])
@pytest.mark.parametrize("entry", [RunKeys.decided, RunKeys.executed, RunKeys.committed])
def test_a_damaged_last_file_costs_its_step_only(store: Store, entry: object, damage: str) -> None:
    run_of(3, store)
    assert callable(entry)
    key = entry(RunKeys(run_id="run"), 2)
    if damage == "missing":
        store.delete(key)
    else:
        store.put(key, b"" if damage == "empty" else store.get(key)[:-20])
    journal = Journal(store, "run")
    assert len(journal.steps()) == 2
    take_step(journal, 2)
    assert [step.n for step in Journal(store, "run").steps()] == [0, 1, 2]


@pytest.mark.parametrize("held", [False, True])
def test_a_torn_commit_hides_the_steps_after_it_until_it_is_written_again(store: Store, held: bool) -> None:
    run_of(4, store)
    store.delete(RunKeys(run_id="run").committed(1))
    journal = Journal(store, "run")
    if held:
        journal.hold()
    assert len(journal.steps()) == 1
    journal.commit(1, checkpoint(1))
    assert len(journal.steps()) == 4


def test_what_is_known_of_a_held_run_is_not_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run_of(2, store)
    journal = Journal(store, "run")
    journal.hold()
    take_step(journal, 2)
    monkeypatch.setattr(Store, "get", lambda *_: pytest.fail("the store is read"))
    assert journal.decided(2) == decided(2)
    assert journal.checkpoint(2) == checkpoint(2)
    assert [step.n for step in journal.steps()] == [0, 1, 2]
    assert journal.decided(3) is None


def test_a_torn_commit_loses_no_decision(store: Store) -> None:
    run_of(3, store).record_decided(3, decided(3, "paid for"))
    store.delete(RunKeys(run_id="run").committed(2))
    journal = Journal(store, "run")
    assert len(journal.steps()) == 2
    assert journal.executed(2) == executed(2)
    journal.commit(2, checkpoint(2))
    assert journal.decided(3) == decided(3, "paid for")


def test_what_followed_from_another_past_is_not_mixed_in(store: Store) -> None:
    run_of(4, store)
    store.delete(RunKeys(run_id="run").decided(1))
    journal = Journal(store, "run")
    assert len(journal.steps()) == 1
    journal.record_decided(1, decided(1, "otherwise"))
    assert journal.executed(1) is None
    journal.record_executed(1, executed(1))
    journal.commit(1, checkpoint(1))
    assert journal.decided(2) is None
    assert len(Journal(store, "run").steps()) == 2


@settings(deadline=None)
@given(cut=st.integers(min_value=0), size=st.integers(min_value=1, max_value=4))
def test_any_file_cut_anywhere_leaves_a_usable_prefix(cut: int, size: int) -> None:
    store = Store(f"memory://{uuid4().hex}")
    whole = run_of(size, store).steps()
    files = store.list("runs/run/")
    key = files[cut % len(files)]
    data = store.get(key)
    store.put(key, data[: cut % len(data)])
    journal = Journal(store, "run")
    kept = journal.steps()
    assert kept == whole[: len(kept)]
    for n in range(len(kept), size):
        take_step(journal, n)
    assert Journal(store, "run").steps() == whole


def test_a_branch_shares_the_past_and_not_the_future(store: Store) -> None:
    trunk = run_of(5, store, "trunk")
    branch = Journal(store, "branch")
    branch.branch_from(trunk, 2)
    branch.branch_from(trunk, 2)
    assert branch.steps() == trunk.steps()[:3]
    branch.record_decided(3, decided(3, "another way"))
    assert trunk.decided(3) == decided(3)
    with pytest.raises(JournalError, match="5 committed steps"):
        branch.branch_from(trunk, 5)


def test_flow_runs_remember_where_they_took_up(store: Store) -> None:
    journal = run_of(2, store)
    assert journal.first_step_of("flow-a") == 2
    take_step(journal, 2)
    assert journal.first_step_of("flow-a") == 2
    assert Journal(store, "run").first_step_of("flow-a") == 2
    assert journal.first_step_of("flow-b") == 3


def test_config_makes_the_run(store: Store) -> None:
    journal = Journal(store, "run")
    with pytest.raises(RunNotFoundError, match="No run run"):
        journal.config()
    config = RunConfig(task="house-price", settings={"trials": 3})
    journal.write_config(config)
    assert Journal(store, "run").config() == config
    assert journal.lock() is None
    assert journal.result() is None


def test_a_late_step_reads_no_more_than_an_early_one(tmp_path: Path) -> None:
    class Counted(Store):
        reads = 0

        def get(self, key: str) -> bytes:
            self.reads += 1
            return super().get(key)

    store = Counted(str(tmp_path))
    journal = Journal(store, "run")
    reads = []
    for n in range(60):
        before = store.reads
        take_step(journal, n)
        journal.steps()
        reads.append(store.reads - before)
    assert len(set(reads[2:])) == 1


def stored_step(journal: Journal, store: Store, workspace: str, n: int) -> None:
    agent, environment = store.put_object(f"agent {n}".encode()), store.put_object(f"environment {n}".encode())
    journal.record_decided(n, decided(n).model_copy(update={"agent_state": agent}))
    update = {"workspace": workspace, "environment_state": environment}
    journal.record_executed(n, executed(n).model_copy(update=update))
    journal.commit(n, checkpoint(n).model_copy(update={**update, "agent_state": agent}))


@pytest.mark.parametrize("lost", ["agent_state", "environment_state", "workspace"])
def test_a_commit_that_cannot_be_restored_is_no_commit(tmp_path: Path, lost: str) -> None:
    store, root = Store(str(tmp_path / "store")), tmp_path / "workspace"
    snapshots, journal = Snapshots(store), Journal(store, "run")
    root.mkdir()
    for n in range(3):
        (root / "file").write_text(str(n))
        stored_step(journal, store, snapshots.take(root), n)
    assert Journal(store, "run").forget_unusable(snapshots) == 0
    whole = journal.steps()
    store.put(object_key(getattr(whole[2].checkpoint, lost)), b"torn")

    resumed = Journal(store, "run")
    assert resumed.forget_unusable(snapshots) == 1
    assert resumed.steps() == whole[:2]
    assert resumed.checkpoint(2) is None
    stored_step(resumed, store, Snapshots(store).take(root), 2)
    assert resumed.steps() == whole
    assert Journal(store, "run").forget_unusable(snapshots) == 0


def test_killed_at_any_moment_it_goes_on_where_it_was(tmp_path: Path) -> None:
    code = f"""
from environment.journal.entries import Journal
from environment.store.objects import Store
from tests.environment.journal.test_journal import take_step
journal = Journal(Store({str(tmp_path)!r}), "run")
for n in range(len(journal.steps()), 10_000):
    take_step(journal, n)
    print(n, flush=True)
"""
    committed = -1
    for pause in (0.01, 0.03, 0.05):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ})
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[0].split()
        steps = Journal(Store(str(tmp_path)), "run").steps()
        committed = max(committed, int(said[-1]) if said else committed)
        assert len(steps) >= committed + 1
        assert [step.n for step in steps] == list(range(len(steps)))
