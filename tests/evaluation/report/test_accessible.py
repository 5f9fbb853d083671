"""axe-core finds no serious fault in the pages, whatever the width and the scheme.

It is looked for where npm puts it: ``npm install --no-save axe-core`` in the folder of the repository.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.evaluation.report.chromium import CHROMIUM, PATIENCE
from tests.evaluation.report.watched import RUN, looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium"),
    pytest.mark.skipif(not AXE.exists(), reason="no axe-core: npm install --no-save axe-core"),
]
GRAVE = {"serious", "critical"}


@looks(1440)
@pytest.mark.parametrize("address", ["", f"#/run/{RUN}", f"#/compare/{RUN}/cifar10-research-00001"])
def test_no_serious_fault(
    browser: Browser, report: Path, address: str, width: int, scheme: Literal["light", "dark"]
) -> None:
    # The page's policy lets no foreign script in, axe among them.
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{report.as_uri()}{address}")
    page.locator("#page h1:not([hidden])" if address else "#run-table tbody tr").first.wait_for()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in GRAVE] == []
