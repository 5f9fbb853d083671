"""The page of one run, and of two side by side, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from environment.records import EvidenceRow
from evaluation.claims.claim import Verdict
from evaluation.report.changes import FileChange
from evaluation.report.model import ReportRun
from evaluation.report.write import write_report
from tests.evaluation.report.chromium import CHROMIUM, PATIENCE
from tests.evaluation.report.samples import sample_run
from tests.evaluation.report.test_write import PLANTED
from tests.evaluation.report.watched import RUN, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")]


def test_a_long_run_is_laid_out_where_one_looks_at_it(browser: Browser, tmp_path: Path) -> None:
    written = write_report([sample_run(steps=250)], tmp_path, title="Long").html
    watched = Watched(browser)
    page = watched.open(written, f"#/run/{RUN}/240")
    page.wait_for_function("() => Math.abs(document.querySelector('#step-240')?.getBoundingClientRect().top) < 300")
    laid_out = "(step) => document.querySelector(step).checkVisibility({contentVisibilityAuto: true})"
    assert page.evaluate(laid_out, "#step-240 h3")
    assert not page.evaluate(laid_out, "#step-20 h3")
    page.emulate_media(media="print")
    page.wait_for_function(laid_out, arg="#step-20 h3")
    watched.close()


def test_a_run_has_a_page_with_marked_claims_curves_and_diffs(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report, f"#/run/{RUN}/3")
    page.locator("#step-3").wait_for()
    assert page.locator("article.step").count() == 8
    assert page.locator("mark").count() > 8
    assert page.locator("pre .add").count() > 0
    page.wait_for_function("() => Math.abs(document.querySelector('#step-3').getBoundingClientRect().top) < 300")
    page.mouse.wheel(0, -50_000)
    page.locator("#page .plot .main-svg").first.wait_for()
    page.get_by_role("link", name="All runs").click()
    page.locator("#run-table").wait_for()
    assert page.locator("#page").is_hidden()
    watched.close()


def test_what_agents_wrote_runs_nowhere(browser: Browser, tmp_path: Path) -> None:
    watched = Watched(browser)
    report = write_report([sample_run(0, text=PLANTED)], tmp_path, title="Planted").html
    page = watched.open(report)
    page.locator(".claims").scroll_into_view_if_needed()
    page.locator(".claims tbody tr").first.wait_for()
    page.get_by_role("link", name=RUN).first.click()
    page.locator("article.step").first.wait_for()
    assert "window.hacked=1" in page.locator("#step-0").inner_text()
    assert page.evaluate("window.hacked") is None
    assert page.locator("#page img").count() == 0
    watched.close()


def test_each_claim_and_page_belongs_to_its_run(browser: Browser, tmp_path: Path) -> None:
    """Contestants come and go among the runs of a store, so that no grouping by them keeps the order."""
    watched = Watched(browser)
    runs = [sample_run(index) for index in (0, 1, 3, 2, 4, 6)]
    page = watched.open(write_report(runs, tmp_path, title="Mixed").html)
    for run in runs:
        page.goto(f"{(tmp_path / 'report.html').as_uri()}#/run/{run.result.run_id}")
        page.wait_for_function("id => document.querySelector('#page h1')?.innerText === id", arg=run.result.run_id)
        assert page.locator(".meta dd").first.inner_text() == run.result.agent
    page.goto(f"{(tmp_path / 'report.html').as_uri()}#mini-claims")
    page.locator(".claims tbody tr").first.wait_for()
    page.locator(".claims").get_by_role("combobox", name="Contestant").select_option("tuner")
    tuners = {run.result.run_id for run in runs if run.result.agent == "tuner"}
    links = page.locator(".claims tbody tr:not(.evidence) a").all_inner_texts()
    assert {link.partition(",")[0] for link in links} <= tuners
    watched.close()


def test_a_run_is_replayed_by_keys(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report, f"#/run/{RUN}")
    page.locator("article.step").first.wait_for()
    page.keyboard.press("r")
    page.keyboard.press("j")
    page.keyboard.press("ArrowRight")
    assert page.locator("article.step:visible").count() == 1
    assert page.locator("#step-2").is_visible()
    assert page.locator(".replay").get_by_role("status").inner_text().startswith("step 2 of 7 · ")
    assert page.evaluate("location.hash").endswith("/2")
    page.keyboard.press("k")
    assert page.locator("#step-1").is_visible()
    page.keyboard.press("r")
    assert page.locator("article.step:visible").count() == 8
    watched.close()


def test_below_a_false_sentence_stands_the_row_that_refutes_it(browser: Browser, tmp_path: Path) -> None:
    run = sample_run(0)
    row = EvidenceRow(id="m1:7", kind="measurement", step=1, metric="accuracy", split="validation", value=0.412, line=7)
    claim = next(one for one in run.claims if one.verdict is Verdict.CONTRADICTED)
    claim = claim.model_copy(update={"rests_on": ("m1:7",), "note": "0.5 was stated"})
    run = run.model_copy(update={"claims": (claim,), "evidence": (row,)})
    watched = Watched(browser)
    page = watched.open(write_report([run], tmp_path).html, f"#/run/{RUN}")
    note = page.locator(f"#step-{claim.step} .refuted")
    note.wait_for()
    assert "0.5 was stated. step 1 · validation accuracy 0.412 · line 7" in " ".join(note.inner_text().split())
    assert page.locator(f"#step-{claim.step} mark").inner_text().startswith(claim.quote)
    watched.close()


def test_two_runs_stand_side_by_side(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report, f"#/run/{RUN}")
    page.get_by_role("combobox", name="Compare with").focus()
    page.keyboard.press("ArrowDown")  # passes over a run, and goes nowhere yet
    page.keyboard.press("Tab")
    assert "#/compare" not in page.url
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Results").wait_for()
    assert page.locator(".brief").count() == 16
    assert page.get_by_role("columnheader").count() >= 3
    page.locator(".sides a").first.click()
    page.locator("article.step").first.wait_for()
    watched.close()


def test_steps_below_each_other_say_whose_they_are(browser: Browser, report: Path) -> None:
    watched = Watched(browser, width=390)
    page = watched.open(report, f"#/compare/{RUN}/cifar10-research-00001")
    page.locator(".brief").first.wait_for()
    said = (
        """[...document.querySelectorAll(".brief")].slice(0, 2).map((e) => getComputedStyle(e, "::before").content)"""
    )
    assert page.evaluate(said) == ['"research · openai:large"', '"research · openai:small"']
    assert not page.locator(".sides > h3").first.is_visible()
    page.set_viewport_size({"width": 1300, "height": 900})
    assert page.evaluate(said) == ["none", "none"]
    watched.close()


def test_the_files_of_two_runs_stand_against_each_other(browser: Browser, tmp_path: Path) -> None:
    def submitting(n: int, script: str, *more: FileChange) -> ReportRun:
        diff = f"--- a/train.py\n+++ b/train.py\n@@ -1 +1 @@\n-LR = 1\n+{script}"
        change = FileChange(path="train.py", kind="changed", diff=diff, after=f"import numpy\n{script}\nprint(LR)")
        return sample_run(n).model_copy(update={"submitted": (change, *more)})

    alone = FileChange(path="a.py", kind="added", diff="--- a/a.py\n+++ b/a.py\n@@ -0,0 +1 @@\n+x = 1", after="x = 1")
    runs = [submitting(0, "LR = 2", alone), submitting(1, "LR = 3")]
    address = write_report(runs, tmp_path).html.as_uri()
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}#/compare/{'/'.join(run.result.run_id for run in runs)}")
    between = page.locator("section", has=page.get_by_role("heading", name="What differs between the two"))
    between.locator("details").first.wait_for()
    assert between.locator("summary").all_inner_texts() == ["a.py removed +0 −1", "train.py changed +1 −1"]
    shown = between.locator("details", has_text="train.py").locator("pre").inner_text().split("\n")
    assert [line for line in shown if line] == [" import numpy", "-LR = 2", "+LR = 3", " print(LR)"]
    page.close()
