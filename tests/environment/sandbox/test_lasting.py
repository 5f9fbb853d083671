"""What lasts from one command of a run to the next, and what is told where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.sandbox import open_sandbox
from environment.sandbox.base import Command, Limits
from environment.sandbox.lasting import LastingTmp
from foundation.sizes import MiB
from tests.environment.bench import LIMITS, Bench, make_bench


@pytest.fixture
def tmp(tmp_path: Path) -> LastingTmp:
    folder = tmp_path / "tmp"
    folder.mkdir()
    return LastingTmp(open_sandbox("bubblewrap", label="test"), folder, Limits(tmp_size=4 * MiB))


@pytest.fixture
def bench(tmp_path: Path, tmp: LastingTmp) -> Bench:
    return make_bench(tmp_path, sandbox=tmp, lasting=tmp)


def test_tmp_and_home_last_from_script_to_command_to_repl(bench: Bench) -> None:
    bench.act(
        "Write File",
        file_name="a.py",
        content="import os\nopen('/tmp/w', 'w').write('1')\nos.mkdir(os.path.expanduser('~/.c'))\n",
    )
    bench.act("Execute Script", script_name="a.py")
    assert "w\n" in bench.text("Run Shell Command", command="ls -A ~; cat /tmp/w; rm -r /tmp/.c")
    assert (
        bench.text(
            "Python REPL", command="import os; print([n for n in os.listdir('/tmp') if os.path.isfile(f'/tmp/{n}')])"
        )
        == "['w']"
    )


def test_a_tmp_that_grows_too_large_is_emptied_and_told_once(bench: Bench) -> None:
    told = bench.text("Run Shell Command", command="head -c 6000000 /dev/zero > /tmp/big")
    assert "Note: /tmp and HOME were emptied: they held more than the 4 MiB that are kept." in told
    assert "emptied" not in bench.text("Run Shell Command", command="ls /tmp/big")


def test_what_a_resume_loses_is_told_once(bench: Bench) -> None:
    bench.act("Run Shell Command", command="echo 1 > /tmp/w")
    bench.environment.restore(bench.environment.state())
    told = bench.text("Run Shell Command", command="ls /tmp/w")
    assert "emptied: the run was interrupted and resumed" in told
    bench.environment.restore(bench.environment.state())
    assert "emptied" not in bench.text("Run Shell Command", command="ls")


def test_what_lies_in_tmp_does_not_eat_the_workspace(tmp: LastingTmp, tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    limits = LIMITS.model_copy(update={"workspace_size": 3 * MiB})

    def run(command: str) -> object:
        return tmp.run(Command(["sh", "-c", command], workspace=root, limits=limits)).killed_by

    assert run("head -c 2000000 /dev/zero > /tmp/a; sleep 0.1") is None
    assert run("head -c 2000000 /dev/zero > b; sleep 1") is None
