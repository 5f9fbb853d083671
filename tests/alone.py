"""Root of a user namespace that maps no other user."""

from __future__ import annotations

import subprocess

import pytest


def as_root_alone() -> list[str]:
    """What begins a command there; skips the test where this machine makes no such namespace."""
    begin = ["unshare", "--user", "--map-root-user"]
    try:
        subprocess.run([*begin, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no user namespaces here: {error}")
    return begin
