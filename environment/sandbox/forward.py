"""Runs inside a sandbox: leads a port of its own loopback to a socket that the host answers, while a command runs.

Standard library alone: it is copied into the sandbox. ``python forward.py PORT SOCKET command …``
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading

_CHUNK = 65_536


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Hand on what comes until its end."""
    try:
        while chunk := source.recv(_CHUNK):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)
    except OSError:  # one side is gone, and with it the call
        source.close()
        target.close()


def _serve(listener: socket.socket, path: str) -> None:
    while True:
        caller, _ = listener.accept()
        host = socket.socket(socket.AF_UNIX)
        try:
            host.connect(path)
        except OSError:
            caller.close()
            continue
        for source, target in ((caller, host), (host, caller)):
            threading.Thread(target=_copy, args=(source, target), daemon=True).start()


def main(port: int, path: str, command: list[str]) -> int:
    """The command's exit code; where a signal ended it, the same signal ends this process."""
    listener = socket.create_server(("127.0.0.1", port))
    threading.Thread(target=_serve, args=(listener, path), daemon=True).start()
    code = subprocess.run(command, check=False).returncode
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
