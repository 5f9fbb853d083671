"""What is done on the host around a command: mount points, owners, rights, sizes, devices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from environment.errors import SandboxError
from environment.sandbox import Command, Limits, Mount, inside, usage
from environment.sandbox.owner import Owner
from environment.sandbox.unconfined import UnconfinedSandbox
from foundation.sizes import MiB


def test_two_things_at_one_place_are_refused(tmp_path: Path) -> None:
    shown = Mount(source=tmp_path, target="/inputs")
    with pytest.raises(SandboxError, match="/inputs"):
        Command(argv=["true"], workspace=tmp_path, limits=Limits(), readonly=[shown], writable=[shown])


def test_a_mount_point_is_made_for_a_folder_and_for_a_file(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "file").touch()
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    mounts = [
        Mount(source=source, target="/workspace/data"),
        Mount(source=source / "file", target="/workspace/labels.csv"),
        Mount(source=source, target="/inputs"),
    ]
    inside.make_mount_points(workspace, mounts)
    assert (workspace / "data").is_dir()
    assert (workspace / "labels.csv").is_file()
    assert {path.name for path in workspace.iterdir()} == {"data", "labels.csv"}


def test_what_lies_in_place_of_a_mount_makes_way(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    target.mkdir()
    (target / "precious").touch()
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "link").symlink_to(target)
    (workspace / "file").touch()
    mounts = [Mount(source=source, target=f"/workspace/{name}") for name in ("link", "file")]
    inside.make_mount_points(workspace, mounts)
    assert all((workspace / name).is_dir() and not (workspace / name).is_symlink() for name in ("link", "file"))
    assert (target / "precious").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_are_given_away_but_not_what_links_lead_to(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.touch()
    workspace = tmp_path / "workspace"
    (workspace / "deep").mkdir(parents=True)
    (workspace / "deep" / "file").touch()
    (workspace / "link").symlink_to(outside)
    inside.own([workspace], inside.USER_ID)
    for path in (workspace, workspace / "deep", workspace / "deep" / "file", workspace / "link"):
        assert path.lstat().st_uid == inside.USER_ID
    assert outside.stat().st_uid == 0


def test_rights_are_given_back_and_no_others_changed(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked" / "file").touch()
    (tmp_path / "script").touch()
    (tmp_path / "script").chmod(0o755)
    (tmp_path / "locked" / "file").chmod(0)
    (tmp_path / "locked").chmod(0)
    inside.unlock([tmp_path])
    assert (tmp_path / "locked").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "locked" / "file").stat().st_mode & 0o400
    assert (tmp_path / "script").stat().st_mode & 0o777 == 0o755


def test_thread_counts_follow_the_cpu_limit() -> None:
    assert inside.variables({}, None, Limits(cpus=0.5))["OMP_NUM_THREADS"] == "1"
    assert inside.variables({"OMP_NUM_THREADS": "7"}, None, Limits())["OMP_NUM_THREADS"] == "7"
    assert "PATH" not in inside.variables({}, None, Limits())


def test_disk_usage_is_what_du_counts_and_something_for_each_entry(tmp_path: Path) -> None:
    for n in range(10):
        (tmp_path / f"f{n}").write_bytes(bytes(10_000))
    with (tmp_path / "sparse").open("wb") as sparse:
        sparse.truncate(1 << 40)
    (tmp_path / "link").symlink_to("/usr")
    out = subprocess.run(["du", "-s", "--block-size=1", tmp_path], capture_output=True, text=True, check=True).stdout
    own_entry = tmp_path.stat().st_blocks * 512
    seen = usage.disk_usage([tmp_path])
    assert seen == int(out.split()[0]) - own_entry + 12 * usage.ENTRY_BYTES + (1 << 40), "holes count: copies have none"


def test_counting_stops_at_the_ceiling(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(bytes(MiB))
    assert MiB < usage.disk_usage([tmp_path], ceiling=MiB) < 3 * MiB


def test_memory_of_a_process_tree_counts_shared_pages_once() -> None:
    code = (
        "import os, time\nheld = bytearray(os.urandom(1) * (64 << 20))\nfor _ in range(2):\n if os.fork() == 0: break\n"
    )
    code += "print(flush=True)\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        pids = usage.descendants(process.pid)
        assert len(pids) == 3
        assert 64 * MiB < usage.memory(pids, limit=100 * MiB) < 128 * MiB
        os.killpg(process.pid, 9)


def test_an_owner_is_a_process_and_not_a_number() -> None:
    me = Owner.current()
    assert me.alive
    assert Owner.parse(f"container {me.mark}-7") == me
    assert not me._replace(started=me.started - 1).alive
    assert Owner.parse("mlab") is None


def test_without_a_sandbox_mounts_are_links_while_the_command_runs(tmp_path: Path) -> None:
    data, workspace = tmp_path / "data", tmp_path / "workspace"
    data.mkdir()
    workspace.mkdir()
    (data / "x").write_text("shown")
    mounts = [Mount(source=data, target="/workspace/data"), Mount(source=data, target="/inputs")]
    command = ["sh", "-c", 'cat data/x "$0" "$1"', "/inputs/x", "/workspace/data/x"]
    done = UnconfinedSandbox().run(Command(command, workspace=workspace, readonly=mounts, limits=Limits(timeout=60)))
    assert done.output == b"shown" * 3
    assert not list(workspace.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_that_turns_into_a_link_is_not_followed(tmp_path: Path) -> None:
    """A command that runs meanwhile swaps a folder for a link, over and over, while its files are given away."""
    outside, workspace = tmp_path / "outside", tmp_path / "workspace"
    outside.mkdir()
    (outside / "passwd").touch()
    (workspace / "folder").mkdir(parents=True)
    (workspace / "folder" / "passwd").touch()
    (workspace / "link").symlink_to(outside)
    swap = (
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "while True: libc.renameat2(-100, b'folder', -100, b'link', 2)"  # exchange
    )
    with subprocess.Popen([sys.executable, "-c", swap], cwd=workspace) as swapper:
        try:
            for _ in range(3_000):
                os.chown(workspace / "folder", 0, 0, follow_symlinks=False)
                inside.own([workspace], inside.USER_ID)
        finally:
            swapper.kill()
    assert (outside / "passwd").stat().st_uid == 0
