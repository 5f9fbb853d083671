"""Private data, variables, processes, sockets and code of the host are invisible, and rights stay dropped."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import uuid
from pathlib import Path

from environment.sandbox.conformance.bench import Bench, Suite, require
from environment.sandbox.python_view import OWN_PACKAGES, own_folders
from environment.sandbox.seccomp import CLONE, DENIED

suite = Suite("secrets")

_STANDARD_VARIABLES = {
    *("PATH", "HOME", "LANG", "HOSTNAME", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"),
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
    "NVIDIA_VISIBLE_DEVICES",
}


@suite.check
def memory_of_first_process(bench: Bench) -> None:
    """The first process inside cannot be written to, unless the same filter holds it."""
    found = bench.report(
        """
        import json, os
        opened = []
        for path in ("/proc/1/mem", "/proc/1/task/1/mem"):
            try:
                os.close(os.open(path, os.O_RDWR))
                opened.append(path)
            except OSError:
                pass
        filtered = "Seccomp:\\t2" in open("/proc/1/status").read()
        print(json.dumps([] if filtered else opened))
        """
    )
    require(not found, f"opened for writing: {found}")


@suite.check
def variables(bench: Bench) -> None:
    """Only the variables given, and a few standard ones, are in any environment."""
    seen = bench.report(
        """
        import glob, json, os
        seen = set(os.environ)
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                seen |= {entry.split("=")[0] for entry in open(path).read().split("\\0") if entry}
            except OSError:
                pass
        print(json.dumps(sorted(seen)))
        """,
        env={"GIVEN": "1"},
    )
    extra = set(seen) - _STANDARD_VARIABLES - {"GIVEN"}
    require("GIVEN" in seen, "the variable given is missing")
    require(not extra, f"variables besides: {sorted(extra)}")


@suite.check
def private_files(bench: Bench) -> None:
    """A private file of the host cannot be found by its path, its name or its content."""
    token = f"private-{uuid.uuid4()}"
    secret = bench.outside / token
    secret.write_text(token)
    bench.outside.chmod(0o755)
    secret.chmod(0o644)
    found = bench.report(
        f"""
        import json, os
        found = [path for path in ({str(secret)!r},) if os.path.exists(path)]
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for way in ("root", "cwd"):
                path = f"/proc/{{pid}}/{{way}}{secret}"
                if os.path.exists(path):
                    found.append(path)
        for folder, below, files in os.walk("/") if not found else ():
            below[:] = [name for name in below if os.path.join(folder, name) not in ("/usr", "/proc", "/sys")]
            found += [os.path.join(folder, name) for name in files if name == {token!r}]
        print(json.dumps(found))
        """
    )
    require(not found, f"found: {found}")


@suite.check
def host_folders(bench: Bench) -> None:
    """Folders of the user, the store, the code and the sockets of daemons are not there."""
    home = Path.home()
    paths = [home / name for name in (".ssh", ".aws", ".config", ".cache", ".local/share/mlab", ".netrc", ".bashrc")]
    paths += [*map(Path, ("/var/run/docker.sock", "/run/docker.sock", "/run/systemd", "/var/lib", "/etc/shadow"))]
    paths += [folder / "__init__.py" for folder in own_folders()]
    visible = bench.report(
        f"""
        import json, os
        print(json.dumps([path for path in {[str(path) for path in paths]!r} if os.path.exists(path)]))
        """
    )
    require(not visible, f"visible: {visible}")


@suite.check
def host_processes(bench: Bench) -> None:
    """Processes of the host can be neither seen nor signalled."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as sleeper:
        try:
            seen = bench.report(
                f"""
                import json, os, signal
                try:
                    os.kill({sleeper.pid}, signal.SIGTERM)
                except OSError:
                    pass
                print(json.dumps([name for name in os.listdir("/proc") if name.isdigit()]))
                """
            )
            require(sleeper.poll() is None, "a process of the host was ended")
            require(len(seen) <= 8, f"{len(seen)} processes are visible")
        finally:
            sleeper.kill()


@suite.check
def own_packages(bench: Bench) -> None:
    """The benchmark's own packages cannot be imported."""
    imported = bench.report(
        f"""
        import importlib, json, os
        imported = []
        for name in {OWN_PACKAGES!r}:
            try:
                module = importlib.import_module(name)
            except ImportError:
                continue
            imported += [path for path in module.__path__ if os.path.exists(path)]
        print(json.dumps(imported))
        """
    )
    require(not imported, f"imported: {imported}")


@suite.check
def libraries(bench: Bench) -> None:
    """The libraries of this Python work, with processes and semaphores."""
    total = bench.report(
        """
        import json, multiprocessing
        import numpy
        with multiprocessing.Pool(2) as pool:
            print(json.dumps(int(numpy.sum(pool.map(abs, range(-4, 4))))))
        """
    )
    require(total == 16, f"a sum came out as {total}")


@suite.check
def selected_packages(bench: Bench) -> None:
    """Of selected packages only those and what they require can be imported, by any path."""
    result = bench.report(
        """
        import glob, importlib, json, sys
        import numpy
        sys.path += glob.glob("/usr/lib/python3*/*-packages") + glob.glob("/opt/**/site-packages", recursive=True)
        sys.path += [sys.base_prefix + f"/lib/python3.{sys.version_info[1]}/site-packages"]
        imported = []
        for name in ("pandas", "pydantic", "docker", "pip", "setuptools"):
            try:
                importlib.import_module(name)
                imported.append(name)
            except ImportError:
                pass
        print(json.dumps(imported))
        """,
        packages=["numpy"],
    )
    require(not result, f"imported besides numpy: {result}")


@suite.check
def rights(bench: Bench) -> None:
    """The command has no rights of root and can win none back."""
    machine = platform.machine()
    numbers = {name: getattr(DENIED[name], machine) for name in ("bpf", "keyctl", "userfaultfd")}
    numbers["clone"] = getattr(CLONE, machine)
    found = bench.report(
        f"""
        import ctypes, json, os
        status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
        found = [name for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)]
        found += [] if int(status["NoNewPrivs"]) == 1 else ["new privileges"]
        found += [] if int(status["Seccomp"]) == 2 else ["no system-call filter"]
        found += [] if os.getuid() and os.geteuid() else ["root"]
        libc = ctypes.CDLL(None, use_errno=True)
        numbers = {json.dumps(numbers)}
        attempts = {{
            "setuid": lambda: libc.setuid(0),
            "unshare user": lambda: libc.unshare(0x10000000),
            "unshare mounts": lambda: libc.unshare(0x00020000),
            "clone user": lambda: libc.syscall(numbers["clone"], 0x10000000 | 17, 0, 0, 0, 0),
            "mount": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None),
            "umount": lambda: libc.umount2(b"/workspace", 2),
            "chroot": lambda: libc.chroot(b"/tmp"),
            "ptrace": lambda: libc.ptrace(0, 0, 0, 0),
            "sethostname": lambda: libc.sethostname(b"x", 1),
            "io_uring_setup": lambda: libc.syscall(425, 8, ctypes.create_string_buffer(256)),
            "io_uring_register": lambda: libc.syscall(427, 0, 0, 0, 0),
            "bpf": lambda: libc.syscall(numbers["bpf"], 0, 0, 0),
            "keyctl": lambda: libc.syscall(numbers["keyctl"], 0, -3, 1),
            "userfaultfd": lambda: libc.syscall(numbers["userfaultfd"], 1),
        }}
        for name, attempt in attempts.items():
            result = attempt()
            if name == "clone user" and result == 0:
                os._exit(0)
            if result >= 0 or name.startswith("io_uring") and ctypes.get_errno() not in (1, 38):
                found.append(name)
        print(json.dumps(found))
        """
    )
    require(not found, f"not refused: {found}")
