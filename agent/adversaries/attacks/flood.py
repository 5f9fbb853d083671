"""Prints without end, on both streams, and without line breaks."""

from __future__ import annotations

import os

from attempts import require_sandbox

if __name__ == "__main__":
    require_sandbox()
    block = os.urandom(65_536)
    while True:
        os.write(1, block)
        os.write(2, block)
