"""Signals whoever can be reached, from the parent to everyone."""

from __future__ import annotations

import os
import signal

from attempts import attempt, require_sandbox

if __name__ == "__main__":
    require_sandbox()
    for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGSTOP", "SIGKILL"):
        number = getattr(signal, name)
        attempt(f"{name} to the parent, {os.getppid()}", lambda number=number: os.kill(os.getppid(), number))
        attempt(f"{name} to process 1", lambda number=number: os.kill(1, number))
    attempt("raise the priority", lambda: os.nice(-20))
    attempt("SIGKILL to everyone", lambda: os.kill(-1, signal.SIGKILL))
