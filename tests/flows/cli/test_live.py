"""The live view, on a terminal that is a file."""

from __future__ import annotations

import io
import re
import socket
import time
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
from rich.console import Console

from agent.commands import execute_script
from environment.gpus.card import CardSample
from environment.records import (
    Budget,
    Checkpoint,
    Decision,
    Effect,
    MetricPoint,
    Observation,
    RunConfig,
    Spent,
    TrainingRun,
)
from flows.cli.live import LiveView
from flows.services.processes import ServiceRecord
from flows.settings import Settings
from tests.environment.gpus.fake_driver import card

NOW = datetime(2026, 11, 29, tzinfo=UTC)
TRAINED = TrainingRun(
    id="run.1",
    step=7,
    script="train.py",
    script_sha256="",
    started=NOW,
    seconds=1.0,
    output="",
    cpu_seconds=0.46,
    metrics=(
        MetricPoint(name="MAE", value=3_745.0, split="train"),
        MetricPoint(name="MAE", value=15_248.0, split="validation"),
    ),
)


def test_it_shows_how_busy_the_cards_are(tmp_path: Path) -> None:
    drawn = io.StringIO()
    with LiveView(Settings(home=tmp_path), Console(file=drawn, force_terminal=True, width=120)) as view:
        view.decided(0, Decision(action=execute_script("train.py")))
        view.sampled(card(0), CardSample(seconds=0.1, utilisation=12.0))
        view.sampled(card(0), CardSample(seconds=0.3, utilisation=37.0))
        view.sampled(card(1), CardSample(seconds=0.3))
        time.sleep(0.5)
    assert "GPU 0 37 %" in drawn.getvalue().replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "GPU 1" not in drawn.getvalue()


def test_a_pipe_is_told_what_takes_long_before_the_first_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    drawn = io.StringIO()
    with LiveView(Settings(home=tmp_path), Console(file=drawn, width=120)) as view:
        assert drawn.getvalue() == "starting the local Prefect server …\n"
        view.connected("http://127.0.0.1:1")
        assert drawn.getvalue().endswith("preparing the workspace …\n")


def test_a_server_that_is_up_is_not_said_to_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    folder = tmp_path / "prefect"
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        own = psutil.Process()
        record = ServiceRecord(pid=own.pid, created=own.create_time(), port=server.getsockname()[1])
        (folder / "server.json").write_text(record.model_dump_json())
        drawn = io.StringIO()
        with LiveView(Settings(home=tmp_path), Console(file=drawn, width=120)):
            assert drawn.getvalue() == ""


def _drawn_step(folder: Path, width: int, wall_seconds: float) -> str:
    drawn = io.StringIO()
    spent = Spent(steps=8, wall_seconds=wall_seconds)
    committed = Checkpoint(step=7, workspace="", agent_state="", environment_state="", spent=spent, committed=NOW)
    with LiveView(Settings(home=folder), Console(file=drawn, width=width)) as view:
        view.prepared("run", RunConfig(task="t", agent="a"), Budget(steps=50, seconds=18_000), "bubblewrap")
        drawn.truncate(0)
        view.decided(7, decision := Decision(action=execute_script("train.py")))
        view.executed(7, Effect(observation=Observation(text=""), training_run=TRAINED, seconds=1))
        view.committed(7, decision, committed)
    return re.sub(r"[\u00a0\u202f]", " ", drawn.getvalue())


def test_columns_stay_where_they_are_as_the_budget_shrinks(tmp_path: Path) -> None:
    lines = {_drawn_step(tmp_path, 120, seconds).replace("\0", "") for seconds in (0, 60, 17_990)}
    assert len(lines) == 3
    assert len({line.index("CPU") for line in lines}) == 1


@pytest.mark.parametrize(
    ("width", "shown", "left_out"),
    [
        (60, ["validation MAE 15,248"], ["CPU", "steps"]),
        (80, ["validation MAE 15,248", "train MAE 3,745"], ["CPU", "steps"]),
        (110, ["validation MAE 15,248", "train MAE 3,745", "steps"], ["CPU"]),
        (120, ["validation MAE 15,248", "train MAE 3,745", "steps", "CPU 46 %"], []),
    ],
)
def test_what_was_measured_comes_before_what_the_machine_did(
    tmp_path: Path, width: int, shown: list[str], left_out: list[str]
) -> None:
    said = _drawn_step(tmp_path, width, 60)
    assert [text for text in shown if text not in said] == []
    assert [text for text in left_out if text in said] == []
    assert len(said.splitlines()) == 1
