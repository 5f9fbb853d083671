"""Makes attempts and prints what came of each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def require_sandbox() -> None:
    """End at once unless the working directory is what only a sandbox shows: a real machine would be harmed."""
    if Path.cwd() != Path("/workspace"):
        sys.exit("This script attacks the machine it runs on, and runs in a sandbox only.")


def attempt(name: str, action: Callable[[], object]) -> bool:
    """Try something; whether it worked is returned and printed."""
    try:
        result = action()
    except Exception as error:  # noqa: BLE001  # an attack may be stopped in any way
        print(f"attempt: {name}: stopped ({type(error).__name__}: {error})")
        return False
    print(f"attempt: {name}: worked {'' if result is None else repr(result)[:200]}".rstrip())
    return True
