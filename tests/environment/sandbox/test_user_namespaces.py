"""A machine that refuses user namespaces says so at once, with what helps there."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.errors import SandboxError, SandboxUnavailableError
from environment.sandbox import bubblewrap, try_out
from environment.sandbox.base import Limits
from environment.sandbox.bubblewrap import BubblewrapSandbox
from environment.sandbox.user_namespaces import setup_failure


@pytest.mark.parametrize(
    "message",
    [
        "bwrap: setting up uid map: Permission denied",
        "bwrap: No permissions to create a new namespace, likely because the kernel does not allow it",
        "bwrap: Creating new namespace failed: Operation not permitted",
    ],
)
def test_a_refusal_names_program_profile_and_settings(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\necho '{message}' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "find_bwrap", lambda: str(program))
    with pytest.raises(SandboxUnavailableError) as caught:
        try_out(BubblewrapSandbox(), Limits(timeout=10))
    assert f"does not let {program} make user namespaces" in str(caught.value)
    assert message in str(caught.value)
    assert "/etc/apparmor.d/mlab-bwrap" in str(caught.value)
    assert "--sandbox docker" in str(caught.value)


def test_another_failure_is_one_of_the_moment() -> None:
    error = setup_failure("bwrap: Can't mount /x: No such file or directory", "/usr/bin/bwrap")
    assert type(error) is SandboxError
