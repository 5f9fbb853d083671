"""Commands as plain processes of this user: limits as far as they go, and no protection at all."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath

import psutil

from environment.errors import SandboxError
from environment.gpus.card import Card
from environment.gpus.view import gpu_view
from environment.sandbox import cgroups, inside, usage
from environment.sandbox.backends import Backend
from environment.sandbox.base import WORKSPACE, Command, Execution, Mount
from environment.sandbox.confine import Confinement, held_by
from environment.sandbox.descriptors import pipe, read_available
from environment.sandbox.leftovers import held_processes
from environment.sandbox.owner import OWNER_VARIABLE, Owner, marked_processes, reap_processes
from environment.sandbox.python_view import python_view
from environment.sandbox.supervise import supervise
from environment.snapshots.walk import delete_tree

_counter = itertools.count()
_END_SECONDS = 30.0
_LEAVE_SECONDS = 0.3
_WAIT_FOR_GO = ("sh", "-c", 'read -r go && exec "$@" </dev/null', "sh")


class UnconfinedSandbox:
    """See ``Sandbox``, of which this keeps the form only: for machines where nothing better works.

    The command sees the whole host, with its network. Mounts below the workspace are links, writable
    where the user may write; paths of mounts in arguments and variables are replaced by the host's;
    ``packages`` is not heeded.
    """

    name = "none"

    def __init__(self, cards: Sequence[Card] = (), *, groups: cgroups.Found | None = None) -> None:
        groups = groups or cgroups.found()
        self.cards = tuple(cards)
        self._hierarchy = groups.hierarchy
        self.held_by = held_by(groups.held, root=os.geteuid() == 0)
        reap_processes()
        cgroups.reap(self._hierarchy)

    def run(self, command: Command) -> Execution:
        """See ``Sandbox.run``."""
        limits = command.limits
        host = _HostPaths(command.workspace, command.mounts)
        gpus = gpu_view(self.cards if limits.gpus else (), renumbered=False)
        variables = inside.variables(command.env, python_view(), limits, gpus=gpus)
        variables = {name: host.translate(value) for name, value in variables.items()}
        with (
            _linked(command.workspace, command.mounts),
            cgroups.limit(limits, self._hierarchy) as group,
            ProcessJob(list(map(host.translate, command.argv)), command.workspace, variables, group.entered()) as job,
        ):
            confinement = Confinement(job.pid, limits, group, command.written, os.getuid())
            confinement.apply()
            job.go()
            done = supervise(job, limits, confinement.watches(), command.on_output, command.cancel)
            exit_code = None if done.killed_by else job.exit_code()
            return Execution(
                exit_code=exit_code,
                output=done.output,
                seconds=done.seconds,
                killed_by=done.killed_by,
                peak_memory=confinement.peak_memory(),
                cpu_seconds=confinement.cpu_seconds(),
                refused=confinement.refused(),
                left_running=job.left_running,
            )


class _HostPaths:
    """Paths as a sandbox shows them, turned into the host's."""

    def __init__(self, workspace: Path, mounts: Sequence[Mount]) -> None:
        outside = [mount for mount in mounts if not mount.target.startswith(f"{WORKSPACE}/")]
        self._sources = {mount.target: str(mount.source) for mount in outside} | {WORKSPACE: str(workspace)}

    def translate(self, text: str) -> str:
        for target, source in self._sources.items():
            if text == target or text.startswith(f"{target}/"):
                return source + text[len(target) :]
        return text


@contextmanager
def _linked(workspace: Path, mounts: Sequence[Mount]) -> Iterator[None]:
    """Links in place of mounts below the workspace, while the command runs; what they cover comes back afterwards.

    Raises:
        SandboxError: A folder with files of its own is in the place of a mount.
    """
    links = {workspace / PurePosixPath(m.target).name: m.source for m in mounts if m.target.startswith(f"{WORKSPACE}/")}
    there_before = {link for link in links if link.exists() and not link.is_symlink()}
    inside.make_mount_points(workspace, mounts)
    for link, source in links.items():
        if link.is_dir() and any(link.iterdir()):
            raise SandboxError(f"{link} has files of its own, where {source} is to be shown")
    with tempfile.TemporaryDirectory(dir=workspace.parent, prefix="mlab-covered-") as covered:
        for link, source in links.items():
            link.rename(Path(covered, link.name))
            link.symlink_to(source)
        try:
            yield
        finally:
            for link in links:
                _clear(link)
            for link in there_before:
                Path(covered, link.name).rename(link)


def _clear(link: Path) -> None:
    """Remove a link, or whatever the command has put in its place."""
    if link.is_dir() and not link.is_symlink():
        delete_tree(link)
    else:
        link.unlink(missing_ok=True)


class ProcessJob:
    """See ``Job``. What the command starts is found again by a mark in its environment."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        variables: Mapping[str, str],
        within: AbstractContextManager[None],
    ) -> None:
        """Start a shell in ``folder``, within a block that counts for it, that becomes the command on ``go``."""
        self.left_running: tuple[str, ...] = ()
        self._mark = f"{Owner.current().mark}-{next(_counter)}"
        self._descriptors = ExitStack()
        with ExitStack() as theirs:
            self.output_fd, output = pipe(self._descriptors, theirs)
            stdin, self._stdin_fd = pipe(theirs, self._descriptors)
            with within:
                self._process = subprocess.Popen(
                    [*_WAIT_FOR_GO, *command],
                    stdin=stdin,
                    stdout=output,
                    stderr=output,
                    cwd=folder,
                    env={**variables, OWNER_VARIABLE: self._mark},
                    start_new_session=True,
                )
        os.set_blocking(self.output_fd, False)
        self.pid = self._process.pid
        self.exit_fd = os.pidfd_open(self.pid)
        self._descriptors.callback(os.close, self.exit_fd)

    def __enter__(self) -> ProcessJob:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.kill()
        finally:
            self._descriptors.close()

    def go(self) -> None:
        """Let the command run."""
        with suppress(BrokenPipeError):
            os.write(self._stdin_fd, b"\n")

    def read(self) -> bytes | None:
        """See ``Job.read``."""
        return read_available(self.output_fd)

    def kill(self) -> None:
        """See ``Job.kill``; what the command left running is known afterwards."""
        if self._process.poll() is not None and not self.left_running:
            self.left_running = _lasting(self._mark)
        while True:
            pids = usage.descendants(self.pid) if self._process.poll() is None else []
            pids += marked_processes(self._mark)
            if not pids:
                break
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self._process.wait(_END_SECONDS)

    def exit_code(self) -> int | None:
        """How the command ended, negative for a signal."""
        return self._process.returncode


def _lasting(mark: str) -> tuple[str, ...]:
    """Names of marked processes that do not end by themselves at once, as helpers of libraries do."""
    deadline = time.monotonic() + _LEAVE_SECONDS
    while (pids := marked_processes(mark)) and time.monotonic() < deadline:
        time.sleep(_LEAVE_SECONDS / 10)
    names = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            names.append(psutil.Process(pid).name())
    return tuple(names)


UNCONFINED = Backend(open=lambda setup: UnconfinedSandbox(setup.cards), held=held_processes, protects=False)
"""The kind, as the registry names it."""
