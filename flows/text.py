"""Foreign text made fit for tables."""

from __future__ import annotations

import html
import re

from environment.text import HIDING

CONTROL = re.compile(rf"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x1f\x7f-\x9f{HIDING}]+")
MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|~])")


def plain_markdown(text: str) -> str:
    """``text`` from an agent, with everything that Markdown or HTML would act on made harmless."""
    return html.escape(MARKDOWN.sub(r"\\\1", one_line(text)), quote=False)


def one_line(text: str) -> str:
    """``text`` from an agent on one line, without what drives a terminal, or hides or reorders text."""
    return " ".join(CONTROL.sub(" ", text).split())
