"""Many processes of the benchmark at once, forked off one that has imported everything, as those of a local sweep.

Run as ``python -m tests.benchmarks.overhead.forked KIND STEPS PROCESSES``, on the server of its environment, it prints
the times of those that came to their end, as JSON.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from flows.services.variables import configure_process
from flows.settings import Settings
from flows.sweep.local import PRELOADED
from tests.benchmarks.overhead.child import KINDS

_START_SECONDS = 300.0


def main() -> None:
    """Have them all begin at the same time, and print what they found."""
    kind, steps, processes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload([PRELOADED])
    begin, told = forks.Barrier(processes), []
    for _ in range(processes):
        ours, theirs = forks.Pipe(duplex=False)
        with theirs:
            forks.Process(target=_one, args=(kind, steps, begin, theirs)).start()
        told.append(ours)
    times = []
    for connection in told:
        with connection, suppress(EOFError):
            times.append(connection.recv())
    print(json.dumps(times))


def _one(kind: str, steps: int, begin: Barrier, times: Connection) -> None:
    configure_process(Settings())
    begin.wait(_START_SECONDS)
    times.send(KINDS[kind](steps))


if __name__ == "__main__":
    main()
