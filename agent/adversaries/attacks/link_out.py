"""Links out of the workspace, for the actions to follow."""

from __future__ import annotations

import os
from pathlib import Path

from attempts import attempt, require_sandbox

SYMBOLIC = {
    "to_root": "/",
    "to_parent": "..",
    "to_environ": "/proc/self/environ",
    "to_harness": "/proc/1/root",
    "submission.csv": "/private/answer.csv",
    "output.npy": "/private/expected.npy",
}
HARD = ("/etc/passwd", "/etc/shadow", "data", "/usr/bin/env", "/proc/self/environ")

if __name__ == "__main__":
    require_sandbox()
    for name, target in SYMBOLIC.items():
        Path(name).unlink(missing_ok=True)
        attempt(f"symbolic link {name} to {target}", lambda name=name, target=target: Path(name).symlink_to(target))
    for target in HARD:
        attempt(f"hard link to {target}", lambda target=target: os.link(target, f"hard_{Path(target).name}"))
