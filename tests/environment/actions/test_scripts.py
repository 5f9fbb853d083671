"""Scripts and shell commands: what the agent reads of how they ended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from environment.records import Action, KilledBy, Outcome
from environment.sandbox.base import Limits
from foundation.sizes import MiB
from tests.environment.bench import LIMITS, Bench, make_bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return make_bench(tmp_path)


def run(bench: Bench, code: str, **args: str | float | list[str]) -> str:
    (bench.root / "train.py").write_text(code)
    return bench.text("Execute Script", script_name="train.py", **args)  # type: ignore[arg-type]


def test_output_and_errors_come_as_they_were_written(bench: Bench) -> None:
    code = "import sys\nfor n in range(3):\n    print(n, flush=True)\n    print(-n, file=sys.stderr, flush=True)\n"
    assert run(bench, code) == "train.py ended with exit code 0. Output:\n0\n0\n1\n-1\n2\n-2"
    effect = bench.act("Execute Script", script_name="./train.py")
    assert effect.training_run is not None
    assert (effect.training_run.script, effect.training_run.step) == ("train.py", 1)


def test_what_was_printed_before_a_crash_is_shown(bench: Bench) -> None:
    text = run(bench, "print('loss: 0.5')\nraise ValueError('no')\n")
    assert text.startswith("train.py ended with exit code 1. Output:\nloss: 0.5\nTraceback")
    assert text.endswith("ValueError: no")


def test_a_signal_of_its_own_is_named(bench: Bench) -> None:
    text = run(bench, "import os; os.abort()")
    assert text.startswith("train.py was ended by SIGABRT (Aborted).")


def test_arguments_come_as_a_list_or_as_a_line(bench: Bench) -> None:
    code = "import sys; print(sys.argv[1:])"
    assert run(bench, code, arguments=["--lr", "0.1 0.2"]).endswith("['--lr', '0.1 0.2']")
    assert run(bench, code, arguments="--lr '0.1 0.2'").endswith("['--lr', '0.1 0.2']")
    assert "arguments: Value error, No closing quotation" in run(bench, code, arguments="'")


def test_a_timeout_of_its_own_stops_a_script_and_keeps_what_it_printed(bench: Bench) -> None:
    text = run(bench, "import time\nprint('begun', flush=True)\ntime.sleep(60)\n", timeout=1)
    assert text == "train.py was stopped: it ran longer than its limit of 1 s. Output:\nbegun"


def test_the_shortest_timeout_counts(bench: Bench) -> None:
    (bench.root / "train.py").write_text("")
    for own, left in ((None, None), (5, None), (500, None), (5, 3.0), (None, 7.0)):
        action = Action(name="Execute Script", args={"script_name": "train.py", "timeout": own})
        bench.environment.act(action, 0, timeout=left)
    assert [limits.timeout for limits in bench.runs.asked] == [60, 5, 60, 3, 7]


def test_limits_are_told_apart(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, limits=LIMITS.model_copy(update={"memory": 128 * MiB, "output": 1 * MiB}))
    (bench.root / "memory.py").write_text("x = [b'x' * 10_000_000 for _ in range(100)]")
    (bench.root / "output.py").write_text("while True: print('x' * 1000)")
    for script, killed_by, text in (
        ("memory.py", KilledBy.MEMORY, "used more memory than its limit of 128 MiB"),
        ("output.py", KilledBy.OUTPUT, "printed more than its limit of 1 MiB"),
    ):
        effect = bench.act("Execute Script", script_name=script)
        assert effect.observation.outcome is Outcome.KILLED
        assert text in effect.observation.text
        assert len(effect.observation.text) < 20_000
        assert effect.training_run is not None
        assert effect.training_run.killed_by is killed_by


def test_a_workspace_that_is_too_full_can_be_emptied_but_not_filled_further(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, limits=LIMITS.model_copy(update={"workspace_size": 10 * MiB}))
    (bench.root / "filler").write_bytes(b"x" * 20 * MiB)
    fill = bench.act("Run Shell Command", command="sleep 1; head -c 10000000 /dev/zero > more; sleep 30")
    assert "the workspace grew beyond its limit" in fill.observation.text
    assert bench.outcome("Run Shell Command", command="sleep 2; rm filler; sleep 1") is Outcome.OK


def test_missing_scripts_and_folders_are_no_scripts(bench: Bench) -> None:
    (bench.root / "folder").mkdir()
    for name in ("nope.py", "folder"):
        effect = bench.act("Execute Script", script_name=name)
        assert effect.observation.text == f"The file {name} does not exist."
        assert (effect.observation.outcome, effect.training_run) == (Outcome.FAILED, None)
    assert bench.outcome("Execute Script", script_name="/etc/passwd") is Outcome.REFUSED


def test_a_name_is_never_a_command_line(bench: Bench) -> None:
    (bench.root / "a; echo b").write_text("print('one script')")
    assert bench.text("Execute Script", script_name="a; echo b").endswith("one script")


def test_bytes_that_are_no_text_are_shown_somehow(bench: Bench) -> None:
    assert "a\ufffdb" in run(bench, r"import os; os.write(1, b'a\xffb')")


def test_read_only_files_hold_against_scripts_too(tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    (public / "x.csv").write_text("given")
    bench = make_bench(tmp_path, mounts={"data": public}, readonly=["given.txt"])
    (bench.root / "given.txt").write_text("given")
    text = bench.text(
        "Run Shell Command",
        command="echo x > given.txt; rm -f given.txt; mv given.txt y; echo x > data/x.csv; rm -rf data; cat given.txt"
        " data/x.csv",
    )
    assert text.endswith("givengiven")
    assert (bench.root / "given.txt").read_text() == (public / "x.csv").read_text() == "given"


def test_a_workspace_made_inaccessible_is_restored_and_said_so(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("a")
    effect = bench.act("Run Shell Command", command="chmod 000 a.txt .")
    assert effect.observation.outcome is Outcome.OK
    assert bench.text("Read File", file_name="a.txt") == "a"
    assert bench.outcome("Run Shell Command", command="cat a.txt") is Outcome.OK


def test_the_papers_words(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, profile="paper")
    assert run(bench, "print('hi')") == "The script has been executed. Here is the output:\nhi"
    assert run(bench, "print('hi'); exit(3)") == (
        "The script has been executed. Here is the output:\nhi\ntrain.py ended with exit code 3."
    )


def test_commands_run_with_no_network_and_no_variables(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "sk-secret" not in bench.text("Run Shell Command", command="env; cat /proc/*/environ")
    code = "import socket\nsocket.create_connection(('1.1.1.1', 80), timeout=3)\n"
    assert "unreachable" in run(bench, code)


def test_limits_without_a_timeout(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, limits=Limits(timeout=None))
    assert "limit of 1 s" in run(bench, "while True: pass", timeout=1)


def test_what_a_command_left_running_is_told(bench: Bench) -> None:
    told = bench.text("Run Shell Command", command="nohup sleep 60 > log 2>&1 & echo started")
    assert "started\nNote: what it left running (sleep) was ended with it; no process runs on" in told
    bench.act("Write File", file_name="a.py", content="import subprocess\nsubprocess.Popen(['sleep', '60'])\n")
    assert "left running (sleep)" in bench.text("Execute Script", script_name="a.py")
    for command in ("sleep 0.05 & true", "python -c 'import multiprocessing as m; m.Pool(1).map(abs, [1])'"):
        assert "left running" not in bench.text("Run Shell Command", command=command)


def test_a_full_shared_memory_is_named(bench: Bench) -> None:
    writes = "import mmap\nf = open('/dev/shm/a', 'wb+')\nf.truncate(2**23)\nm = mmap.mmap(f.fileno(), 2**23)\n"
    bench.act("Write File", file_name="a.py", content=writes + "for i in range(0, 2**23, 4096): m[i] = 1\n")
    limits = LIMITS.model_copy(update={"tmp_size": MiB})
    small = make_bench(bench.root.parent, limits=limits)
    told = small.text("Execute Script", script_name="a.py")
    assert "SIGBUS" in told
    assert "shared memory (/dev/shm) was full: it holds 1 MiB" in told
    assert "num_workers=0" in told


@pytest.mark.parametrize("name", ["work.ipynb", "disguised.py"])
def test_a_notebook_is_refused_with_what_works(bench: Bench, name: str) -> None:
    cells = [{"cell_type": "markdown", "source": ["# Hi"]}, {"cell_type": "code", "source": ["x = 1\n", "print(x)"]}]
    bench.act("Write File", file_name=name, content=json.dumps({"cells": cells, "nbformat": 4}))
    effect = bench.act("Execute Script", script_name=name)
    assert effect.observation.outcome is Outcome.REFUSED
    assert effect.training_run is None
    assert f"{name} is a notebook" in effect.observation.text
    command = effect.observation.text.partition("Run Shell Command: ")[2]
    bench.act("Run Shell Command", command=command)
    script = command.rpartition("> ")[2]
    assert bench.text("Read File", file_name=script).endswith("x = 1\nprint(x)\n")
