"""Runs inside a sandbox, as Python's sitecustomize: notes which scripts are started, what they print and write.

Standard library alone: it is copied into the sandbox, where ``PYTHONPATH`` leads to it. With ``MLAB_WATCH``, a folder,
each script of the workspace runs below a process that keeps its code, its output and its end there. With
``MLAB_NOTE``, a file, a script notes the paths that it opens to write.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

_WORKSPACE = "/workspace/"
_WATCH, _NOTE = "MLAB_WATCH", "MLAB_NOTE"
_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")
_LARGEST = 16 * 2**20
"""Bytes of output that are kept."""
_DIES_WITH_PARENT = 1
_WRITES = os.O_WRONLY | os.O_RDWR


def script_place(argv: list[str]) -> int | None:
    """Where among Python's own arguments the script stands; ``None`` where it runs none."""
    place = 1
    while place < len(argv):
        option = argv[place]
        if not option.startswith("-"):
            return place
        if option == "-" or (not option.startswith("--") and {"c", "m"} & set(option[1:])):
            return None
        place += 2 if option in _WITH_VALUE else 1
    return None


def watch(folder: Path, argv: list[str], place: int) -> int:
    """Run the script below this process, and keep all of it; returns its exit code, or minus its signal."""
    name = os.path.realpath(argv[place])
    kept = folder / f"{time.time_ns()}-{os.getpid()}"
    kept.mkdir()
    shutil.copyfile(name, kept / "source")
    note = {"script": name.removeprefix(_WORKSPACE), "args": argv[place + 1 :], "started": time.time()}
    (kept / "run.json").write_text(json.dumps(note))
    variables = {
        **{key: value for key, value in os.environ.items() if key != _WATCH},
        _NOTE: str(kept / "written"),
        "MLFLOW_TRACKING_URI": str(kept / "mlflow"),
    }
    began = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, *argv[1:]],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_die_with_parent,
    )
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: child.send_signal(number))
    _relay(child, kept / "output")
    code = child.wait()
    (kept / "run.json").write_text(json.dumps({**note, "seconds": time.monotonic() - began, "exit_code": code}))
    return code


def _relay(child: subprocess.Popen[bytes], target: Path) -> None:
    """Hand on what the child prints, and keep it in the order in which it came."""
    left = _LARGEST
    with target.open("wb") as kept, selectors.DefaultSelector() as streams:
        for stream, out in ((child.stdout, 1), (child.stderr, 2)):
            if stream is not None:
                streams.register(stream.fileno(), selectors.EVENT_READ, out)
        while streams.get_map():
            for key, _ in streams.select():
                chunk = os.read(key.fd, 65_536)
                if not chunk:
                    streams.unregister(key.fd)
                    continue
                kept.write(chunk[:left])
                kept.flush()
                left = max(0, left - len(chunk))
                with suppress(OSError):  # nobody reads it any more
                    os.write(key.data, chunk)


def _die_with_parent() -> None:
    import ctypes

    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)


def note_writes(target: str) -> None:
    """Note each path that this process opens to write, once."""
    noted = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    known: set[str] = set()

    def hook(event: str, args: tuple[object, ...]) -> None:
        if event != "open" or not isinstance(args[0], str | bytes) or not isinstance(args[2], int):
            return
        if args[2] & _WRITES:
            path = os.path.abspath(os.fsdecode(args[0]))  # noqa: PTH100 (resolving would look at files)
            if path not in known and path.startswith(_WORKSPACE):
                known.add(path)
                os.write(noted, os.fsencode(path.removeprefix(_WORKSPACE)) + b"\0")

    sys.addaudithook(hook)


def main() -> None:
    """Watch the script that this Python was started for, or note what it writes."""
    note, folder = os.environ.get(_NOTE), os.environ.get(_WATCH)
    if note:
        note_writes(note)
    elif folder:
        argv = list(sys.orig_argv)
        place = script_place(argv)
        if place is not None and os.path.realpath(argv[place]).startswith(_WORKSPACE) and Path(argv[place]).is_file():
            code = watch(Path(folder), argv, place)
            if code < 0:
                signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
                os.kill(os.getpid(), -code)
            os._exit(code)


if __name__ == "sitecustomize":
    main()
