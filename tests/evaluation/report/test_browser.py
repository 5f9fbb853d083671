"""The page in a real browser: it opens offline, shows what it should, and runs nobody else's script."""

from __future__ import annotations

from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from environment.records import EvidenceRow, RunStatus, display
from evaluation.claims.claim import Verdict
from evaluation.report.changes import FileChange
from evaluation.report.model import ReportRun
from evaluation.report.write import write_report
from tests.evaluation.report.chromium import CHROMIUM, PATIENCE
from tests.evaluation.report.samples import sample_run, sample_runs
from tests.evaluation.report.test_write import PLANTED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")]

RUN = "cifar10-research-00000"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(sample_runs(45), tmp_path_factory.mktemp("report"), title="Forty-five runs").html


class Watched:
    """A page and all that went wrong in it."""

    def __init__(self, browser: Browser, *, width: int = 1300, scheme: Literal["light", "dark"] = "light") -> None:
        self.page: Page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def open(self, report: Path, address: str = "") -> Page:
        self.page.goto(f"{report.as_uri()}{address}")
        return self.page

    def close(self) -> None:
        """Nothing failed, and nothing but the file itself was asked for."""
        outside = [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]
        self.page.close()
        assert self.errors == []
        assert outside == []


def plotted(page: Page, name: str) -> None:
    """Plots are drawn when they come into view."""
    page.locator(f"#{name}").scroll_into_view_if_needed()
    page.locator(f"#{name} .main-svg").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 390])
def test_the_overview_opens_offline(
    browser: Browser, report: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    watched = Watched(browser, width=width, scheme=scheme)
    page = watched.open(report)
    plotted(page, "mini-success")
    assert page.locator("#mini-success .scatterlayer .trace").count() == 1
    plotted(page, "mini-cost")
    page.locator("#run-table tbody tr").first.wait_for()
    assert page.locator("#run-table tbody tr").count() == 25
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    watched.close()


def test_claims_filter_and_their_evidence_opens(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report)
    claims = page.locator(".claims")
    claims.scroll_into_view_if_needed()
    claims.locator("tbody tr").first.wait_for()
    claims.get_by_role("combobox", name="Verdict").select_option("contradicted")
    assert set(claims.locator(".verdict").all_inner_texts()) == {"contradicted"}
    button = claims.get_by_role("button", name="Evidence").first
    button.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    claims.locator(".evidence dl").first.wait_for()
    claims.locator("tbody tr a").first.click()
    page.locator("article.step").first.wait_for()
    watched.close()


def test_a_run_has_a_page_with_marked_claims_curves_and_diffs(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report, f"#/run/{RUN}/3")
    page.locator("#step-3").wait_for()
    assert page.locator("article.step").count() == 8
    assert page.locator("mark").count() > 8
    assert page.locator("pre .add").count() > 0
    page.locator("#page .plot .main-svg").first.wait_for()
    page.wait_for_function("() => Math.abs(document.querySelector('#step-3').getBoundingClientRect().top) < 300")
    page.get_by_role("link", name="All runs").click()
    page.locator("#run-table").wait_for()
    assert page.locator("#page").is_hidden()
    watched.close()


def test_runs_are_sorted_filtered_and_paged_by_keyboard(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report, "#/runs")
    table = page.locator("#run-table")
    table.get_by_role("combobox", name="Task").select_option("cifar10")
    assert "of 15 runs" in table.get_by_role("status").inner_text()
    heading = table.get_by_role("button", name="Score")
    heading.press("Enter")
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    table.get_by_role("searchbox").fill("no such run")
    assert "No run matches" in table.get_by_role("status").inner_text()
    watched.close()


@pytest.mark.parametrize("click", [False, True])
def test_the_list_of_runs_stays_where_one_went_to_it(browser: Browser, report: Path, click: bool) -> None:
    watched = Watched(browser)
    page = watched.open(report, "" if click else "#runs")
    if click:
        page.get_by_role("navigation", name="Sections").get_by_role("link", name="Runs").click()
    top = "document.getElementById('runs').getBoundingClientRect().top"
    page.wait_for_function(f"() => {top} >= 0 && {top} < 120")
    page.evaluate("document.querySelector('.claims').style.minHeight = '1500px'")
    page.wait_for_timeout(500)
    assert 0 <= page.evaluate(top) < 120
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"() => {top} > 300")
    watched.close()


def test_the_title_is_whole(browser: Browser, report: Path) -> None:
    watched = Watched(browser, width=800)
    page = watched.open(report)
    brand = "document.querySelector('.brand')"
    assert page.evaluate(f"{brand}.scrollWidth <= {brand}.clientWidth")
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


def test_the_theme_switches_and_plots_follow(browser: Browser, report: Path) -> None:
    watched = Watched(browser, scheme="light")
    page = watched.open(report)
    plotted(page, "mini-success")
    colour = "getComputedStyle(document.querySelector('#mini-success .xtick text')).fill"
    before = page.evaluate(colour)
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.wait_for_function(f"{colour} !== {before!r}")
    watched.close()


def test_plots_and_sections_are_named(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report)
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Claims").click()
    page.wait_for_function("() => document.querySelector('#mini-claims').getBoundingClientRect().top < 400")
    unnamed = page.evaluate(
        """[...document.querySelectorAll("[role=img], [role=region], button, select, input, nav")].filter((element) =>
            !element.getAttribute("aria-label") && !element.getAttribute("aria-labelledby") &&
            !element.labels?.length && !element.innerText.trim()).length"""
    )
    assert unnamed == 0
    levels = page.evaluate(
        "[...document.querySelectorAll('#overview h1, #overview h2, #overview h3')].map(h => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
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


def test_figures_are_rounded_as_in_the_terminal(browser: Browser) -> None:
    values = [0, 1, -1, 0.125, 0.25, 0.285, 0.29, 1 / 3, 0.99996, 1.005, 9.9995, 99.95, 150, 210, 1234.5, 9999.5]
    values += [10_000.5, 24_123.4, 99_999.5, 123_456, 999_999.5, 1_234_567, 1.5e9, 2.5e-5, 1.234e-4, -24_123.4]
    source = resources.files("evaluation.report").joinpath("assets/figures.js").read_text(encoding="utf-8")
    page = browser.new_page()
    written = page.evaluate(
        f"values => {{ {source}; return values.map((v) => "
        "[percent(v), signed(v), number(v), count(v), money(Math.abs(v)), duration(Math.abs(v))]); }",
        values,
    )
    page.close()
    assert written == [
        [
            display.percent(value),
            display.percent(value, signed=True),
            display.number(value),
            display.count(value),
            display.money(abs(value)),
            display.duration(abs(value)),
        ]
        for value in values
    ]


def test_the_table_of_runs_is_whole_on_a_wide_screen(browser: Browser, report: Path) -> None:
    watched = Watched(browser, width=1440)
    page = watched.open(report, "#/runs")
    page.locator("#run-table tbody tr").first.wait_for()
    assert page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('#run-table .scroll'))") == 0
    watched.close()


def test_every_plot_is_on_paper(browser: Browser, report: Path) -> None:
    watched = Watched(browser, scheme="dark")
    page = watched.open(report)
    page.wait_for_function("() => document.documentElement.dataset.plots === 'ready'")
    page.evaluate(
        """() => addEventListener("beforeprint", () => {
            const plots = [...document.querySelectorAll("#overview .chart")];
            window.printed = [plots.length, plots.filter((p) => p.querySelector(".main-svg")).length,
                Math.max(...plots.map((p) => p.querySelector(".main-svg").width.baseVal.value)),
                document.documentElement.dataset.theme];
        })"""
    )
    page.pdf()
    plots, drawn, widest, theme = page.evaluate("window.printed")
    assert plots == drawn > 3
    assert widest <= 660
    assert theme == "light"
    assert page.evaluate("document.documentElement.dataset.theme ?? ''") == ""
    watched.close()


def test_tables_are_whole_on_paper(browser: Browser, tmp_path: Path) -> None:
    report = write_report(sample_runs(60), tmp_path).html
    watched = Watched(browser, width=688)  # A4 within its margins
    page = watched.open(report, "#/runs")
    page.locator("#run-table tbody tr").first.wait_for()
    assert page.locator("#run-table tbody tr").count() == 25
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#run-table tbody tr").count() == 60
    assert page.locator("#run-table").get_by_role("status").inner_text() == "1–60 of 60 runs"
    assert page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('#run-table .scroll'))") == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#run-table tbody tr").count() == 25
    watched.close()


def test_long_names_that_differ_in_the_middle_are_told_apart_on_a_telephone(browser: Browser, tmp_path: Path) -> None:
    runs = [
        run.model_copy(
            update={"result": run.result.model_copy(update={"task": "a_task_with_a_name_" * 5, "model": model})}
        )
        for run in map(sample_run, (2, 5))
        for model in (f"provider:a-model-with-a-long-name-2026-11-2{day}-instruct-preview-of-it" for day in range(2))
    ]
    watched = Watched(browser, width=390)
    page = watched.open(write_report(runs, tmp_path).html)
    page.locator("#mini-success").scroll_into_view_if_needed()
    page.locator("#mini-success .ytick").first.wait_for()
    labels = page.locator("#mini-success .ytick").all_text_contents()
    assert len(set(labels)) == len(labels) > 1
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    watched.close()


def test_the_cards_of_many_tasks_are_folded(browser: Browser, tmp_path: Path) -> None:
    runs = [
        run.model_copy(update={"result": run.result.model_copy(update={"task": f"task {task}"})})
        for task in range(8)
        for run in map(sample_run, (0, 1))
    ]
    watched = Watched(browser)
    page = watched.open(write_report(runs, tmp_path).html)
    assert page.locator(".lead-card:visible").count() == 1
    page.get_by_text("Each of 8 tasks: somebody is ahead beyond noise on 0").click()
    assert page.locator(".lead-card:visible").count() == 9
    watched.close()


def test_more_than_eight_contestants_differ_in_line_or_marker(browser: Browser, tmp_path: Path) -> None:
    runs = [
        run.model_copy(update={"result": run.result.model_copy(update={"agent": f"agent {n % 12}", "task": "cifar10"})})
        for n, run in enumerate(sample_run(9 * index) for index in range(24))
    ]
    watched = Watched(browser)
    page = watched.open(write_report(runs, tmp_path).html)
    plotted(page, "mini-curves")
    looks = page.evaluate(
        """document.getElementById("mini-curves").data.filter((t) => t.showlegend !== false)
            .map((t) => [t.line.color, t.line.dash, t.marker.symbol].join())"""
    )
    assert len(looks) == 12
    assert len(set(looks)) == 12
    watched.close()


def test_the_switch_counts_unfinished_runs_as_failures(browser: Browser, tmp_path: Path) -> None:
    runs = list(sample_runs(9))
    stopped = runs[0].result.model_copy(update={"status": RunStatus.INTERRUPTED, "success": False, "improvement": None})
    runs[0] = runs[0].model_copy(update={"result": stopped})
    watched = Watched(browser)
    page = watched.open(write_report(runs, tmp_path).html)
    switch = page.get_by_role("checkbox", name="Count 1 unfinished run as a failure")
    shown = page.locator('[data-results="mini"]')
    counting = page.locator('[data-results="mini-all"]')
    assert (shown.is_visible(), counting.is_visible()) == (True, False)
    switch.check()
    assert (shown.is_visible(), counting.is_visible()) == (False, True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1300
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
    page.get_by_role("combobox", name="Compare with").select_option(index=1)
    page.get_by_role("heading", name="Results").wait_for()
    assert page.locator(".brief").count() == 16
    assert page.get_by_role("columnheader").count() >= 3
    page.locator(".sides a").first.click()
    page.locator("article.step").first.wait_for()
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
