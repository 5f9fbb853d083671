"""Files end where the limits say: what is shown, what is hidden, and what only seems large."""

from __future__ import annotations

from environment.records import KilledBy
from environment.sandbox.base import Execution
from environment.sandbox.conformance.bench import LIMITS, Bench, Suite, killed_by, require
from environment.sandbox.usage import disk_usage
from foundation.sizes import MiB

suite = Suite("disk")


@suite.check
def file_size(bench: Bench) -> None:
    """No file grows beyond the limit, and the script gets an error."""
    said = bench.report(
        """
        import json
        try:
            with open("big", "wb", buffering=0) as file:
                for _ in range(32):
                    file.write(bytes(2**20))
            print(json.dumps("written"))
        except OSError as error:
            print(json.dumps(error.strerror))
        """,
        limits=LIMITS.model_copy(update={"file_size": 8 * MiB}),
    )
    require(said != "written", "a file of 32 MiB was written; the limit was 8 MiB")
    require((bench.workspace / "big").stat().st_size <= 8 * MiB, "the file is larger than the limit")


def _fill(bench: Bench, code: str, size: int = 32 * MiB) -> Execution:
    return bench.python(code, limits=LIMITS.model_copy(update={"workspace_size": size, "file_size": 8 * MiB}))


@suite.check
def workspace_size(bench: Bench) -> None:
    """A workspace that grows too large ends the command, and stays near the limit."""
    execution = _fill(
        bench,
        """
        import time
        for n in range(1000):
            open(f"part{n}", "wb").write(bytes(2**20))
            time.sleep(0.02)
        """,
    )
    killed_by(execution, KilledBy.WORKSPACE)
    require(disk_usage([bench.workspace]) < 256 * MiB, "the workspace grew far beyond the limit of 32 MiB")


@suite.check
def deleted_files(bench: Bench) -> None:
    """Files that are deleted but still open count towards the workspace's size."""
    execution = _fill(
        bench,
        """
        import os, time
        held = []
        for n in range(1000):
            held.append(open("x", "wb"))
            os.remove("x")
            held[-1].write(bytes(2**20))
            held[-1].flush()
            time.sleep(0.02)
        """,
    )
    killed_by(execution, KilledBy.WORKSPACE)


@suite.check
def sparse_files(bench: Bench) -> None:
    """A file with holes counts with its whole length, which a copy of it would take."""
    killed_by(_fill(bench, "open('x', 'wb').truncate(8 * 2**20)", size=4 * MiB), KilledBy.WORKSPACE)


@suite.check
def preallocated_files(bench: Bench) -> None:
    """Disk is taken by writing it, which leaves time to look, and not in an instant."""
    said = bench.report(
        """
        import ctypes, json, os
        libc = ctypes.CDLL(None, use_errno=True)
        file = os.open("x", os.O_RDWR | os.O_CREAT)
        taken = libc.fallocate(file, 0, ctypes.c_long(0), ctypes.c_long(2**20)) == 0
        os.posix_fallocate(file, 0, 2**20)
        print(json.dumps([taken, os.fstat(file).st_size]))
        """
    )
    require(said == [False, 1 * MiB], f"fallocate worked or its fallback failed: {said}")


@suite.check
def deleted_mapped_files(bench: Bench) -> None:
    """Files that are deleted and closed but still mapped count towards the workspace's size."""
    execution = _fill(
        bench,
        """
        import mmap, os, time
        held = []
        for n in range(60):
            file = open("x", "w+b")
            file.write(bytes(2**22))
            file.flush()
            held.append(mmap.mmap(file.fileno(), 4096))
            os.remove("x")
            file.close()
            time.sleep(0.1)
        """,
    )
    killed_by(execution, KilledBy.WORKSPACE)


@suite.check
def files_between_sockets(bench: Bench) -> None:
    """Deleted files that are only on their way from one socket to another do not go unnoticed."""
    execution = _fill(
        bench,
        """
        import os, socket, time
        held = []
        for n in range(60):
            file = open("x", "wb")
            file.write(bytes(2**22))
            file.flush()
            os.remove("x")
            pair = socket.socketpair()
            socket.send_fds(pair[0], [b"x"], [file.fileno()])
            held.append(pair)
            file.close()
            time.sleep(0.1)
        """,
    )
    killed_by(execution, KilledBy.WORKSPACE)


@suite.check
def empty_files(bench: Bench) -> None:
    """A flood of empty files counts towards the workspace's size."""
    execution = _fill(
        bench,
        """
        for n in range(10**7):
            open(f"f{n}", "w").close()
        """,
        size=4 * MiB,
    )
    killed_by(execution, KilledBy.WORKSPACE)


@suite.check
def locked_folder(bench: Bench) -> None:
    """A folder that the script has locked cannot hide its size."""
    execution = _fill(
        bench,
        """
        import os, time
        os.mkdir("locked")
        os.chdir("locked")
        os.chmod("/workspace/locked", 0o300)
        for n in range(1000):
            open(f"part{n}", "wb").write(bytes(2**20))
            time.sleep(0.02)
        """,
    )
    killed_by(execution, KilledBy.WORKSPACE)
