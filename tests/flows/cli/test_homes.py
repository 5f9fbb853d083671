"""Homes and stores that cannot be used are named, with what to do."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.flows.cli.in_process import command

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize("arguments", [("show",), ("report",), ("doctor", "--json"), ("audit", "x"), ("resume", "x")])
@pytest.mark.parametrize("name", ["MLAB_HOME", "MLAB_STORE"])
def test_a_home_or_store_that_is_a_file_is_named(
    arguments: tuple[str, ...], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "a-file"
    file.touch()
    monkeypatch.setenv(name, str(file))
    done = command(*arguments)
    assert done.fault is None
    assert done.code in {1, 2}
    assert "a-file" in done.printed


@pytest.mark.parametrize("arguments", [("ui", "--stop"), ("server", "stop"), ("server", "start")])
def test_services_of_a_home_that_cannot_be_written(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", "/proc/x")
    done = command(*arguments)
    assert (done.code, done.fault) == (2, None)
    assert "/proc/x cannot be written" in done.printed
    assert "Set it to one that you can write to." in done.printed


def test_an_address_is_no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLAB_HOME", "s3://bucket/home")
    done = command("show")
    assert (done.code, done.fault) == (2, None)
    assert "is the address of something else than a folder" in done.printed
    assert "MLAB_STORE takes a URL" in done.printed
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "part"), [("a%41b", "%41"), ("a?b", "?")])
def test_a_home_whose_databases_would_be_looked_for_elsewhere_is_refused(
    name: str, part: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / name))
    done = command("run", "vectorization", "--agent", "nop")
    assert (done.code, done.fault) == (2, None)
    assert f"has {part} in its name" in done.printed
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_cannot_be_made_is_not_said_to_be_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", "/proc/x")
    for options in ((), ("--dry-run",)):
        done = command("run", "vectorization", "--agent", "nop", *options)
        assert (done.code, done.fault) == (2, None)
        assert "/proc/x cannot be written" in done.printed


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a file system in memory, with options; skips where nobody may."""
    folder = tmp_path / "mounted"
    folder.mkdir()

    def mount(options: str) -> Path:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=False).returncode:
            pytest.skip("nothing can be mounted here")
        return folder

    yield mount
    subprocess.run(["umount", "-q", folder], check=False)


def test_a_home_that_cannot_be_written_is_named_with_what_to_do(
    mounted: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = mounted("ro")
    monkeypatch.setenv("MLAB_HOME", str(home))
    for arguments in (("run", "vectorization", "--agent", "nop"), ("report",), ("import", __file__), ("learn",)):
        done = command(*arguments)
        assert (done.code, done.fault) == (2, None)
        assert f"{home} cannot be written: Read-only file system" in done.printed
        assert "MLAB_HOME names a folder" in done.printed
    monkeypatch.setattr("flows.cli.commands.doctor._sandboxes", lambda: ())
    found = {one["what"]: one for one in json.loads(command("doctor", "--json").printed)}
    assert "cannot be written" in found["home"]["detail"]


def test_a_report_that_finds_no_space_says_where_and_what_to_do(mounted: Callable[[str], Path]) -> None:
    folder = mounted("size=64k")
    done = command("report", "--out", str(folder / "report"))
    assert (done.code, done.fault) == (1, None)
    assert f"{folder}/report: No space left on device" in done.printed
    assert "--out" in done.printed


def test_a_store_of_no_known_kind_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_STORE", "nosuch://x")
    done = command("show")
    assert (done.fault, done.code) == (None, 2)
    assert "MLAB_STORE names the store: a folder, or an fsspec URL" in done.printed
