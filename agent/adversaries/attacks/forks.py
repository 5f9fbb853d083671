"""Forks without end."""

from __future__ import annotations

import os
import time

from attempts import require_sandbox

if __name__ == "__main__":
    require_sandbox()
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            os.fork()
        except OSError as error:
            print(f"attempt: fork: stopped ({error})", flush=True)
            time.sleep(0.5)
