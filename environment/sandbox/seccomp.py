"""System calls refused inside every sandbox: one table, as a BPF program and as a Docker profile.

Namespaces hide most of the host; this closes what they do not: vsock (reaches a hypervisor through any
network namespace), io_uring (whose operations no filter sees), tracing, kernel keys, new namespaces. And it
closes ways around the limits that somebody has to watch.
"""

from __future__ import annotations

import platform
import struct
from typing import NamedTuple

EPERM, ENOSYS, EOPNOTSUPP = 1, 38, 95


class Numbers(NamedTuple):
    """The number of a system call on each architecture; ``None`` where it does not exist."""

    x86_64: int | None
    aarch64: int | None


CLONE, CLONE3, SOCKET = Numbers(56, 220), Numbers(435, 435), Numbers(41, 198)

DENIED: dict[str, Numbers] = {
    "acct": Numbers(163, 89),
    "add_key": Numbers(248, 217),
    "adjtimex": Numbers(159, 171),
    "bpf": Numbers(321, 280),
    "chroot": Numbers(161, 51),
    "clock_adjtime": Numbers(305, 266),
    "clock_settime": Numbers(227, 112),
    "delete_module": Numbers(176, 106),
    "fanotify_init": Numbers(300, 262),
    "finit_module": Numbers(313, 273),
    "fsconfig": Numbers(431, 431),
    "fsmount": Numbers(432, 432),
    "fsopen": Numbers(430, 430),
    "fspick": Numbers(433, 433),
    "init_module": Numbers(175, 105),
    "io_uring_enter": Numbers(426, 426),
    "io_uring_register": Numbers(427, 427),
    "io_uring_setup": Numbers(425, 425),
    "ioperm": Numbers(173, None),
    "iopl": Numbers(172, None),
    "kcmp": Numbers(312, 272),
    "kexec_file_load": Numbers(320, 294),
    "kexec_load": Numbers(246, 104),
    "keyctl": Numbers(250, 219),
    "migrate_pages": Numbers(256, 238),
    "mount": Numbers(165, 40),
    "mount_setattr": Numbers(442, 442),
    "move_mount": Numbers(429, 429),
    "move_pages": Numbers(279, 239),
    "name_to_handle_at": Numbers(303, 264),
    "open_by_handle_at": Numbers(304, 265),
    "open_tree": Numbers(428, 428),
    "perf_event_open": Numbers(298, 241),
    "pidfd_getfd": Numbers(438, 438),
    "pivot_root": Numbers(155, 41),
    "process_vm_readv": Numbers(310, 270),
    "process_vm_writev": Numbers(311, 271),
    "ptrace": Numbers(101, 117),
    "quotactl": Numbers(179, 60),
    "quotactl_fd": Numbers(443, 443),
    "reboot": Numbers(169, 142),
    "request_key": Numbers(249, 218),
    "setdomainname": Numbers(171, 162),
    "sethostname": Numbers(170, 161),
    "setns": Numbers(308, 268),
    "settimeofday": Numbers(164, 170),
    "swapoff": Numbers(168, 225),
    "swapon": Numbers(167, 224),
    "syslog": Numbers(103, 116),
    "umount2": Numbers(166, 39),
    "unshare": Numbers(272, 97),
    "userfaultfd": Numbers(323, 282),
    "vhangup": Numbers(153, 58),
}

SCHED_SETAFFINITY = Numbers(203, 122)
"""Refused as well where the CPU limit is an affinity mask, which a command could otherwise undo."""

FALLOCATE = Numbers(285, 47)
"""Takes any amount of disk in an instant, before a watcher can look. As on file systems that do not know it, programs
and the C library then write instead."""

UNCOUNTED_MEMORY = {
    "memfd_create": Numbers(319, 279),
    "memfd_secret": Numbers(447, 447),
    "shmget": Numbers(29, 194),
}
"""Memory that belongs to no process. Only a control group counts it; without one, the kernel seems not to know it."""

CLONE_NEW_NAMESPACES = 0x7E02_0000  # NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
SOCKET_FAMILIES = (1, 2, 10, 16)  # UNIX, INET, INET6, NETLINK: those a network namespace isolates

AUDIT_ARCHITECTURE = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
X32_CALLS = 0x4000_0000  # x86-64's second table of system calls, which would step around the first

_LOAD, _AND, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data (little endian)
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000


def bpf_program(machine: str | None = None, *, pin_cpus: bool = False, watched_memory: bool = False) -> bytes:
    """The filter as an array of ``struct sock_filter``.

    Args:
        machine: ``x86_64`` or ``aarch64``; this machine by default.
        pin_cpus: Refuse ``sched_setaffinity`` as well.
        watched_memory: No control group counts memory: refuse what else would not be counted.

    Raises:
        KeyError: For another architecture; ``supported`` tells beforehand.
    """
    machine = machine or platform.machine()
    refused = [(numbers, EPERM) for numbers in (*DENIED.values(), *([SCHED_SETAFFINITY] if pin_cpus else []))]
    refused += [(numbers, ENOSYS) for numbers in (UNCOUNTED_MEMORY.values() if watched_memory else ())]
    # clone3 hides its flags in memory: without it the C library falls back to clone.
    refused += [(CLONE3, ENOSYS), (FALLOCATE, EOPNOTSUPP)]
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, AUDIT_ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        program += [(_JUMP_GREATER_EQUAL, 0, 1, X32_CALLS), (_RETURN, 0, 0, _ERRNO | EPERM)]
    for numbers, errno in refused:
        number = getattr(numbers, machine)
        if number is not None:
            program += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | errno)]
    program += [
        (_JUMP_EQUAL, 0, 5, getattr(CLONE, machine)),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_AND, 0, 0, CLONE_NEW_NAMESPACES),
        (_JUMP_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _ERRNO | EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    program += [(_JUMP_EQUAL, 1, 0, getattr(SOCKET, machine)), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    for family in SOCKET_FAMILIES:
        program += [(_JUMP_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    program.append((_RETURN, 0, 0, _ERRNO | EPERM))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def supported() -> bool:
    """Whether the table knows this machine's system calls."""
    return platform.machine() in AUDIT_ARCHITECTURE


def docker_profile() -> dict[str, object]:
    """The same rules as a Docker seccomp profile."""

    def refuse(names: list[str], *args: dict[str, object], errno: int = EPERM) -> dict[str, object]:
        return {"names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": errno, "args": list(args)}

    def first(op: str, value: int, value_two: int = 0) -> dict[str, object]:
        return {"index": 0, "value": value, "valueTwo": value_two, "op": op}

    namespace_bits = [1 << bit for bit in range(32) if CLONE_NEW_NAMESPACES >> bit & 1]
    last_family = max(SOCKET_FAMILIES)
    other_families = [family for family in range(last_family) if family not in SOCKET_FAMILIES]
    return {
        "defaultAction": "SCMP_ACT_ALLOW",
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
        "syscalls": [
            refuse(sorted(DENIED)),
            refuse(["clone3"], errno=ENOSYS),
            refuse(["fallocate"], errno=EOPNOTSUPP),
            *(refuse(["clone"], first("SCMP_CMP_MASKED_EQ", bit, bit)) for bit in namespace_bits),
            *(refuse(["socket"], first("SCMP_CMP_EQ", family)) for family in other_families),
            refuse(["socket"], first("SCMP_CMP_GT", last_family)),
        ],
    }
