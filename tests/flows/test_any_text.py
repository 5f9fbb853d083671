"""Whatever an agent writes is data on every page that people read: a report, a terminal, Prefect's artifacts."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from environment.records import RunResult
from environment.store import Store
from evaluation.report.collect import stream_runs
from evaluation.report.model import ReportRun
from evaluation.report.write import write_report
from flows.run.artifacts import result_page, step_table
from flows.run.telling import result_line, step_line
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run
from tests.evaluation.report.test_write import Page
from tests.flows.cli.in_process import command

MARKUP = "</script><img src=x onerror=alert(1)><!-- {{7*7}} \"' ![a](javascript:x) | `"
TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
DRIVES_A_TERMINAL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
ACTIVE = {"script", "img", "iframe", "object", "embed", "form", "link", "meta", "base", "style", "svg", "video"}
WORKED_OUT = re.compile(r"[=+\-@\t\r]")
LINK = re.compile(r"(?<!\\)\]\(")
ELEMENT = re.compile(r"(?<!\\)<[a-zA-Z/!]")
FEW = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    """What is active on the page of a run without anything odd."""
    return _active(_report_of(_run_with("plain"), tmp_path_factory.mktemp("plain")))


@FEW
@given(text=TEXT)
@example(text=MARKUP)
@example(text="\ud800 \0 \x1b[2J\x9b2J \u202e\u2066 \r\b")
@example(text="=HYPERLINK(1)\n# heading\n| a | b |\n[x](y)")
@example(text="@SUM(1)")
@example(text="\t=1+1")
@example(text="x" * 100_000)
def test_any_text_of_an_agent_is_shown_as_text(
    text: str, plain: Counter[str], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MLAB_HOME", str(home))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    run = _run_with(text)
    html = _report_of(run, home)

    with (home / "report" / "runs.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if WORKED_OUT.match(cell) and not _is_number(cell)]
    assert _active(html) == plain
    for arguments in (("show", "a-run"), ("show", "a-run", "--full"), ("show", "a-run", "--step", "1"), ("show",)):
        done = command(*arguments)
        assert done.fault is None
        assert not DRIVES_A_TERMINAL.search(done.printed)
    assert len(json.loads(command("show", "a-run", "--json").printed)) == 3
    for page in (
        step_table(run.steps),
        result_page(run.result, {}, str(run.steps[-1].decision.action.args["final_answer"]), run.claims),
    ):
        page.encode()
        assert not ELEMENT.search(page)
        assert not LINK.search(page)
    for line in (result_line(run.result), *(step_line(step.decision, step.effect) for step in run.steps)):
        line.encode()
        assert not DRIVES_A_TERMINAL.search(line)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _run_with(text: str) -> ReportRun:
    run = sample_run(0, steps=3, text=text)
    told = {"run_id": "a-run", "error": text, "invalid_submission": text}
    return run.model_copy(update={"result": RunResult.model_validate(run.result.model_dump() | told)})


def _report_of(run: ReportRun, home: Path) -> Path:
    """The page of a run that was stored before."""
    store = Store(str(home / "store"))
    (home / "workspace").mkdir()
    fill(store, run, home / "workspace")
    return write_report(stream_runs(store), home / "report").html


def _active(html: Path) -> Counter[str]:
    """Elements that do or fetch something, and attributes that run code."""
    elements = Page(html).elements
    handlers = [name for _, attributes in elements for name in attributes if name.startswith("on")]
    return Counter([*handlers, *(name for name, _ in elements if name in ACTIVE)])
