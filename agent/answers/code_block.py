"""Code blocks in a model's answer."""

from __future__ import annotations

import re

CODE_BLOCK = re.compile(r"^[ \t]*```[ \t]*\w*[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
"""A whole block: its fences on lines of their own, its code as the first group."""
