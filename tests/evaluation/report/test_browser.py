"""The page in a real browser: it opens offline, shows what it should, and runs nobody else's script."""

from __future__ import annotations

from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from environment.records import RunStatus, display
from evaluation.report.write import write_report
from tests.evaluation.report.chromium import CHROMIUM
from tests.evaluation.report.samples import sample_run, sample_runs
from tests.evaluation.report.watched import Watched, looks, plotted

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")]


@looks(1300)
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
    assert page.locator("nav a").count() >= 6
    sections = "document.getElementById('sections')"
    assert page.evaluate(f"{sections}.scrollWidth <= {sections}.clientWidth"), "each link is there to be seen"
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


def test_runs_are_sorted_filtered_and_paged_by_keyboard(browser: Browser, report: Path) -> None:
    watched = Watched(browser)
    page = watched.open(report, "#/runs")
    table = page.locator("#run-table")
    table.get_by_role("combobox", name="Task").select_option("cifar10")
    assert "of 15 runs" in table.get_by_role("status").inner_text()
    heading = table.get_by_role("button", name="Score")
    heading.press("Enter")
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")  # the heading that sorted is still where the keys go
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
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


def test_table_and_title_are_whole_on_a_wide_screen_and_a_heading_stays_with_its_plot_on_paper(
    browser: Browser, report: Path
) -> None:
    watched = Watched(browser, width=1440)
    page = watched.open(report, "#/runs")
    page.locator("#run-table tbody tr").first.wait_for()
    beyond = "(e => e.scrollWidth - e.clientWidth)(document.querySelector({!r}))"
    assert page.evaluate(beyond.format("#run-table .scroll")) == 0
    page.set_viewport_size({"width": 800, "height": 900})
    assert page.evaluate(beyond.format(".brand")) <= 0
    page.set_viewport_size({"width": 688, "height": 900})
    page.emulate_media(media="print")
    breakable = """[...document.querySelectorAll("#overview :is(h2, h3)")].filter((heading) => {
        let next = heading;
        while (next && !next.matches("figure, .plot, .pair, .scroll, p, dl")) {
            if (getComputedStyle(next).breakAfter !== "avoid") return true;
            next = next.nextElementSibling;
        }
    }).map((heading) => heading.textContent)"""
    assert page.evaluate(breakable) == []
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


def test_rows_are_sorted_on_a_telephone(browser: Browser, report: Path) -> None:
    watched = Watched(browser, width=390)
    page = watched.open(report, "#/runs")
    heading = page.locator("#run-table").get_by_role("button", name="Score")
    heading.click(timeout=10_000)
    assert page.locator("#run-table th[aria-sort]").inner_text().startswith("Score")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
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
