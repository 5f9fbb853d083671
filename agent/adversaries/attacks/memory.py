"""Takes memory without end."""

from __future__ import annotations

from attempts import require_sandbox

if __name__ == "__main__":
    require_sandbox()
    taken = []
    while True:
        taken.append(b"x" * 50_000_000)
        print(f"{len(taken) * 50} MB", flush=True)
