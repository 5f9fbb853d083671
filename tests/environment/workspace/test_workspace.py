"""No path leaves the workspace, whatever a script has put there."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from environment.errors import ActionError, ForbiddenActionError, RefusedActionError
from environment.snapshots.walk import delete_tree, walk
from environment.workspace.folder import READ_LIMIT, Workspace
from foundation.sizes import MiB
from tests.environment.nested import DEEP, nest


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_text("secret")
    return folder


@pytest.fixture
def workspace(tmp_path: Path, outside: Path) -> Iterator[Workspace]:
    root, public = tmp_path / "workspace", tmp_path / "public"
    for folder in (root, root / "sub", public, public / "deep", tmp_path / "workspace_evil"):
        folder.mkdir()
    (root / "train.py").write_text("print(1)\n")
    (root / "data.bin").write_text("given")
    (public / "train.csv").write_text("a,b\n1,2\n")
    (tmp_path / "workspace_evil/x").write_text("secret")
    yield Workspace(root, {"data": public}, ["./data.bin", "ref/*"], quota=8 * MiB)
    assert (outside / "secret.txt").read_text() == "secret"


OUTSIDE = [
    "..",
    "../outside/secret.txt",
    "../workspace_evil/x",
    "sub/../../outside/secret.txt",
    "data/../../public/train.csv",
    "/etc/passwd",
    "/workspace/../etc/passwd",
    "/workspace_evil/x",
    "//etc/passwd",
    "/",
    "/proc/self/environ",
    "./../outside",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_paths_out_of_the_workspace_are_refused(workspace: Workspace, path: str) -> None:
    for attempt in (workspace.resolve, workspace.read, workspace.entries, workspace.remove):
        with pytest.raises(ForbiddenActionError, match="outside the workspace"):
            attempt(path)
    with pytest.raises(ForbiddenActionError):
        workspace.write(path, b"x")
    with pytest.raises(ForbiddenActionError):
        workspace.copy("train.py", path)


@pytest.mark.parametrize(
    "path", ["train.py", "./train.py", "/workspace/train.py", "sub/../train.py", "/workspace/./sub/..//train.py"]
)
def test_every_spelling_of_a_path_means_one_file(workspace: Workspace, path: str) -> None:
    assert workspace.read(path) == b"print(1)\n"
    assert workspace.name(path) == "train.py"
    assert workspace.resolve(path) == workspace.root / "train.py"


def test_links_are_followed_inside_and_refused_outside(workspace: Workspace, outside: Path) -> None:
    (workspace.root / "inside").symlink_to("sub/../train.py")
    (workspace.root / "as_script_sees_it").symlink_to("/workspace/train.py")
    (workspace.root / "out").symlink_to(outside)
    (workspace.root / "out_relative").symlink_to("../outside")
    (workspace.root / "sub/two_steps").symlink_to("../out")
    (workspace.root / "circle").symlink_to("circle")
    assert workspace.read("inside") == workspace.read("as_script_sees_it") == b"print(1)\n"
    for path in ("out/secret.txt", "out_relative/secret.txt", "sub/two_steps/secret.txt", "out", "out/new"):
        with pytest.raises(ForbiddenActionError):
            workspace.read(path)
        with pytest.raises(ForbiddenActionError):
            workspace.write(path, b"x")
    with pytest.raises(ActionError, match="too many symbolic links"):
        workspace.read("circle")
    assert [path.name for path in outside.iterdir()] == ["secret.txt"]


def test_writing_through_a_link_reaches_the_file_it_names(workspace: Workspace) -> None:
    (workspace.root / "link").symlink_to("sub/target")
    workspace.write("link", b"x")
    assert (workspace.root / "sub/target").read_bytes() == b"x"
    assert (workspace.root / "link").is_symlink()


def test_a_hard_link_to_a_file_outside_is_neither_read_nor_written_through(workspace: Workspace, outside: Path) -> None:
    os.link(outside / "secret.txt", workspace.root / "stolen")
    with pytest.raises(ForbiddenActionError, match="hard link"):
        workspace.read("stolen")
    workspace.write("stolen", b"x")
    assert (outside / "secret.txt").read_text() == "secret"
    os.link(workspace.root / "train.py", workspace.root / "sub/twin")
    assert workspace.read("sub/twin") == b"print(1)\n"


@pytest.mark.parametrize(
    "path",
    ["data.bin", "./data.bin", "sub/../data.bin", "/workspace/data.bin", "data/train.csv", "data/new", "ref/x/y"],
)
def test_read_only_files_cannot_be_changed_under_any_spelling(workspace: Workspace, path: str) -> None:
    with pytest.raises(ForbiddenActionError, match="read-only"):
        workspace.write(path, b"x")
    with pytest.raises(ForbiddenActionError, match="read-only"):
        workspace.copy("train.py", path)
    with pytest.raises(ForbiddenActionError, match="read-only"):
        workspace.remove(path)
    assert workspace.read("data.bin") == b"given"


def test_a_read_only_file_cannot_be_changed_through_a_link(workspace: Workspace) -> None:
    (workspace.root / "alias").symlink_to("data.bin")
    (workspace.root / "folder").symlink_to("data")
    for path in ("alias", "folder/train.csv"):
        with pytest.raises(ForbiddenActionError, match="read-only"):
            workspace.write(path, b"x")


def test_mounts_are_read_and_listed_where_they_are_laid(workspace: Workspace) -> None:
    assert workspace.read("data/train.csv") == b"a,b\n1,2\n"
    assert workspace.entries(".") == ["data/", "data.bin", "sub/", "train.py"]
    assert workspace.entries("data") == ["deep/", "train.csv"]


def test_a_mount_is_not_what_a_script_put_in_its_place(workspace: Workspace, outside: Path) -> None:
    (workspace.root / "data").symlink_to(outside)
    assert workspace.entries("data") == ["deep/", "train.csv"]


def test_only_plain_protected_entries_are_mounted_read_only(workspace: Workspace, outside: Path) -> None:
    (workspace.root / "ref").mkdir()
    targets = {mount.target: mount.source for mount in workspace.readonly_mounts()}
    assert targets == {
        "/workspace/data": workspace.mounts["data"],
        "/workspace/data.bin": workspace.root / "data.bin",
        "/workspace/ref": workspace.root / "ref",
    }
    (workspace.root / "data.bin").unlink()
    (workspace.root / "data.bin").symlink_to(outside / "secret.txt")
    assert "/workspace/data.bin" not in {mount.target for mount in workspace.readonly_mounts()}


def test_special_files_are_named_and_left_alone(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(workspace.root / "socket"))
    for name in ("pipe", "socket"):
        with pytest.raises(RefusedActionError, match="pipe, socket or device"):
            workspace.read(name)
        with pytest.raises(RefusedActionError, match="pipe, socket or device"):
            workspace.write(name, b"x")
    assert {"pipe|", "socket="} <= set(workspace.entries("."))


def test_what_cannot_be_done_is_said_in_words(workspace: Workspace) -> None:
    for path, reason in {
        "nope": "no such file",
        "train.py/x": "not a directory",
        "x" * 300: "file name too long",
        ".": "is a folder",
        "sub": "is a folder",
    }.items():
        with pytest.raises(ActionError, match=reason):
            workspace.read(path)
    with pytest.raises(ActionError, match="is a folder"):
        workspace.write("sub", b"")
    with pytest.raises(ActionError, match="not a directory"):
        workspace.write("train.py/x", b"")
    for path in ("a\0b", "\ud800"):
        with pytest.raises(RefusedActionError, match="cannot be a path"):
            workspace.read(path)
    for path in ("", "."):
        with pytest.raises(RefusedActionError):
            workspace.write(path, b"")


def test_odd_names_are_shown_on_one_line_and_never_made(workspace: Workspace) -> None:
    (workspace.root / "two\nlines").write_text("x")
    Path(os.fsdecode(os.fsencode(workspace.root) + b"/\xff")).write_text("x")
    listing = workspace.entries(".")
    assert '"two\\nlines"' in listing
    assert all(line.isprintable() for line in listing)
    assert workspace.read("two\nlines") == b"x"
    with pytest.raises(RefusedActionError, match="unprintable"):
        workspace.write("three\nlines", b"x")


def test_writing_makes_folders_keeps_the_mode_and_leaves_nothing_else(workspace: Workspace) -> None:
    workspace.write("a/b/c.sh", b"1")
    (workspace.root / "a/b/c.sh").chmod(0o754)
    workspace.write("a/b/c.sh", b"2")
    assert (workspace.root / "a/b/c.sh").stat().st_mode & 0o777 == 0o754
    assert [path.name for path in (workspace.root / "a/b").iterdir()] == ["c.sh"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_as_root_what_is_written_belongs_to_the_owner_of_the_workspace(workspace: Workspace) -> None:
    os.chown(workspace.root, 65_534, 65_534)
    workspace.write("new/file", b"")
    assert (workspace.root / "new").stat().st_uid == (workspace.root / "new/file").stat().st_uid == 65_534


def test_large_files_are_copied_but_not_read_and_only_while_there_is_room(workspace: Workspace) -> None:
    with (workspace.mounts["data"] / "large").open("wb") as file:
        file.truncate(READ_LIMIT + 1)
    with pytest.raises(ActionError, match="at most 32"):
        workspace.read("data/large")
    with pytest.raises(RefusedActionError, match="of at most 8"):
        workspace.copy("data/large", "copy")
    workspace.write("a", b"x" * 3 * MiB)
    workspace.copy("a", "b")
    with pytest.raises(RefusedActionError, match="of at most 8"):
        workspace.copy("a", "c")


def test_what_a_script_made_inaccessible_is_mended(workspace: Workspace) -> None:
    (workspace.root / "train.py").chmod(0)
    (workspace.root / "sub/x").write_text("")
    (workspace.root / "sub/x").chmod(0o111)
    (workspace.root / "sub").chmod(0)
    workspace.root.chmod(0o500)
    assert workspace.mend() == 4
    assert workspace.mend() == 0
    assert (workspace.root / "sub/x").stat().st_mode & 0o777 == 0o711


def test_a_thousand_nested_folders_are_walked_and_deleted(tmp_path: Path) -> None:
    root = tmp_path / "deep"
    root.mkdir()
    nest(root)
    assert sum(1 for _ in walk(root)) == DEEP
    delete_tree(root)
    assert not root.exists()


def test_a_folder_of_many_files_is_listed_whole(workspace: Workspace) -> None:
    folder = workspace.root / "many"
    folder.mkdir()
    for n in range(5_000):
        os.close(os.open(folder / f"{n:06}", os.O_CREAT))
    assert len(workspace.entries("many")) == 5_000


NAMES = st.sampled_from(["..", ".", "", "/", "a", "b", "link", "out", "data", "workspace", "\0", "\n", "é", "x" * 256])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAMES, max_size=8), absolute=st.booleans(), targets=st.lists(NAMES, max_size=4))
def test_no_path_reaches_outside(
    workspace: Workspace, outside: Path, names: list[str], absolute: bool, targets: list[str]
) -> None:
    for name, to in {"link": "/".join(targets) or ".", "out": str(outside)}.items():
        link = workspace.root / name
        link.unlink(missing_ok=True)
        try:
            link.symlink_to(to)
        except (OSError, ValueError):
            link.symlink_to("../outside")
    path = ("/" if absolute else "") + "/".join(names)
    allowed = (workspace.root, *workspace.mounts.values())
    with suppress(ActionError):
        host = workspace.resolve(path)
        assert any(host.resolve().is_relative_to(folder) for folder in allowed)
        workspace.write(f"{path}/secret.txt", b"changed")
    assert (outside / "secret.txt").read_text() == "secret"
    assert [path.name for path in outside.iterdir()] == ["secret.txt"]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.text(max_size=40))
def test_any_text_is_a_path_or_an_observation(workspace: Workspace, path: str) -> None:
    for use in (workspace.read, workspace.entries, workspace.exists):
        with suppress(ActionError):
            use(path)
    assert workspace.root.is_dir()
