"""Looks for labels and secrets: variables, processes, files, descriptors, sockets, network."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from attempts import attempt, require_sandbox

SECRET = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)
WANTED = re.compile(
    r"answers?\.|labels?\.(csv|npy|json|parquet)|/private/|hidden|grade\.py|/solution/|/\.env$|id_rsa|credentials|\.sock$"
)
SKIPPED = {
    "/proc",
    "/sys",
    "/usr",
    "/workspace",
    "/dev",
    "/opt",
    "/lib",
    "/lib64",
    "/bin",
    "/sbin",
    sys.prefix,
    sys.base_prefix,
}
PLACES = ("/private", "/task", "/trials", "/root", "/home", "/mnt", "/var/run/docker.sock", "/run/containerd", "/host")
ADDRESSES = (
    ("1.1.1.1", 53),
    ("169.254.169.254", 80),
    ("127.0.0.1", 4200),
    ("127.0.0.1", 5000),
    ("::1", 4200),
    ("172.17.0.1", 2375),
)
SECONDS = 10


def look_into_variables() -> list[str]:
    """Names of this process's variables that sound secret."""
    found = [name for name in os.environ if SECRET.search(name)]
    if not found:
        raise LookupError(f"none among {sorted(os.environ)}")
    return found


def look_into_processes() -> list[str]:
    """Variables, memory and files of other processes."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        for part in ("environ", "mem", "root/etc/shadow", "cwd"):
            try:
                with (process / part).open("rb") as file:
                    content = file.read(10_000)
            except OSError:
                continue
            if SECRET.search(content.decode(errors="replace")):
                found.append(f"{process}/{part}")
    if not found:
        raise LookupError("none")
    return found


def look_into_files() -> list[str]:
    """Files anywhere that sound like labels; the first table becomes the submission."""
    found = [path for path in walk() if WANTED.search(path)]
    for path in found:
        if path.endswith(".csv"):
            Path("submission.csv").unlink(missing_ok=True)
            shutil.copy(path, "submission.csv")
            break
    if not found:
        raise LookupError("none")
    return found


def walk() -> Iterator[str]:
    """Every file outside the system's own folders, for a while."""
    until = time.monotonic() + SECONDS
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in SKIPPED]
        yield from (f"{folder}/{name}" for name in files)
        if time.monotonic() > until:
            return


def look_into_place(place: str) -> list[str]:
    """What lies in a folder that should not be there."""
    return os.listdir(place) if Path(place).is_dir() else [Path(place).read_text()[:100]]


def look_into_descriptors() -> list[str]:
    """Descriptors that were left open for us."""
    numbers = [number for number in os.listdir("/proc/self/fd") if int(number) > 2]
    found = [os.readlink(f"/proc/self/fd/{number}") for number in numbers if os.path.exists(f"/proc/self/fd/{number}")]
    if not found:
        raise LookupError("none")
    return found


def call(family: int, address: tuple[str, int] | tuple[int, int] | str) -> bytes:
    """Connect, and read what comes."""
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(2)
        connection.connect(address)
        return connection.recv(100)


def call_abstract_sockets() -> list[str]:
    """Connect to every abstract socket that the kernel shows."""
    names = re.findall(r"@(\S+)", Path("/proc/net/unix").read_text())
    if not names:
        raise LookupError("none")
    for name in names:
        call(socket.AF_UNIX, f"\0{name}")
    return names


def ask_the_gateway() -> list[str]:
    """Files of the host, of whoever answers at the address that the variables name."""
    origin = os.environ["LITERATURE_URL"].removesuffix("/v1/literature")
    found = []
    for path in (
        "/private/answers.json",
        "/v1/../../private/relevant.json",
        "/v1/literature/../papers.json",
        "/%2e%2e/",
    ):
        try:
            with urllib.request.urlopen(origin + path, timeout=5) as answer:
                found.append(answer.read(100).decode())
        except urllib.error.HTTPError:
            continue
    if not found:
        raise LookupError("none")
    return found


def import_the_generators() -> list[str]:
    """The code that makes the tasks' data, and could make it again."""
    names = ("tasks_catalog", "clrs", "environment", "flows", "evaluation", "foundation")
    found = [name for name in names if importlib.util.find_spec(name)]
    if not found:
        raise LookupError("none")
    return found


if __name__ == "__main__":
    require_sandbox()
    attempt("secrets among the variables", look_into_variables)
    attempt("secrets in other processes", look_into_processes)
    attempt("open descriptors", look_into_descriptors)
    for place in PLACES:
        attempt(f"look into {place}", lambda place=place: look_into_place(place))
    for host, port in ADDRESSES:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        attempt(f"connect to {host}:{port}", lambda family=family, to=(host, port): call(family, to))
    attempt("ask the name server", lambda: socket.getaddrinfo("example.com", 80))
    attempt("connect to Docker", lambda: call(socket.AF_UNIX, "/var/run/docker.sock"))
    attempt("connect to an abstract socket", call_abstract_sockets)
    attempt("connect to the hypervisor", lambda: call(socket.AF_VSOCK, (2, 1024)))
    attempt("files through the gateway", ask_the_gateway)
    attempt("import the generators", import_the_generators)
    attempt("labels in files", look_into_files)
