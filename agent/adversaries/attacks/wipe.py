"""Deletes the workspace, and more where it can."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from attempts import attempt, require_sandbox

if __name__ == "__main__":
    require_sandbox()
    sys.setrecursionlimit(100_000)
    for entry in sorted(os.scandir("."), key=lambda entry: entry.is_dir(follow_symlinks=False)):
        remove = shutil.rmtree if entry.is_dir(follow_symlinks=False) else os.unlink
        attempt(f"delete {entry.name!r}", lambda remove=remove, path=entry.path: remove(path))
    attempt("delete the workspace", lambda: os.rmdir("/workspace"))
    for path in (sys.executable, "/etc/passwd", "/usr/bin/env"):
        attempt(f"delete {path}", lambda path=path: Path(path).unlink())
