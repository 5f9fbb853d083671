from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from environment.journal.entries import Journal
from environment.journal.tables import write_tables
from environment.records import MetricPoint, Step
from environment.store import Store
from evaluation.head import harmless
from evaluation.overview import overview
from evaluation.report.model import ReportRun
from evaluation.show import render
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run
from tests.flows.cli.in_process import command

ATTACK = "\x1b]0;owned\x07\x1b[2J\x1b[8m\x9b31m [bold red]markup[/] \u202egnp.exe\r\x08\x08"
OWN_SEQUENCES = re.compile(r"\x1b\[[0-9;]*m")


def stored(tmp_path: Path, run: ReportRun) -> tuple[Journal, Store]:
    store, workspace = Store(str(tmp_path / "store")), tmp_path / "workspace"
    workspace.mkdir(parents=True)
    fill(store, run, workspace)
    write_tables(store, run.result.run_id, run.steps, run.claims)
    return Journal(store, run.result.run_id), store


def shown(tmp_path: Path, run: ReportRun, *, step: int | None = None, width: int = 120, brief: bool = False) -> str:
    journal, store = stored(tmp_path, run)
    steps = journal.steps()
    target = io.StringIO()
    console = Console(file=target, width=width, force_terminal=True, color_system="truecolor")
    chosen = steps if step is None else steps[step : step + 1]
    console.print((overview if brief else render)(journal, chosen, store))
    return target.getvalue()


def test_a_trajectory_with_diffs_and_verdicts(tmp_path: Path) -> None:
    run = sample_run(0)
    text = OWN_SEQUENCES.sub("", shown(tmp_path, run))
    assert run.result.run_id in text
    for step in run.steps:
        assert re.search(rf"^{step.n} {re.escape(step.decision.action.name)}", text, re.MULTILINE)
    for verdict in {claim.verdict for claim in run.claims}:
        assert verdict in text
    assert "+lines = 2" in text
    assert "exit code 0" in text
    assert "accuracy" in text


def test_an_overview_has_a_line_a_step_and_what_does_not_stand_up(tmp_path: Path) -> None:
    run = sample_run(0, text=ATTACK)
    raw = shown(tmp_path, run, brief=True, width=140)
    text = OWN_SEQUENCES.sub("", raw)
    assert "\x07" not in raw
    for step in run.steps:
        assert re.search(rf"^ *{step.n} +{re.escape(step.decision.action.name)}", text, re.MULTILINE)
    problems = [claim for claim in run.claims if claim.verdict.is_problem]
    assert text.count("? unsupported") + text.count("✕ contradicted") == len(problems)
    assert "supported  " not in text.replace("unsupported  ", "")
    assert f"mlab show {run.result.run_id} --step N" in " ".join(text.split())


def test_a_pipe_takes_the_lines_of_an_overview_whole_and_held_out_values_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    run = sample_run(0)
    values = {"train": "mean absolute error of all houses", "validation": "mean absolute error of houses kept back"}
    points = [MetricPoint.model_validate({"name": values[on], "split": on, "value": 13_437}) for on in values]
    run = run.model_copy(update={"steps": tuple(with_metrics(step, points) for step in run.steps)})
    stored(tmp_path, run)
    monkeypatch.setenv("MLAB_STORE", str(tmp_path / "store"))
    (line, *_) = [line for line in command("show", run.result.run_id).printed.splitlines() if "mean absolute" in line]
    first, second = (line.index(f"{split} {name} 13,437") for split, name in reversed(values.items()))
    assert first < second


def test_a_pipe_with_columns_that_somebody_asks_for_keeps_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = sample_run(0)
    stored(tmp_path, run)
    monkeypatch.setenv("MLAB_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("COLUMNS", "40")
    lines = command("show", run.result.run_id).printed.splitlines()
    assert [line for line in lines if cell_len(line) > 40] == []


def with_metrics(step: Step, points: Sequence[MetricPoint]) -> Step:
    trained = step.effect.training_run
    if trained is None:
        return step
    trained = trained.model_copy(update={"metrics": tuple(points)})
    return step.model_copy(update={"effect": step.effect.model_copy(update={"training_run": trained})})


def test_one_step_is_shown_in_full(tmp_path: Path) -> None:
    run = sample_run(0, text="x" * 9_000)
    whole = shown(tmp_path / "a", run)
    one = shown(tmp_path / "b", run, step=2)
    assert "--step shows all" in whole
    assert "--step shows all" not in one
    assert "0 Edit Script" not in OWN_SEQUENCES.sub("", one)


def test_escape_sequences_of_agents_do_nothing(tmp_path: Path) -> None:
    text = shown(tmp_path, sample_run(0, text=ATTACK))
    rest = OWN_SEQUENCES.sub("", text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", rest)
    assert "[bold red]markup[/]" in rest
    assert "\x1b[8m" not in text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a\tb\r\nc", "a   b\nc"),
        ("\x1b[31m", "␛[31m"),
        ("\x7f\x9b", "␡\\u009b"),
        ("\u202eevil", "\\u202eevil"),
        ("naïve ☃ 日本", "naïve ☃ 日本"),
    ],
)
def test_harmless(text: str, safe: str) -> None:
    assert harmless(text) == safe


@pytest.mark.parametrize("width", [40, 58])
@pytest.mark.parametrize("brief", [True, False])
def test_narrow_terminals_are_served(tmp_path: Path, width: int, brief: bool) -> None:
    run = sample_run(1)
    text = OWN_SEQUENCES.sub("", shown(tmp_path, run, width=width, brief=brief))
    assert max(len(line) for line in text.splitlines()) <= width
    assert "…" not in text.partition("╯")[0], "nothing is cut"
    for name in ("model", "improvement", "best step", "claims"):
        assert re.search(rf"^│ {name} +\S", text, re.MULTILINE), "each has a row of its own"
