"""Folders whose size the kernel holds: nothing goes beyond, and a kill leaves nothing for long."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from environment.records import KilledBy
from environment.sandbox import Sandbox, sized, writable_folder
from environment.sandbox.base import Command, Limits
from environment.sandbox.leftovers import held_processes
from environment.sandbox.owner import Owner
from environment.sandbox.sized import NotSizedError, sized_folder
from environment.sandbox.usage import disk_usage
from environment.snapshots.trees import Snapshots
from environment.store import Store
from foundation.sizes import MiB

pytestmark = pytest.mark.skipif(sized.refusal() is not None, reason=str(sized.refusal()))

_SIZE = 16 * MiB

_KILLED = """
import os, signal
from environment.sandbox.sized import sized_folder
with sized_folder("mlab-test-", 2**20) as folder:
    (folder / "file").touch()
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""

FLOODS = {
    "files": "while True: open(f'f{n}', 'wb', buffering=0).write(bytes(2**22)); n += 1",
    "deleted": "while True: held.append(open('x', 'wb', buffering=0)); os.remove('x'); held[-1].write(bytes(2**22))",
    "empty": "while True: open(f'f{n}', 'wb').close(); n += 1",
}
"""Each as fast as it goes, so that no watcher is in time."""


def _fill(folder: Path) -> int:
    """Write until no more goes in; how much did."""
    big = folder / "big"
    with pytest.raises(OSError, match="No space left"):
        _write_on(big)
    return big.stat().st_size


def _write_on(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(MiB))


@pytest.mark.parametrize("size", [1 * MiB, 64 * MiB])
def test_a_folder_holds_its_size_and_little_more(size: int) -> None:
    with sized_folder("mlab-test-", size) as folder:
        assert not list(folder.iterdir())
        # Root, as this process is, may write a twentieth more than a command.
        assert size <= _fill(folder) <= size * 1.1 + 8 * MiB
    assert folder not in sized.mounted()
    assert not folder.parent.exists()


@pytest.mark.parametrize("flood", FLOODS)
def test_no_command_outruns_it(flood: str, bubblewrap: Sandbox) -> None:
    limits = Limits(timeout=60, workspace_size=_SIZE)
    with writable_folder(bubblewrap, "mlab-test-", _SIZE) as folder:
        workspace = folder / "workspace"
        workspace.mkdir()
        code = f"import os\nheld, n = [], 0\n{FLOODS[flood]}"
        done = bubblewrap.run(Command(["python", "-c", code], workspace=workspace, limits=limits))
        assert disk_usage([folder]) <= _SIZE * 1.6 + 8 * MiB
        # Where it was stopped by the kernel it had an error of its own, and what it held is gone with it.
        assert done.killed_by is KilledBy.WORKSPACE or b"No space left" in done.output


def test_what_a_command_has_filled_the_harness_can_put_right(bubblewrap: Sandbox) -> None:
    with writable_folder(bubblewrap, "mlab-test-", MiB) as folder:
        workspace = folder / "workspace"
        workspace.mkdir()
        code = "file = open('x', 'wb', buffering=0)\nwhile file.write(bytes(4096)) == 4096: pass"
        limits = Limits(timeout=60, workspace_size=None)
        bubblewrap.run(Command(["python", "-c", code], workspace=workspace, limits=limits))
        (workspace / "kept").write_bytes(bytes(64 * 1024))


def test_a_flood_of_empty_files_leaves_the_harness_able_to_undo_it(bubblewrap: Sandbox, tmp_path: Path) -> None:
    snapshots = Snapshots(Store(str(tmp_path / "store")))
    with writable_folder(bubblewrap, "mlab-test-", MiB) as folder:
        workspace = folder / "workspace"
        (workspace / "kept" / "below").mkdir(parents=True)
        before = snapshots.take(workspace)
        code = "n = 0\nwhile True: open(f'kept/below/{n}', 'w').close(); n += 1"
        limits = Limits(timeout=60, workspace_size=None)
        done = bubblewrap.run(Command(["python", "-c", code], workspace=workspace, limits=limits))
        assert b"No space left" in done.output
        assert disk_usage([workspace]) > MiB, "it went beyond its limit, or it would be stopped too early"
        snapshots.restore(before, workspace)
        (folder / "beside").mkdir()


def test_a_folder_is_found_again_under_a_path_with_blanks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = tmp_path / "a b\\040c"
    odd.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(odd))
    with sized_folder("mlab-test-", MiB) as folder:
        assert sized.mounted()[folder] == Owner.current()


def test_a_killed_process_leaves_a_mount_that_the_next_one_removes() -> None:
    done = subprocess.run([sys.executable, "-c", _KILLED], capture_output=True, text=True, check=False)
    folder = Path(done.stdout.strip())
    assert folder in sized.mounted()
    assert any(held.what == f"file system {folder}" and not held.owner.alive for held in held_processes())
    sized.reap()
    assert folder not in sized.mounted()
    folder.parent.joinpath("files").rmdir()
    folder.parent.rmdir()


def test_a_process_that_lives_keeps_its_own() -> None:
    with sized_folder("mlab-test-", MiB) as folder:
        sized.reap()
        assert sized.mounted()[folder] == Owner.current()


def test_where_none_can_be_made_a_watcher_holds(bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sized, "_MAKE", ("false",))
    with pytest.raises(NotSizedError), sized_folder("mlab-test-", MiB):
        pass
    with writable_folder(bubblewrap, "mlab-test-", MiB) as folder:
        (folder / "file").touch()
    sized.refusal.cache_clear()
    assert "false ends with 1" in str(sized.refusal())
    sized.refusal.cache_clear()
