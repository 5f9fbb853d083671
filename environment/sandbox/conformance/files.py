"""Writes land in the workspace, /tmp and /dev/shm, or nowhere; what is read-only stays as it is."""

from __future__ import annotations

from environment.sandbox.base import Mount
from environment.sandbox.conformance.bench import LIMITS, Bench, Suite, require
from foundation.sizes import MiB

suite = Suite("files")

_WRITABLE = {"/workspace", "/tmp", "/dev/shm", "/dev/mqueue"}


@suite.check
def workspace(bench: Bench) -> None:
    """The workspace is the working directory, and what is written there comes back."""
    (bench.workspace / "in.txt").write_text("from the host")
    bench.report(
        """
        import json, os
        assert os.getcwd() == "/workspace" and open("in.txt").read() == "from the host"
        open("in.txt", "a").write(" and back")
        os.makedirs("deep/er")
        open("deep/er/out.txt", "w").write("made inside")
        print(json.dumps(True))
        """
    )
    require((bench.workspace / "in.txt").read_text() == "from the host and back", "a change did not come back")
    require((bench.workspace / "deep/er/out.txt").read_text() == "made inside", "a new file did not come back")


@suite.check
def nowhere_else(bench: Bench) -> None:
    """No folder outside the workspace, /tmp and /dev/shm can be written to."""
    written = bench.report(
        """
        import json, os
        written, folders = [], {line.split()[4] for line in open("/proc/self/mountinfo")}
        for folder, below, files in os.walk("/"):
            folders.add(folder)
            if folder.count("/") > 2 or folder == "/proc":
                below.clear()
        for folder in folders:
            try:
                name = os.path.join(folder, "mlab-probe")
                os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
                os.remove(name)
                written.append(folder)
            except OSError:
                pass
        for name in ("/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger"):
            try:
                open(name, "w").close()
                written.append(name)
            except OSError:
                pass
        print(json.dumps(written))
        """
    )
    extra = [name for name in written if not any(name == top or name.startswith(f"{top}/") for top in _WRITABLE)]
    require(not extra, f"could be written to: {extra}")


@suite.check
def sized_temporary_folders(bench: Bench) -> None:
    """/tmp and /dev/shm hold no more than their size."""
    sizes = bench.report(
        """
        import json
        sizes = {}
        for folder in ("/tmp", "/dev/shm"):
            written = 0
            try:
                with open(folder + "/fill", "wb", buffering=0) as file:
                    while written < 2**27:
                        written += file.write(bytes(2**20))
            except OSError:
                pass
            sizes[folder] = written
        print(json.dumps(sizes))
        """,
        limits=LIMITS.model_copy(update={"tmp_size": 16 * MiB}),
    )
    require(
        all(8 * MiB <= size <= 16 * MiB for size in sizes.values()), f"bytes written: {sizes}; the limit was 16 MiB"
    )


@suite.check
def readonly_data(bench: Bench) -> None:
    """Mounted data can be read, and in no way changed."""
    data = bench.outside / "data"
    data.mkdir()
    (data / "train.csv").write_text("1,2,3")
    mounts = [Mount(source=data, target="/workspace/data"), Mount(source=data, target="/inputs")]
    changed = bench.report(
        """
        import json, os, shutil
        changed = []
        for folder in ("/workspace/data", "/inputs"):
            path = folder + "/train.csv"
            assert open(path).read() == "1,2,3"
            for name, attempt in {
                "write": lambda: open(path, "w"),
                "create": lambda: open(folder + "/new", "w"),
                "remove": lambda: os.remove(path),
                "rename": lambda: os.rename(path, folder + "/other"),
                "chmod": lambda: os.chmod(path, 0o777),
                "truncate": lambda: os.truncate(path, 0),
                "link over": lambda: os.link(path, "/workspace/link"),
                "move the folder": lambda: os.rename(folder, "/workspace/elsewhere"),
                "remove the folder": lambda: os.rmdir(folder),
            }.items():
                try:
                    attempt()
                    changed.append(f"{name} {folder}")
                except OSError:
                    pass
        print(json.dumps(changed))
        """,
        readonly=mounts,
    )
    require(not changed, f"succeeded on read-only data: {changed}")
    require(
        [path.name for path in data.iterdir()] == ["train.csv"] and (data / "train.csv").read_text() == "1,2,3",
        "the data changed",
    )


@suite.check
def writable_mount(bench: Bench) -> None:
    """A writable mount besides the workspace can be written to."""
    folder = bench.outside / "results"
    folder.mkdir()
    mount = Mount(source=folder, target="/results")
    bench.report("open('/results/x', 'w').write('made inside'); print('true')", writable=[mount])
    require((folder / "x").read_text() == "made inside", "what was written did not come back")


@suite.check
def link_at_mount_point(bench: Bench) -> None:
    """A link that a script put in place of a mount does not lead the mount astray."""
    data, private = bench.outside / "data", bench.outside / "private"
    for folder, text in ((data, "public"), (private, "private")):
        folder.mkdir()
        (folder / "x").write_text(text)
    (bench.workspace / "data").symlink_to(private)
    mount = Mount(source=data, target="/workspace/data")
    read = bench.report("import json; print(json.dumps(open('data/x').read()))", readonly=[mount])
    require(read == "public", f"the mount showed {read!r}")
    require((private / "x").read_text() == "private", "the link's target changed")


@suite.check
def links_out(bench: Bench) -> None:
    """Links to host files lead nowhere."""
    secret = bench.outside / "secret"
    secret.write_text("secret")
    (bench.workspace / "link").symlink_to(secret)
    (bench.workspace / "up").symlink_to("../outside/secret")
    found = bench.report(
        """
        import json, os
        print(json.dumps([name for name in ("link", "up") if os.path.exists(name)]))
        """
    )
    require(not found, f"links led to the host: {found}")


@suite.check
def locked_files(bench: Bench) -> None:
    """What a script made unreadable, the harness can still read and remove."""
    bench.report(
        """
        import os
        os.makedirs("locked/inner")
        open("locked/inner/x", "w").write("hidden")
        os.chmod("locked/inner/x", 0)
        os.chmod("locked/inner", 0)
        os.chmod("locked", 0)
        os.mkfifo("pipe")
        open(b"odd\\nname\\xff", "w").close()
        print("true")
        """
    )
    require((bench.workspace / "locked/inner/x").read_text() == "hidden", "the file could not be read")
    # That all can be removed shows in the removal of the workspace after this check.


@suite.check
def devices(bench: Bench) -> None:
    """No device files can be made or opened besides the harmless ones."""
    found = bench.report(
        """
        import json, os, stat
        harmless = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "console", "pts", "shm", "fd",
                    "stdin", "stdout", "stderr", "core", "mqueue"}
        found = [name for name in os.listdir("/dev") if name not in harmless and not name.startswith("nvidia")]
        try:
            os.mknod("/tmp/kmem", 0o666 | stat.S_IFCHR, os.makedev(1, 1))
            found.append("mknod")
        except OSError:
            pass
        print(json.dumps(found))
        """
    )
    require(not found, f"devices: {found}")


@suite.check
def workspace_in_private_folder(bench: Bench) -> None:
    """A workspace below a folder that only the harness may enter is shown."""
    bench.workspace.parent.chmod(0o700)
    bench.workspace.chmod(0o700)
    bench.report("open('x', 'w').close(); print('true')")
    require((bench.workspace / "x").exists(), "nothing was written")
