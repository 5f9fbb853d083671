"""Imported runs: whose grades they have is said, and what their logs do not tell is a dash and no zero."""

from __future__ import annotations

import base64
import csv
import gzip
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from environment.records import Action
from environment.store import Store
from evaluation.importers.detect import read_logs
from evaluation.importers.records import import_log
from evaluation.record.log import Exchange, LogStep, RunLog
from evaluation.report.collect import stream_runs
from evaluation.report.write import ReportFiles, write_report
from foundation.text import CONTROL
from tests.benchmarks.report import fill
from tests.evaluation.importers.logs import write_mlagentbench, write_mlgym
from tests.evaluation.report.chromium import CHROMIUM
from tests.evaluation.report.samples import sample_run
from tests.evaluation.report.watched import Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LONG = "metagen-a-model__regressionKaggleHousePriceOfManyColumnsAndYears__default"


@pytest.fixture
def files(tmp_path: Path) -> ReportFiles:
    """One run that another harness graded, and one that only its own script measured."""
    write_mlagentbench(tmp_path / "logs" / "cifar10" / "0")
    graded = write_mlgym(tmp_path / "logs" / LONG)
    graded.write_text(graded.read_text().replace("imageClassificationCifar10", LONG.split("__")[1]))
    store = Store(str(tmp_path / "store"))
    for log in read_logs(tmp_path / "logs"):
        import_log(store, log)
    return write_report(stream_runs(store), tmp_path / "report", title="Imported")


def test_whose_grades_they_are_is_said_first(files: ReportFiles) -> None:
    said = files.markdown.read_text()
    assert "Not graded here. Imported with the grade of the harness that ran them: 1 run. " in said
    assert "Imported without a grade: 1 run." in said
    assert "Not graded here." in files.html.read_text()
    assert "## Imported runs" in said
    assert "<dt>imported runs</dt>" in files.html.read_text()


def test_unknown_figures_are_empty(files: ReportFiles) -> None:
    with files.csv.open() as file:
        own, graded = sorted(csv.DictReader(file), key=lambda row: row["agent"])
    assert (own["seed"], own["tokens"], own["seconds"], own["cost"]) == ("", "", "612.5", "")
    assert (graded["seed"], graded["tokens"], graded["seconds"], graded["cost"]) == ("", "960", "", "0.5")
    assert (own["variant"], graded["variant"]) == ("imported", "imported")
    assert (own["self_measured"], graded["self_measured"]) == ("True", "False")
    assert own["baseline_from"].startswith("the first run of the unchanged starter, train.py at step 0")


def test_runs_of_this_benchmark_come_before_imported_ones(tmp_path: Path) -> None:
    write_mlgym(tmp_path / "logs" / LONG)
    store = Store(str(tmp_path / "store"))
    (log,) = read_logs(tmp_path / "logs")
    import_log(store, log)
    run = sample_run(3)
    (tmp_path / "workspace").mkdir()
    fill(store, run, tmp_path / "workspace")
    said = write_report(stream_runs(store), tmp_path / "report", title="Both").html.read_text()
    assert said.index("Results on mini data") < said.index("Results of imported runs")
    assert "Is what they say true? (imported)" in said
    assert "(full)" not in said


def test_imported_runs_without_any_score_are_not_said_to_be_on_full_data(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    act = Exchange(action=Action(name="Final Answer"), observation="")
    import_log(store, RunLog(source="some log", steps=(LogStep(prose={"thought": "Done."}, exchanges=(act,)),)))
    files = write_report(stream_runs(store), tmp_path / "report", title="Ungraded")
    assert "## Imported runs" in files.markdown.read_text()
    assert "Results of imported runs" in files.html.read_text()


def test_control_characters_of_a_log_are_shown_as_signs(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    act = Exchange(action=Action(name="bash", args={"command": "a\x1b[1m"}), observation="out\x1b[2m\ttab\nline")
    said = LogStep(prose={"thought": "I ran it.\u202e The accuracy is 0.5.\x07"}, exchanges=(act,))
    log = RunLog(source="some log", steps=(said,), agent="[red]/../a\0b", model="m\n\x1b[31m", score=0.5)
    import_log(store, log)
    files = write_report(stream_runs(store), tmp_path / "report", title="Signs")
    page, *packed = texts_of(files.html)
    for text in (page, files.markdown.read_text(), *packed):
        assert CONTROL.search(json_free(text)) is None
    assert "[red]/../a␀b" in page
    assert "␛[31m" in page
    assert "out␛[2m\\ttab\\nline" in packed[-1]


def texts_of(page: Path) -> list[str]:
    """The page, and what is packed in it of claims and runs."""
    text = page.read_text()
    packed = re.findall(r'<script type="text/plain" (?:id="all-claims"|class="run-data")>([^<]*)<', text)
    return [text.split('<script type="text/plain" id="plotly">')[0], *(unpacked(one) for one in packed)]


def unpacked(piece: str) -> str:
    return gzip.decompress(base64.b64decode(piece)).decode()


def json_free(text: str) -> str:
    """The text with the characters themselves in place of JSON's escapes."""
    return re.sub(r"(?<!\\)\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_a_telephone_shows_the_long_names_of_tasks_and_where_scores_come_from(
    browser: Browser, files: ReportFiles
) -> None:
    watched = Watched(browser, width=390)
    page = watched.open(files.html)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("link", name=re.compile("cifar10")).first.click()
    facts = page.locator(".run-head dl")
    assert "the first run of the unchanged starter" in facts.inner_text()
    assert "Seed\n–" in facts.inner_text()
    watched.close()
