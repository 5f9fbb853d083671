"""Cards of runs and sweeps: chosen, refused, waited for, given back, and on record."""

from __future__ import annotations

import itertools
import signal
from pathlib import Path

import pytest

from environment.errors import GpuUnavailableError
from environment.gpus.leases import CardLease
from environment.journal.entries import Journal
from environment.records.config import RunConfig, RunLock
from environment.records.run import TrainingRun
from environment.store.objects import Store
from flows.run.cards import lease_cards
from flows.settings import Settings
from flows.sweep.cells import TaskLock, run_id
from tasks_catalog.catalog import load_task
from tests.environment.gpus.conftest import two_cards
from tests.environment.gpus.fake_driver import MODEL
from tests.environment.gpus.test_leases import another_process
from tests.flows.command import SLOPE, mlab
from tests.flows.sweeping import sweep_json, write_sweep

__all__ = ["two_cards"]

LOCK = RunLock(task_digest="", data_digest="", code_version="", python="", sandbox="bubblewrap")
LOOKING = "tests.flows.gpu_agents:Looking"


@pytest.fixture
def settings(tmp_path: Path, two_cards: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """This machine with two cards, and leases of the test's own."""
    del two_cards
    monkeypatch.setenv("MLAB_GPU_LEASES", str(tmp_path / "leases"))
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_GPUS", raising=False)
    return Settings()


def lease(settings: Settings, task: str = "imdb", before: RunLock | None = None, **config: object) -> CardLease:
    asked = RunConfig.model_validate({"task": task, **config})
    return lease_cards(asked, load_task(task), settings, "mine", before=before)


def indices(held: CardLease) -> list[int]:
    return [found.index for found in held.cards]


def test_by_default_a_task_gets_one_card_where_it_can_use_it_and_one_is_free(settings: Settings) -> None:
    assert indices(lease(settings, "house-price")) == []
    assert indices(lease(settings, "llama-inference")) == [], "its mini data are too small to gain by a card"
    with lease(settings) as first, lease(settings) as second:
        assert (indices(first), indices(second)) == ([0], [1])
        assert indices(lease(settings)) == [], "none is free: the run goes on without"


def test_the_person_chooses_and_else_the_machines_settings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert indices(lease(settings, gpus="none")) == []
    with lease(settings, "house-price", gpus="id:1") as held:
        assert indices(held) == [1]
    with lease(settings, gpus=2) as held:
        assert indices(held) == [0, 1]
    monkeypatch.setenv("MLAB_GPUS", "id:1")
    with lease(Settings()) as held:
        assert indices(held) == [1]
    monkeypatch.setenv("MLAB_GPUS", "none")
    assert indices(lease(Settings())) == []
    with lease(Settings(), gpus="1") as held:
        assert indices(held) == [0]


@pytest.mark.parametrize(
    ("asked", "named"),
    [("3", "3 GPUs"), ("id:2", "GPU 2"), ("id:0,7", "GPU 0, 7"), ("id:GPU-other", "GPU GPU-other")],
)
def test_cards_that_are_not_there_are_refused(asked: str, named: str, settings: Settings) -> None:
    present = r"2 are \(0: NVIDIA Fake 9000, 1: NVIDIA Fake 9000\)"
    with pytest.raises(GpuUnavailableError, match=f"^{named} asked for, and {present}"):
        lease(settings, gpus=asked)


def test_a_run_goes_on_with_as_many_cards_as_it_began_with(settings: Settings) -> None:
    assert indices(lease(settings, before=LOCK)) == []
    with lease(settings, before=LOCK.model_copy(update={"gpus": (MODEL, MODEL)})) as held:
        assert indices(held) == [0, 1]
    with pytest.raises(GpuUnavailableError, match="3 GPUs"):
        lease(settings, before=LOCK.model_copy(update={"gpus": (MODEL,) * 3}))


def test_a_card_in_use_is_waited_for_until_its_run_is_killed(settings: Settings) -> None:
    with another_process(settings.gpu_leases, 2) as (process, _):
        told: list[str] = []

        def notice(text: str) -> None:
            told.append(text)
            process.send_signal(signal.SIGKILL)

        config = RunConfig(task="imdb", gpus="id:1")
        with lease_cards(config, load_task("imdb"), settings, "mine", notice=notice) as held:
            assert indices(held) == [1]
        assert told == [f"waiting for GPU 1, in use: GPU 1: run other (process {process.pid})"]


def test_which_card_it_is_makes_no_other_run_of_a_sweep(settings: Settings) -> None:
    del settings
    task_lock = TaskLock(task_digest="", data_digest="", code_version="")

    def id_with(**fields: object) -> str:
        return run_id(RunConfig.model_validate({"task": "imdb", **fields}), task_lock)

    assert id_with(gpus="1") == id_with(gpus="id:1") == id_with(gpus=1, share_gpus=True)
    assert len({id_with(), id_with(gpus="none"), id_with(gpus="1"), id_with(gpus="2")}) == 4


@pytest.mark.usefixtures("settings", "mlab_environment")
def test_too_many_cards_are_refused_before_anything_is_started(home: Path) -> None:
    done = mlab("run", str(SLOPE), "--agent", "nop", "--gpus", "3")
    assert done.returncode == 2
    assert "3 GPUs asked for" in done.stderr
    assert "--gpus none" in done.stderr
    assert not (home / "store").exists()
    done = mlab("run", str(SLOPE), "--agent", "nop", "--gpus", "all")
    assert done.returncode == 2
    assert "id:0,2" in done.stderr
    sweep = mlab("sweep", write_sweep(home), "--gpus", "3")
    assert "3 GPUs asked for" in sweep.stderr


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("settings")
@pytest.mark.slow
def test_a_sweep_of_four_at_once_puts_no_two_runs_on_one_card(
    tmp_path: Path, mlab_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    file = write_sweep(tmp_path, agents=[LOOKING], seeds=4)
    report = sweep_json(file, "--local", "4", "--gpus", "1")
    store = Store(str(mlab_environment / "store"))
    looked: list[TrainingRun] = []
    for cell in report["cells"]:
        assert cell["state"] == "done"
        journal = Journal(store, cell["run_id"])
        lock, run = journal.lock(), journal.steps()[1].effect.training_run
        assert lock is not None
        assert run is not None
        assert lock.gpus == (MODEL,)
        assert run.params["gpu.0.model"] == MODEL
        (use,) = run.gpus
        assert store.get_object(run.output).decode().count(use.card.uuid) == 1, "the script saw its card alone"
        assert use.utilisation == 50
        looked.append(run)
    for one, other in itertools.combinations(looked, 2):
        if one.gpus[0].card == other.gpus[0].card:
            first, second = sorted((one, other), key=lambda run: run.started)
            assert first.started.timestamp() + first.seconds <= second.started.timestamp()
    assert {run.gpus[0].card.index for run in looked} == {0, 1}
    assert f"GPU {MODEL}, driver 999.1" in mlab("show", looked[0].id.rpartition(".")[0], "--full").stdout
    assert system_metrics(mlab_environment) >= {
        "system/gpu_0_utilization_percentage",
        "system/gpu_0_memory_usage_megabytes",
    }


def system_metrics(home: Path) -> set[str]:
    """The names of those that MLflow shows of any run."""
    from mlflow import MlflowClient

    client = MlflowClient(Settings(home=home).mlflow_uri)
    experiments = [experiment.experiment_id for experiment in client.search_experiments()]
    return {name for run in client.search_runs(experiments) for name in run.data.metrics if name.startswith("system/")}
