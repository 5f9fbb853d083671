"""One container: attached to, started, read, ended."""

from __future__ import annotations

import os
import select
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from environment.errors import SandboxError
from environment.sandbox.descriptors import pipe, read_available

if TYPE_CHECKING:
    from docker import APIClient

_END_SECONDS = 60.0
_DRAIN_SECONDS = 0.01
_HEADER = struct.Struct(">BxxxL")  # of a frame of the attach stream: its kind, the payload's length

_STAY_ALIVE_WHILE_ATTACHED = (
    "unset HOSTNAME PWD OLDPWD; exec 3<&0 2>/dev/null; "
    '{ read -r _ <&3; kill -KILL -1; } & (exec "$@" 2>&1 </dev/null 3<&-); exit $?'
)
"""The shell is the container's first process: it takes in orphans, and signals have their usual effect on
the command below it. When the harness dies, the daemon closes the container's input and the watcher ends all."""


def wrapped(command: Sequence[str]) -> list[str]:
    """The container's command: ``command`` with one stream for both outputs, ended with its harness."""
    return ["/bin/sh", "-c", _STAY_ALIVE_WHILE_ATTACHED, "sh", *command]


class ContainerJob:
    """See ``Job``."""

    def __init__(self, client: APIClient, container: str) -> None:
        """Attach to a created container and start it.

        Raises:
            docker.errors.DockerException: The daemon refuses.
        """
        self._client, self._container = client, container
        self._resources = ExitStack()
        self._frames = self._unread = b""
        try:
            self._stream = client.attach_socket(container, {"stdin": 1, "stdout": 1, "stream": 1})
            self._resources.callback(self._stream.close)
            self.output_fd = self._stream.fileno()
            os.set_blocking(self.output_fd, False)
            client.start(container)
            self._watch_end()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> ContainerJob:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _watch_end(self) -> None:
        """Make ``exit_fd`` readable, by closing its other end, when the daemon reports the container's end."""
        writer = ExitStack()
        self.exit_fd, _ = pipe(self._resources, writer)

        def wait() -> None:
            from docker.errors import DockerException
            from requests.exceptions import RequestException

            # A daemon that goes away takes the answer with it; the caller meets the same error at once.
            with writer, suppress(DockerException, RequestException):
                self._client.wait(self._container, timeout=None)

        threading.Thread(target=wait, daemon=True, name=f"wait for {self._container[:12]}").start()

    def read(self) -> bytes | None:
        """See ``Job.read``."""
        unread, self._unread = self._unread, b""
        return unread or self._read_frames()

    def _read_frames(self) -> bytes | None:
        chunk = read_available(self.output_fd)
        if chunk is None:
            return None
        self._frames += chunk
        payload, start = [], 0
        while len(self._frames) - start >= _HEADER.size:
            _, length = _HEADER.unpack_from(self._frames, start)
            end = start + _HEADER.size + length
            if len(self._frames) < end:
                break
            payload.append(self._frames[start + _HEADER.size : end])
            start = end
        self._frames = self._frames[start:]
        return b"".join(payload)

    def kill(self) -> None:
        """See ``Job.kill``; returns when all is gone.

        Raises:
            SandboxError: The container does not end.
        """
        if not hasattr(self, "exit_fd") or self._has_ended():
            return
        # The daemon answers when the container has ended, and that waits for all its output to be read.
        killer = threading.Thread(target=self._ask_to_kill, daemon=True)
        killer.start()
        deadline = time.monotonic() + _END_SECONDS
        while not self._has_ended(wait=_DRAIN_SECONDS):
            self._unread += self._read_frames() or b""
            if time.monotonic() > deadline:
                raise SandboxError(f"Container {self._container[:12]} does not end, even when killed")
        killer.join(_END_SECONDS)

    def _ask_to_kill(self) -> None:
        from docker.errors import APIError

        with suppress(APIError):  # it has ended already
            self._client.kill(self._container)

    def _has_ended(self, wait: float = 0.0) -> bool:
        return bool(select.select([self.exit_fd], [], [], wait)[0])

    def close(self) -> None:
        """Release the connection; the container is removed by who made it."""
        self._resources.close()
