"""A scripted model for the tree search: what it writes follows from the prompt alone."""

from __future__ import annotations

import re
from typing import Any

FENCE = "```"


def next_script(body: dict[str, Any], template: str) -> str:
    """A plan and a script whose value is better the more nodes there are; every third one fails.

    Args:
        body: The request.
        template: The script, with ``{value}`` for the number that its quality follows from.
    """
    prompt = "\n".join(str(message["content"]) for message in body["messages"])
    count = len(set(re.findall(r"^node (\d+)[, ]", prompt, re.MULTILINE)))
    script = "raise ValueError('not this way')" if count % 3 == 2 else template.format(value=count)
    return f"I try number {count}, since more is better.\n\n{FENCE}python\n{script}\n{FENCE}\n"
