"""A page in a browser, and all that goes wrong in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.evaluation.report.chromium import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

RUN = "cifar10-research-00000"
"""The first run of the report that tests share."""


def looks(wide: int) -> pytest.MarkDecorator:
    """A page on a screen of that width and on a telephone, light and dark; not all of them every day."""
    slow = pytest.mark.slow
    found = [
        (wide, "light"),
        (390, "dark"),
        pytest.param(wide, "dark", marks=slow),
        pytest.param(390, "light", marks=slow),
    ]
    return pytest.mark.parametrize(("width", "scheme"), found)


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
