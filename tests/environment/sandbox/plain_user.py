"""Running commands as an ordinary user, also where this Python lies in a folder that only root may enter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

UID = 12_345

# In a mount namespace of its own, each closed folder above the interpreter is covered by an open, empty one,
# in which the interpreter's folder appears again; nothing of the host is changed.
_OPEN_THE_WAY = """
set -e
closed=$1 kept=$2 uid=$3; shift 3
if [ -n "$closed" ]; then
    aside=$(mktemp -d)
    mount --bind "$kept" "$aside"
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$kept"
    mount --move "$aside" "$kept"
    rmdir "$aside"
fi
exec setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@"
"""


def missing() -> str | None:
    """Why this cannot be done here, if so."""
    if os.geteuid() != 0:
        return "the tests run as an ordinary user already"
    tools = [tool for tool in ("unshare", "setpriv", "mount") if shutil.which(tool) is None]
    return f"needs {', '.join(tools)}" if tools else None


def run(command: Sequence[str], *, home: Path, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """Run a command as an ordinary user whose home, also for temporary files, is ``home``."""
    home.mkdir(mode=0o755, exist_ok=True)
    os.chown(home, UID, UID)
    prefix = Path(sys.base_prefix)
    closed = next((str(folder) for folder in reversed(prefix.parents) if not folder.stat().st_mode & 0o001), "")
    way = ["unshare", "--mount", "sh", "-c", _OPEN_THE_WAY, "sh", closed, str(prefix), str(UID)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home)}
    return subprocess.run(
        [*way, *command], env=environment, capture_output=True, text=True, timeout=timeout, check=False
    )
