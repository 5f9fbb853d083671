"""Memory, processors, processes, files, workspace and output end where the limits say, told apart."""

from __future__ import annotations

import os

from environment.records import KilledBy
from environment.sandbox.base import Execution
from environment.sandbox.conformance.bench import LIMITS, Bench, NotApplicableError, Suite, ended, require
from environment.sandbox.usage import disk_usage
from foundation.sizes import MiB

suite = Suite("limits")


def _killed_by(execution: Execution, expected: KilledBy) -> None:
    tail = execution.output[-300:].decode(errors="replace")
    require(execution.killed_by == expected, f"{ended(execution)}, not killed by {expected}: {tail}")
    require(execution.exit_code is None, f"killed, and yet exit code {execution.exit_code}")


@suite.check
def memory(bench: Bench) -> None:
    """A process that takes too much memory is killed, and the record says why."""
    limits = LIMITS.model_copy(update={"memory": 256 * MiB})
    execution = bench.python(
        """
        print("begun")
        held = []
        while True:
            held.append(bytearray(2**22))
        """,
        limits=limits,
    )
    _killed_by(execution, KilledBy.MEMORY)
    require(execution.output.startswith(b"begun\n"), "the output before was lost")


@suite.check
def memory_of_children(bench: Bench) -> None:
    """Processes that together take too much memory are killed."""
    execution = bench.python(
        """
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                held = []
                for _ in range(30):
                    held.append(bytearray(2**22))
                    time.sleep(0.01)
                time.sleep(30)
                os._exit(0)
        time.sleep(30)
        """,
        limits=LIMITS.model_copy(update={"memory": 256 * MiB}),
    )
    _killed_by(execution, KilledBy.MEMORY)


@suite.check
def memory_granted(bench: Bench) -> None:
    """Memory within the limit is granted."""
    bench.report("held = bytearray(150 * 2**20); print('true')", limits=LIMITS.model_copy(update={"memory": 256 * MiB}))


@suite.check
def cpus(bench: Bench) -> None:
    """Many processes share no more than the CPUs allowed."""
    if len(os.sched_getaffinity(0)) < 2:
        raise NotApplicableError("this machine has one CPU")
    used = bench.report(
        """
        import json, os, time
        began = time.monotonic()
        for _ in range(4):
            if os.fork() == 0:
                try:
                    os.sched_setaffinity(0, range(os.cpu_count()))
                except OSError:
                    pass
                while time.monotonic() < began + 2:
                    pass
                os._exit(0)
        for _ in range(4):
            os.wait()
        used = os.times()
        print(json.dumps((used.children_user + used.children_system) / (time.monotonic() - began)))
        """,
        limits=LIMITS.model_copy(update={"cpus": 1.0}),
    )
    require(used <= 1.25, f"{used:.2f} CPUs were used; the limit was 1")


@suite.check
def processes(bench: Bench) -> None:
    """A command can have the processes and threads allowed, and no more."""
    counts = bench.report(
        """
        import json, os, signal, threading, time
        children = []
        try:
            while len(children) < 200:
                pid = os.fork()
                if pid == 0:
                    time.sleep(60)
                    os._exit(0)
                children.append(pid)
        except OSError:
            pass
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            os.waitpid(pid, 0)
        stop, threads = threading.Event(), 0
        try:
            while threads < 200:
                threading.Thread(target=stop.wait, daemon=True).start()
                threads += 1
        except RuntimeError:
            pass
        print(json.dumps([len(children), threads]))
        """,
        limits=LIMITS.model_copy(update={"processes": 48}),
    )
    require(all(40 <= count <= 48 for count in counts), f"{counts[0]} children, {counts[1]} threads; the limit was 48")


@suite.check
def fork_bomb(bench: Bench) -> None:
    """A fork bomb ends with the command's time, and the harness goes on."""
    execution = bench.python(
        """
        import os
        while True:
            try:
                os.fork()
            except OSError:
                pass
        """,
        limits=LIMITS.model_copy(update={"processes": 48, "timeout": 2.0}),
    )
    _killed_by(execution, KilledBy.TIMEOUT)


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
    _killed_by(execution, KilledBy.WORKSPACE)
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
    _killed_by(execution, KilledBy.WORKSPACE)


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
    _killed_by(execution, KilledBy.WORKSPACE)


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
    _killed_by(execution, KilledBy.WORKSPACE)


@suite.check
def output(bench: Bench) -> None:
    """A flood of output ends the command, and what came before is kept whole."""
    execution = bench.python(
        """
        import sys
        while True:
            sys.stdout.write("0123456789abcde\\n" * 4096)
        """,
        limits=LIMITS.model_copy(update={"output": 1 * MiB}),
    )
    _killed_by(execution, KilledBy.OUTPUT)
    expected = (b"0123456789abcde\n" * (1 * MiB // 16))[: 1 * MiB]
    require(execution.output == expected, f"{len(execution.output)} bytes were kept, not the first MiB")
