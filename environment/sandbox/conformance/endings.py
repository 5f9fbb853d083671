"""How commands end: exit codes, signals, time limits and interruptions, with the output so far."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environment.records import KilledBy
from environment.sandbox.base import Command
from environment.sandbox.conformance.bench import LIMITS, Bench, Suite, ended, require

suite = Suite("endings")

DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        while True:
            with open("beat", "a") as file:
                file.write("x")
            time.sleep(0.05)
    os._exit(0)
while not os.path.exists("beat"):
    time.sleep(0.01)
"""
"""Leaves a process behind that has cut all ties with its parent, and shows that it lives."""


def beats(beat: Path) -> bool:
    """Whether a daemon still writes to a file."""
    size = beat.stat().st_size
    time.sleep(0.4)
    return beat.stat().st_size != size


@suite.check
def exit_code(bench: Bench) -> None:
    """An exit code comes back as it was."""
    for code in (0, 1, 3, 127):
        execution = bench.python(f"raise SystemExit({code})")
        require(
            execution.exit_code == code and execution.killed_by is None, f"exit {code} came out as {ended(execution)}"
        )


@suite.check
def signals(bench: Bench) -> None:
    """A signal of the command's own is told from a failure and from a limit."""
    for number in (6, 9, 11, 15):
        execution = bench.python(f"import os; os.kill(os.getpid(), {number})")
        require(execution.exit_code == -number, f"signal {number} came out as {ended(execution)}")


@suite.check
def missing_command(bench: Bench) -> None:
    """A command that does not exist fails as in a shell, and is no error of the sandbox."""
    execution = bench.sandbox.run(Command(["no-such-command"], workspace=bench.workspace, limits=LIMITS))
    require(execution.exit_code == 127, f"{ended(execution)}, not exit code 127")
    require(b"no-such-command" in execution.output, "the output does not name the command")


@suite.check
def output_order(bench: Bench) -> None:
    """Both outputs come in the order in which they were written."""
    execution = bench.python(
        """
        import os, subprocess, sys
        for n in range(200):
            print(f"out {n}")
            print(f"err {n}", file=sys.stderr)
            if n % 100 == 0:
                subprocess.run(["echo", f"child {n}"])
        """
    )
    expected = [f"{word} {n}" for n in range(200) for word in ("out", "err", *(["child"] if n % 100 == 0 else []))]
    require(execution.output.decode().splitlines() == expected, "lines are lost or out of order")


@suite.check
def empty_input(bench: Bench) -> None:
    """Standard input is empty."""
    execution = bench.python("import sys; print(len(sys.stdin.read()))", limits=LIMITS)
    require(execution.output == b"0\n", f"reading it gave {execution.output!r}, {ended(execution)}")


@suite.check
def live_output(bench: Bench) -> None:
    """Output reaches the caller while the command runs."""
    times: list[float] = []
    bench.python(
        "import time\nprint('a')\ntime.sleep(1)\nprint('b')", on_output=lambda _: times.append(time.monotonic())
    )
    require(len(times) > 1 and times[-1] - times[0] > 0.5, "the first line did not come before the end")


@suite.check
def closed_output(bench: Bench) -> None:
    """A command that closes its outputs and goes on is waited for."""
    execution = bench.python(
        """
        import os, time
        print("begun")
        os.close(1)
        os.close(2)
        time.sleep(0.5)
        open("done", "w").close()
        """
    )
    require((bench.workspace / "done").exists() and execution.exit_code == 0, f"it was cut off: {ended(execution)}")


@suite.check
def timeout(bench: Bench) -> None:
    """At the time limit the command is killed at once and the output so far is kept."""
    execution = bench.python(
        """
        import signal, time
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        print("epoch 1: loss 0.5")
        time.sleep(60)
        """,
        limits=LIMITS.model_copy(update={"timeout": 2.0}),
    )
    require(execution.killed_by == KilledBy.TIMEOUT, f"{ended(execution)}, not killed by the time limit")
    require(execution.output == b"epoch 1: loss 0.5\n", f"the output was {execution.output!r}")
    require(execution.seconds < 10, f"it took {execution.seconds:.0f} s to end a command of 2 s")


@suite.check
def timeout_of_daemon(bench: Bench) -> None:
    """The time limit ends daemonised children as well."""
    execution = bench.python(f"{DAEMON}time.sleep(60)", limits=LIMITS.model_copy(update={"timeout": 2.0}))
    require(execution.killed_by == KilledBy.TIMEOUT, f"{ended(execution)}, not killed by the time limit")
    require(not beats(bench.workspace / "beat"), "a daemonised child lives on")


@suite.check
def background_children(bench: Bench) -> None:
    """Children left in the background end with the command."""
    execution = bench.python(DAEMON)
    require(execution.exit_code == 0, ended(execution))
    require(not beats(bench.workspace / "beat"), "a background process lives on")


@suite.check
def cancel(bench: Bench) -> None:
    """A command can be cancelled from another thread."""
    event = threading.Event()
    execution = bench.python(f"{DAEMON}print('ready')\ntime.sleep(60)", cancel=event, on_output=lambda _: event.set())
    require(execution.killed_by == KilledBy.CANCELLED, f"{ended(execution)}, not cancelled")
    require(execution.output.startswith(b"ready"), "the output so far was lost")
    require(not beats(bench.workspace / "beat"), "a process lives on")


class _InterruptError(Exception):
    """Stands for any exception that reaches the harness while a command runs."""


@suite.check
def exception(bench: Bench) -> None:
    """An exception in the harness ends the command and goes on."""

    def interrupt(_: bytes) -> None:
        raise _InterruptError

    try:
        bench.python(f"{DAEMON}print('ready')\ntime.sleep(60)", on_output=interrupt)
    except _InterruptError:
        require(not beats(bench.workspace / "beat"), "a process lives on")
    else:
        require(False, "the exception was swallowed")


@suite.check
def side_by_side(bench: Bench) -> None:
    """Commands run side by side, from any thread."""

    def run(n: int) -> bytes:
        return bench.python(f"import time; time.sleep(0.5); print({n})").output

    with ThreadPoolExecutor(4) as threads:
        outputs = list(threads.map(run, range(4)))
    require(outputs == [f"{n}\n".encode() for n in range(4)], f"the outputs were {outputs}")
