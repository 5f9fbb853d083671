"""``--set name=value`` of the commands that take settings."""

from __future__ import annotations

import json

from pydantic import JsonValue

from flows.errors import UsageError
from foundation.text import shown


def parse_settings(pairs: list[str]) -> dict[str, JsonValue]:
    """``name=value`` pairs; a value is JSON where it can be read as such, else text."""
    settings: dict[str, JsonValue] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name:
            raise UsageError(f"{shown(pair)!r} is not a setting.", hint="Write --set name=value.")
        try:
            settings[name] = json.loads(value)
        except json.JSONDecodeError:
            settings[name] = value
        except (ValueError, RecursionError) as error:
            raise UsageError(f"The value of the setting {shown(name)} is too large to be read.") from error
    return settings
