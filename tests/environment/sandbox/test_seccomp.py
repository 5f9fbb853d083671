from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from environment.sandbox import seccomp
from environment.sandbox.seccomp import CLONE, CLONE3, DENIED, SOCKET

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF_0000, 0x0005_0001, 0x0005_0026, 0x8000_0000
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
MACHINES = ["x86_64", "aarch64"]


def decide(machine: str, number: int, argument: int = 0, architecture: int | None = None) -> int:
    """What the kernel's interpreter would return for a system call."""
    arch = seccomp.AUDIT_ARCHITECTURE[machine] if architecture is None else architecture
    data = struct.pack("<IIQQ", number, arch, 0, argument)
    program = list(struct.iter_unpack("=HBBI", seccomp.bpf_program(machine)))
    accumulator = position = 0
    while True:
        code, if_true, if_false, value = program[position]
        position += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x54:
                accumulator &= value
            case 0x15:
                position += if_true if accumulator == value else if_false
            case 0x35:
                position += if_true if accumulator >= value else if_false
            case 0x06:
                return int(value)


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_the_kernels(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[machine].read_text()
    numbers = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    table = {
        **DENIED,
        "clone": CLONE,
        "clone3": CLONE3,
        "socket": SOCKET,
        "sched_setaffinity": seccomp.SCHED_SETAFFINITY,
        "fallocate": seccomp.FALLOCATE,
        **seccomp.UNCOUNTED_MEMORY,
    }
    ours = {name: getattr(entry, machine) for name, entry in table.items() if getattr(entry, machine) is not None}
    assert ours == {name: numbers[name] for name in ours}


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_refused_and_what_is_not(machine: str) -> None:
    for entry in DENIED.values():
        if (number := getattr(entry, machine)) is not None:
            assert decide(machine, number) == EPERM
    assert decide(machine, getattr(CLONE3, machine)) == ENOSYS
    thread_flags, new_user_namespace = 0x003D_0F00, 0x1000_0000
    assert decide(machine, getattr(CLONE, machine), thread_flags) == ALLOW
    assert decide(machine, getattr(CLONE, machine), thread_flags | new_user_namespace) == EPERM
    families = {family for family in range(64) if decide(machine, getattr(SOCKET, machine), family) == ALLOW}
    assert families == {1, 2, 10, 16}
    assert decide(machine, 0) == ALLOW


def test_another_architectures_calls_end_the_process() -> None:
    assert decide("x86_64", 0, architecture=0x4000_0003) == KILL


def test_x32_calls_are_refused() -> None:
    assert decide("x86_64", 0x4000_0000 + 101) == EPERM


def test_only_without_a_control_group_memory_that_nobody_counts_is_refused() -> None:
    for entry in seccomp.UNCOUNTED_MEMORY.values():
        number = struct.pack("=HBBI", 0x15, 0, 1, entry.x86_64)
        assert number in seccomp.bpf_program("x86_64", watched_memory=True)
        assert number not in seccomp.bpf_program("x86_64")


def test_only_a_pinned_command_may_not_choose_its_cpus() -> None:
    number = struct.pack("=HBBI", 0x15, 0, 1, seccomp.SCHED_SETAFFINITY.x86_64)
    assert number in seccomp.bpf_program("x86_64", pin_cpus=True)
    assert number not in seccomp.bpf_program("x86_64")
