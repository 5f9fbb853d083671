"""A machine that refuses user namespaces says so at once, with what helps there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from environment.errors import SandboxError, SandboxUnavailableError
from environment.sandbox import bubblewrap, try_out
from environment.sandbox.base import Limits
from environment.sandbox.bubblewrap import BubblewrapSandbox
from environment.sandbox.inside import USER_ID
from environment.sandbox.user_namespaces import setup_failure
from tests.alone import as_root_alone


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


RUN = """
import sys
from pathlib import Path
from environment.sandbox import Command, Limits, open_sandbox
command = Command(["python", "-c", "import os; print(os.getuid())"], Path(sys.argv[1]), limits=Limits(timeout=60))
print(open_sandbox("bubblewrap", label="test").run(command).output.decode())
"""


def test_root_of_a_namespace_without_other_users_runs_commands_like_any_user(tmp_path: Path) -> None:
    done = subprocess.run(
        [*as_root_alone(), sys.executable, "-c", RUN, str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    assert int(done.stdout) == USER_ID


def test_a_kernel_that_allows_none_is_told_with_its_setting(tmp_path: Path) -> None:
    closed = ["sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces || exit 77; exec "$@"', "sh"]
    done = subprocess.run(
        [*as_root_alone(), *closed, sys.executable, "-c", RUN, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    if done.returncode == 77:
        pytest.skip(f"the setting cannot be changed here: {done.stderr}")
    assert "make user namespaces (user.max_user_namespaces = 0)" in done.stderr
    assert "sudo sysctl -w user.max_user_namespaces=15000" in done.stderr
