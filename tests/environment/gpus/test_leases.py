"""A card is one run's, and free again when that is over, however it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from environment.errors import GpuLeaseError
from environment.gpus.leases import CardLease, CardLeases
from tests.environment.gpus.fake_driver import card
from tests.environment.sandbox import plain_user

CARDS = [card(0), card(1)]

_HOLD = """
import sys, time
from pathlib import Path
from environment.gpus.leases import CardLeases
from tests.environment.gpus.fake_driver import card
lease = CardLeases(Path(sys.argv[1])).take([card(0), card(1)], int(sys.argv[2]), "run other", shared=len(sys.argv) > 3)
print([held.index for held in lease.cards] if lease else None, flush=True)
time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "leases"


@contextmanager
def another_process(folder: Path, count: int, *shared: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that holds cards until it is killed, and what it got."""
    command = [sys.executable, "-c", _HOLD, str(folder), str(count), *shared]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def taken(lease: CardLease | None) -> list[int] | None:
    return None if lease is None else [held.index for held in lease.cards]


def test_each_card_is_one_runs(folder: Path) -> None:
    leases = CardLeases(folder)
    first, second = leases.take(CARDS, 1, "run a"), leases.take(CARDS, 1, "run b")
    assert (taken(first), taken(second)) == ([0], [1])
    assert leases.take(CARDS, 1, "run c") is None
    assert leases.holders(CARDS) == {0: f"run a (process {os.getpid()})", 1: f"run b (process {os.getpid()})"}
    assert first is not None
    first.close()
    assert taken(leases.take(CARDS, 1, "run c")) == [0]


def test_all_or_none(folder: Path) -> None:
    leases = CardLeases(folder)
    with ExitStack() as stack:
        one = leases.take(CARDS, 1, "run a")
        assert one is not None
        stack.enter_context(one)
        assert leases.take(CARDS, 2, "run b") is None
        assert list(leases.holders(CARDS)) == [0]
    assert taken(leases.take(CARDS, 2, "run b")) == [0, 1]


def test_a_killed_process_gives_its_card_back(folder: Path) -> None:
    leases = CardLeases(folder)
    with another_process(folder, 2) as (process, got):
        assert got == "[0, 1]"
        assert leases.take(CARDS, 1, "run a") is None
        assert leases.holders(CARDS)[1] == f"run other (process {process.pid})"
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert taken(leases.take(CARDS, 2, "run a")) == [0, 1]


def test_cards_are_shared_by_those_alone_who_say_so(folder: Path) -> None:
    leases = CardLeases(folder)
    with another_process(folder, 1, "shared") as (_, got):
        assert got == "[0]"
        # A free card comes before a shared one.
        assert taken(leases.take(CARDS, 1, "run a", shared=True)) == [1]
        assert leases.take(CARDS, 1, "run b") is None
        assert taken(leases.take(CARDS, 2, "run c", shared=True)) == [0, 1]


def test_what_a_run_starts_does_not_keep_its_card(folder: Path) -> None:
    leases = CardLeases(folder)
    lease = leases.take(CARDS, 1, "run a")
    assert lease is not None
    with subprocess.Popen(["sleep", "600"]) as child:
        lease.close()
        assert taken(leases.take(CARDS, 1, "run b")) == [0]
        child.kill()


def test_a_link_in_the_folder_leads_nowhere(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (folder / card(0).uuid).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(GpuLeaseError, match="cannot be kept in"):
        CardLeases(folder).take(CARDS, 1, "run a")
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(GpuLeaseError, match="MLAB_GPU_LEASES"):
        CardLeases(tmp_path / "file" / "leases").take(CARDS, 1, "run a")


@pytest.mark.skipif(plain_user.missing() is not None, reason=str(plain_user.missing()))
def test_users_of_one_machine_share_its_cards(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(open_folder()))
        lease = CardLeases(folder / "leases").take(CARDS, 1, "run a")
        assert lease is not None
        stack.enter_context(lease)
        code = _HOLD.replace("time.sleep(600)", "")
        done = plain_user.run([sys.executable, "-c", code, str(folder / "leases"), "1"], home=folder / "home")
        assert done.stdout.strip() == "[1]", done.stderr


@contextmanager
def open_folder() -> Iterator[str]:
    """A folder for an ordinary user, which pytest's own temporary folders are closed to."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mlab-leases-") as name:
        Path(name).chmod(0o755)
        yield name
