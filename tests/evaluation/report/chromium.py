"""The browser that the report's pages are looked at with."""

from __future__ import annotations

import shutil

_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)  # the first takes a third less time
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PATIENCE = 120_000  # milliseconds; a machine that runs many tests is slow
