"""Memory, processors, processes, files, workspace and output end where the limits say, told apart."""

from __future__ import annotations

import os

from environment.records import KilledBy
from environment.sandbox.conformance.bench import LIMITS, Bench, NotApplicableError, Suite, ended, killed_by, require
from foundation.sizes import MiB

suite = Suite("limits")


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
    killed_by(execution, KilledBy.MEMORY)
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
    killed_by(execution, KilledBy.MEMORY)


@suite.check
def memory_of_no_process(bench: Bench) -> None:
    """Memory in anonymous files and shared segments counts, or is not to be had."""
    execution = bench.python(
        """
        import ctypes, os
        libc, held, refused = ctypes.CDLL(None), [], 0
        for _ in range(64):
            try:
                file = os.memfd_create("x")
                os.write(file, bytes(2**23))
            except OSError:
                refused += 1
            segment = libc.shmget(0, ctypes.c_size_t(2**23), 0o1600)
            if segment < 0:
                refused += 1
                continue
            libc.shmat.restype = ctypes.c_void_p
            at = libc.shmat(segment, None, 0)
            ctypes.memset(at, 1, 2**23)
            libc.shmdt(ctypes.c_void_p(at))
        print(refused)
        """,
        limits=LIMITS.model_copy(update={"memory": 256 * MiB}),
    )
    if execution.killed_by is None:
        require(execution.output.strip() == b"128", f"{ended(execution)}: a GiB was had under a limit of 256 MiB")
        return
    killed_by(execution, KilledBy.MEMORY)


@suite.check
def memory_granted(bench: Bench) -> None:
    """Memory within the limit is granted."""
    bench.report("held = bytearray(150 * 2**20); print('true')", limits=LIMITS.model_copy(update={"memory": 256 * MiB}))


@suite.check
def cpus(bench: Bench) -> None:
    """Many processes share no more than the CPUs allowed."""
    if len(os.sched_getaffinity(0)) < 2:
        raise NotApplicableError("This machine has one CPU")
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
    killed_by(execution, KilledBy.TIMEOUT)


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
    killed_by(execution, KilledBy.OUTPUT)
    expected = (b"0123456789abcde\n" * (1 * MiB // 16))[: 1 * MiB]
    require(execution.output == expected, f"{len(execution.output)} bytes were kept, not the first MiB")
