"""The command line of bubblewrap: which namespaces, what is mounted where, who the command runs as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from environment.sandbox import inside
from environment.sandbox.base import WORKSPACE, Limits, Mount

_ROOT_NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup-try")
"""Without a user namespace: root makes them by right, and the command can be a real other user."""

_ROOT_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")  # what setpriv needs to drop all of them
_DROP_RIGHTS = (
    "setpriv",
    f"--reuid={inside.USER_ID}",
    f"--regid={inside.USER_ID}",
    "--clear-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
    "--no-new-privs",
)

_MEMORY_OF_FIRST_PROCESS = ("/proc/1/mem", "/proc/1/task/1/mem")
"""Of bubblewrap itself, to which an ordinary user's command could write; it has no more rights, and the same filter."""

_AROUND = """
unset PWD OLDPWD
read -r go || exit 1
exec 2>/dev/null
(exec "$@" 2>&1 </dev/null)
code=$?
for pause in 0.1 0.2 0; do
    left=
    for process in /proc/[0-9]*; do
        id=${process#/proc/}
        if [ "$id" != 1 ] && [ "$id" != $$ ] && read -r status <"$process/stat"; then
            name=${status#*(}
            case "${status##*) }" in Z*) ;; *) left="$left${name%)*}
" ;; esac
        fi
    done
    [ -n "$left" ] || exit $code
    sleep $pause
done
printf "%s" "$left" >&0
exit $code
"""
"""The command starts on a word from the harness, so that it never runs without limits or without a harness.

The shell's input is a socket, which the command does not get: by it the harness learns what the command left running.
"""
_AROUND_COMMAND = ("sh", "-c", f'cd {WORKSPACE} && unset PWD OLDPWD && exec sh -c "$0" sh "$@"', _AROUND)
"""A second shell, whose own environment nobody finds a folder of the host's in."""


@dataclass(frozen=True)
class Inside:
    """What one command is to see.

    Attributes:
        workspace: Host folder for ``/workspace``.
        readonly: Shown read-only, in order.
        writable: Shown read-write.
        variables: The command's environment.
        limits: For the sizes of temporary folders.
        devices: Device files of the host by their path inside.
        network: It shares the host's network.
    """

    workspace: Path
    readonly: Sequence[Mount]
    writable: Sequence[Mount]
    variables: Mapping[str, str]
    limits: Limits
    devices: Mapping[str, Path]
    network: bool = False


@dataclass(frozen=True)
class Descriptors:
    """What bubblewrap reads and writes besides the command's output; ``files`` maps paths inside to contents."""

    status: int
    block: int
    seccomp: int
    files: Mapping[str, int]


def arguments(
    command: Sequence[str], view: Inside, descriptors: Descriptors, *, hostname: str, root: bool
) -> Iterator[str]:
    """All arguments after ``bwrap``."""
    yield from _namespaces(hostname, root=root, network=view.network)
    yield from ("--json-status-fd", str(descriptors.status), "--block-fd", str(descriptors.block))
    yield from ("--seccomp", str(descriptors.seccomp))
    yield from _system(descriptors.files, network=view.network)
    yield from _temporary(view.limits)
    yield from _mounts(view)
    for path, device in view.devices.items():
        yield from ("--dev-bind", str(device), path)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--clearenv")
    for name, value in view.variables.items():
        yield from ("--setenv", name, value)
    yield from ("--", *(_DROP_RIGHTS if root else ()), *_AROUND_COMMAND, *command)


def _namespaces(hostname: str, *, root: bool, network: bool) -> Iterator[str]:
    yield from ("--die-with-parent", "--new-session")
    if root:
        yield from (f"--unshare-{space}" for space in _ROOT_NAMESPACES if not (network and space == "net"))
        yield from ("--cap-drop", "ALL")
        for capability in _ROOT_CAPABILITIES:
            yield from ("--cap-add", capability)
    else:
        yield from ("--unshare-all", "--unshare-user", "--uid", str(inside.USER_ID), "--gid", str(inside.USER_ID))
        yield from ("--share-net",) if network else ()
    yield from ("--hostname", hostname)


def _system(files: Mapping[str, int], *, network: bool) -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for path in map(Path, inside.LINKED_TO_USR):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--perms", "0755", "--dir", "/etc")
    for name in (*inside.ETC_OF_HOST, *(inside.ETC_FOR_NETWORK if network else ())):
        yield from ("--ro-bind-try", name, name)
    for name, descriptor in files.items():
        yield from ("--perms", "0644", "--ro-bind-data", str(descriptor), name)
    yield from ("--proc", "/proc", "--dev", "/dev")
    for memory in _MEMORY_OF_FIRST_PROCESS:
        yield from ("--ro-bind", "/dev/null", memory)


def _temporary(limits: Limits) -> Iterator[str]:
    for folder in ("/dev/shm", "/tmp"):
        yield from ("--perms", "1777", "--size", str(limits.tmp_size), "--tmpfs", folder)


def _mounts(view: Inside) -> Iterator[str]:
    laid = [PurePosixPath("/usr")]
    asked = (
        ("--bind", Mount(source=view.workspace, target=WORKSPACE)),
        *(("--ro-bind", mount) for mount in view.readonly),
        *(("--bind", mount) for mount in view.writable),
    )
    # What lies deeper is laid later, or the folder above would hide it.
    for kind, mount in sorted(asked, key=lambda one: len(PurePosixPath(one[1].target).parts)):
        target = PurePosixPath(mount.target)
        for parent in reversed(target.parents[:-1]):
            # Left to bubblewrap, missing parents would be root's own and closed to the command.
            if not any(parent.is_relative_to(other) for other in laid):
                yield from ("--perms", "0755", "--dir", str(parent))
        yield from (kind, str(mount.source), mount.target)
        if kind == "--ro-bind" or mount.target == WORKSPACE:  # in others, as /tmp, parents may be missing as well
            laid.append(target)
