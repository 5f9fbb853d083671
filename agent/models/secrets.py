"""Keys of model providers: where they come from, and how they are kept out of everything written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

_SECRET_NAME = re.compile(r"(_API_KEY|_TOKEN|_SECRET|_SECRET_KEY|_ACCESS_KEY|PASSWORD)$")
_SHORTEST = 8
REDACTED = "[redacted]"


@dataclass(frozen=True)
class Secrets:
    """Environment variables, and those of a ``.env`` file in or above the current folder."""

    values: Mapping[str, str]

    def get(self, name: str) -> str | None:
        """The value of a variable."""
        return self.values.get(name) or None

    def redact(self, text: str) -> str:
        """The text without any value whose variable's name says that it is secret."""
        for name, value in self.values.items():
            if _SECRET_NAME.search(name) and len(value) >= _SHORTEST:
                text = text.replace(value, REDACTED)
        return text


def read_secrets() -> Secrets:
    """Read them anew; what is set in the environment wins over the file.

    The file's values are not put into the environment, so that no process inherits them.
    """
    from dotenv import dotenv_values, find_dotenv

    from_file = {name: value for name, value in dotenv_values(find_dotenv(usecwd=True)).items() if value}
    return Secrets({**from_file, **os.environ})
