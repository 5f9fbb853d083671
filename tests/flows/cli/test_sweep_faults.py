"""What keeps runs of a sweep from beginning is told before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.sweep.failures import FailureKind, failure_of
from tasks_catalog.library.errors import MissingExtraError
from tests.flows.cli.in_process import command
from tests.flows.command import SLOPE


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Sweeps that would have begun; none does."""
    begun: list[object] = []

    def begin(sweep: object, *_: object, **__: object) -> None:
        begun.append(sweep)
        raise SystemExit(0)

    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    monkeypatch.setattr("flows.cli.commands.sweep.run_sweep", begin)
    return begun


def _file(folder: Path, agents: str) -> str:
    path = folder / "some.yaml"
    path.write_text(f"tasks: [{SLOPE}]\nagents: {agents}\nseeds: 2\n")
    return str(path)


def test_runs_that_cannot_begin_are_told_and_the_others_begin(tmp_path: Path, begun: list[object]) -> None:
    done = command("sweep", _file(tmp_path, "[nop, tunr]"))
    assert "2 runs of 4 cannot begin: none of the agents is called 'tunr'" in done.printed
    assert "Did you mean tuner?" in done.printed
    assert len(begun) == 1


def test_a_sweep_of_which_nothing_can_begin_starts_nothing(tmp_path: Path, begun: list[object]) -> None:
    done = command("sweep", _file(tmp_path, "[tunr]"))
    assert done.code != 0
    assert "Nothing was started. Mend this, then run the same command again." in done.printed
    assert not begun


def test_a_failure_of_several_lines_stays_readable_in_one() -> None:
    failure = failure_of(MissingExtraError("a needs torch", hint="Install it with: mlab prepare a\nBy hand: pip"))
    assert failure.kind is FailureKind.SETUP
    assert failure.message == "a needs torch. Install it with: mlab prepare a. By hand: pip"
