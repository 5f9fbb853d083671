"""Foreign text made fit for tables."""

from __future__ import annotations

import re

from foundation.text import HIDING, begun

CONTROL = re.compile(rf"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x1f\x7f-\x9f{HIDING}]+")
_NAMING = 60
"""Characters of a text by which it is named."""
MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|~])")


def plain_markdown(text: str) -> str:
    """``text`` from an agent, with everything that Markdown or HTML would act on made harmless."""
    import html  # with the names of all characters, which few commands need

    return html.escape(MARKDOWN.sub(r"\\\1", one_line(text)), quote=False)


def one_line(text: str) -> str:
    """``text`` from an agent on one line, without what drives a terminal, or hides or reorders text."""
    return " ".join(CONTROL.sub(" ", text).split())


def named_by(text: str) -> str:
    """How a text from an agent or a model begins, on one line: by that a person finds it again."""
    return begun(one_line(text), _NAMING)
