"""The tree of a search on a run's page, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from environment.records.search import SearchNode, SearchTree
from evaluation.report.write import write_report
from tasks_catalog.library.spec import Direction
from tests.evaluation.report.chromium import CHROMIUM
from tests.evaluation.report.samples import sample_run
from tests.evaluation.report.watched import Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")]
HOSTILE = "<img src=x onerror=alert(1)>"


def test_the_tree_is_drawn_with_values_path_and_failures(browser: Browser, tmp_path: Path) -> None:
    nodes = (
        SearchNode(id=0, parent=None, kind="starter", ran=0, value=3.0),
        SearchNode(id=1, parent=0, kind="draft", written=1, ran=2, plan=HOSTILE, value=1.25),
        SearchNode(id=2, parent=0, kind="draft", written=3, ran=4, note=HOSTILE),
    )
    tree = SearchTree(metric="MAE", direction=Direction.MINIMIZE, nodes=nodes, submitted=1)
    run = sample_run().model_copy(update={"search": tree})
    report = write_report([run], tmp_path, title="A search").html
    watched = Watched(browser)
    page = watched.open(report, f"#/run/{run.result.run_id}")
    page.wait_for_selector(".search svg")
    assert page.locator(".search .node").count() == 3
    assert page.locator(".search .node.submitted.chosen .value").text_content() == "1.25"
    assert page.locator(".search .node.buggy .value").text_content() == "failed"
    assert page.locator(".search .edge.chosen").count() == 1
    assert page.locator("img").count() == 0
    watched.close()
