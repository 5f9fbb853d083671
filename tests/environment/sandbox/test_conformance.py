"""The suite that ships with the package, against every backend this machine has."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from environment.gpus.cards import cards_here
from environment.sandbox import Sandbox
from environment.sandbox.conformance import CHECKS, Check, CheckResult
from environment.sandbox.docker import DockerSandbox
from environment.sandbox.unconfined import UnconfinedSandbox
from tests.environment.sandbox import plain_user

each_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)


def _judge(result: CheckResult) -> None:
    if result.outcome == "skipped":
        pytest.skip(result.reason)
    assert result.outcome == "passed", result.reason


@each_check
def test_bubblewrap(check: Check, bubblewrap: Sandbox) -> None:
    _judge(check.run(bubblewrap))


@pytest.fixture(scope="module")
def as_ordinary_user() -> Iterator[Callable[[str], dict[str, CheckResult]]]:
    """The results of all checks of a suite by name; a folder of its own, since pytest's are closed to other users."""
    with tempfile.TemporaryDirectory(prefix="mlab-user-") as folder:
        Path(folder).chmod(0o755)

        @cache
        def results(suite: str) -> dict[str, CheckResult]:
            command = [sys.executable, "-m", "environment.sandbox.conformance", "bubblewrap", f"{suite}."]
            command += ["--gpus", "1"] if cards_here() else []
            done = plain_user.run(command, home=Path(folder) / "home")
            assert done.stdout, done.stderr
            read = map(CheckResult.model_validate_json, done.stdout.splitlines())
            return {result.name: result for result in read}

        yield results


@pytest.mark.skipif(plain_user.missing() is not None, reason=str(plain_user.missing()))
@each_check
def test_bubblewrap_as_an_ordinary_user(
    check: Check, as_ordinary_user: Callable[[str], dict[str, CheckResult]]
) -> None:
    _judge(as_ordinary_user(check.name.partition(".")[0])[check.name])


@pytest.mark.docker
@each_check
def test_docker(check: Check, docker: DockerSandbox) -> None:
    _judge(check.run(docker))


# What a run without a sandbox keeps of all this: how commands end, and that nothing is left.
_KEPT_BY_NONE = [check for check in CHECKS if check.name.startswith(("endings.", "leftovers.after_the_end"))]


@pytest.mark.parametrize("check", _KEPT_BY_NONE, ids=lambda check: check.name)
def test_none(check: Check) -> None:
    _judge(check.run(UnconfinedSandbox()))


@pytest.mark.parametrize("name", ["network.tcp_to_loopback", "secrets.private_files", "files.nowhere_else"])
def test_the_suite_notices_what_does_not_hold(name: str) -> None:
    check = next(check for check in CHECKS if check.name == name)
    assert check.run(UnconfinedSandbox()).outcome == "failed"


def test_every_check_says_what_it_proves() -> None:
    assert all(check.proves for check in CHECKS)
    assert len({check.name for check in CHECKS}) == len(CHECKS)
