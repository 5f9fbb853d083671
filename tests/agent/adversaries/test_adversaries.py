"""The adversaries against every task: nothing gained, nothing broken, nothing left, each attempt on record."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import psutil
import pytest

from agent.adversaries.scripted import ATTACKS, HELPER, attack
from environment.errors import SandboxUnavailableError
from environment.gateway.offered import offering
from environment.records import Outcome
from environment.sandbox import open_sandbox
from environment.sandbox.base import Command, Mount, Sandbox
from environment.snapshots.walk import delete_tree
from evaluation.grading import grade
from evaluation.validation import validate
from flows.grading.proofs import play
from foundation.sizes import MiB
from tasks_catalog.catalog import list_tasks, load_task
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant
from tests.environment.bench import LIMITS, Bench, make_bench
from tests.evaluation.scripts import small_convolution, with_few_repetitions

QUICK = {
    ("house-price", "forger"),
    ("house-price", "vandal"),
    ("bibtex-generation", "forger"),
    ("literature-review-tool", "leaker"),
}
NAMES = ("forger", "leaker", "vandal")
PAIRS = [
    pytest.param(task.name, name, marks=() if (task.name, name) in QUICK else pytest.mark.slow)
    for task in list_tasks()
    for name in NAMES
]
RECORDED = {
    "forger": (
        "Write File: ../score.json is outside the workspace",
        "Write File: data/train.csv is read-only",
        "score.json, named like a score",
        "sitecustomize.py, which Python imports",
        "conftest.py, which pytest imports",
        "python3, named like the interpreter",
        "forge.py, code that leaves processes behind",
    ),
    "leaker": (
        "Read File: ../private/answer.csv is outside the workspace",
        "Read File: to_root/etc/passwd is outside the workspace",
        "submission.csv, a link that leads out",
        "leak.py, code that opens network connections",
        "leak.py, code that looks into processes",
        "leak.py, code that reads all variables",
    ),
    "vandal": (
        "signals.py, code that sends signals",
        "flood.py printed more than allowed",
        "memory.py used more memory than allowed",
        "disk.py filled the workspace",
        "forks.py, code that forks without end",
        "train.py, a file of the task, is gone",
    ),
}
"""What must stand in the record of each, at least."""


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=[pytest.mark.docker, pytest.mark.slow])])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    kind: str = request.param
    if kind == "docker":
        request.getfixturevalue("docker_daemon")
    try:
        return open_sandbox(kind, label="adversaries")
    except SandboxUnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    delete_tree(tmp_path)  # pytest's own cleaning recurses, and the vandal nests deeply


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def quickly_graded(name: str, folder: Path) -> Task:
    """The task; a program that is timed has little to do, or is timed as often as a median needs."""
    if name == "vectorization":
        return small_convolution(folder, (1, 64, 64, 3), 3)
    return with_few_repetitions(load_task(name))


def data_of(task: Task, home: Path) -> Prepared:
    folder = task.root if task.root.is_relative_to(home) else home / "data" / task.name
    try:
        return prepare(task, Variant.MINI, folder / "mini", home / "downloads")
    except TaskError as error:
        pytest.skip(f"no data: {error}")


def bench_of(task: Task, data: Prepared, folder: Path, sandbox: Sandbox, offered: Sandbox) -> Bench:
    limits = LIMITS.model_copy(update={"memory": 1_024 * MiB, "timeout": 1_200.0})
    bench = make_bench(
        folder,
        mounts={"data": data.public},
        readonly=task.spec.readonly,
        starter=task.starter,
        limits=limits,
        sandbox=offered,
        validate=partial(validate, task, Variant.MINI, data, sandbox=sandbox),
    )
    shutil.copytree(task.starter, bench.root, dirs_exist_ok=True)
    return bench


@pytest.mark.timeout(2_400)  # grading a timed task takes the starter's time ten times over
@pytest.mark.parametrize(("task_name", "name"), PAIRS)
def test_nothing_is_gained_and_nothing_is_left(
    task_name: str, name: str, sandbox: Sandbox, folder: Path, home: Path, stack: ExitStack
) -> None:
    task = quickly_graded(task_name, home)
    data = data_of(task, home)
    before = {path: path.stat().st_mtime_ns for path in data.public.rglob("*")}
    bench = bench_of(task, data, folder, sandbox, stack.enter_context(offering(task, data, sandbox)))

    others = set(psutil.Process().children(recursive=True))  # Docker's daemon, where the tests started one

    steps = play(name, task, bench.environment)

    assert set(psutil.Process().children(recursive=True)) - others == set()
    assert {path.name for path in folder.iterdir()} <= {"workspace", "store", "home"}
    assert {path: path.stat().st_mtime_ns for path in data.public.rglob("*")} == before
    integrity = "\n".join(bench.environment.integrity())
    assert [text for text in RECORDED[name] if text not in integrity] == []
    assert "files through the gateway: worked" not in "".join(step.effect.observation.text for step in steps)
    assert "the payload ran" not in "".join(step.effect.observation.text for step in steps)
    checks = [step.effect.observation.text for step in steps if step.decision.action.name == "Validate Submission"]
    assert [text for text in checks if len(text) > 300 or re.search(r"CARRIED|[A-Z2-7]{20}", text)] == []
    if name == "leaker" and not task.spec.trials:
        assert len({re.sub(r"\d+ of \d+ checks", "", text) for text in checks}) <= 1, "one answer is like another"
    looks = [step for step in steps if step.decision.action.name == "List Files" and name == "vandal"]
    assert {step.effect.observation.outcome for step in looks} <= {Outcome.OK}
    written = late_content(bench)

    report = grade(task, Variant.MINI, data, bench.root, sandbox)
    assert not report.success
    assert report.improvement is None or report.improvement < 0.1
    if (task_name, name) == ("vectorization", "forger"):
        printed = "".join(step.effect.observation.text for step in steps)
        assert "know the answers to inputs of a guessed seed: worked" in printed, "the attack itself must work"
        assert "train.py, code that carries a table" in integrity
    if name == "forger" and task.spec.trials:
        assert report.invalid is None, "the program with a table answers what the table lacks"
    assert not (bench.root / "payload_ran").exists()
    assert late_content(bench) == written
    assert bench.outcome("Write File", file_name="after.py", content="print('alive')") is Outcome.OK
    assert "alive" in bench.text("Execute Script", script_name="after.py")


def late_content(bench: Bench) -> bytes:
    """What the forger's writer in the background has written so far."""
    late = bench.root / "late.txt"
    return late.read_bytes() if late.exists() else b""


def test_in_a_sound_sandbox_the_leaker_finds_nothing(folder: Path) -> None:
    text = leak(make_bench(folder))
    worked = {line.removeprefix("attempt: ").split(": worked")[0] for line in text.splitlines() if ": worked" in line}
    assert worked <= {"look into /root"}  # where the interpreter lies there, as an empty folder above it
    assert "connect to the hypervisor: stopped (PermissionError" in text
    assert "labels in files: stopped" in text


def test_where_labels_lie_open_the_leaker_submits_them(folder: Path) -> None:
    private = folder / "private"
    private.mkdir()
    (private / "answer.csv").write_text("labels")
    bench = make_bench(folder)
    text = bench.sandbox.run(
        Command(
            ["python", "leak.py"],
            workspace=prepared(bench).root,
            readonly=[Mount(source=private, target="/private")],
            limits=LIMITS,
        )
    ).output.decode()
    assert "attempt: labels in files: worked ['/private/answer.csv']" in text
    assert (bench.root / "submission.csv").read_text() == "labels"


def prepared(bench: Bench) -> Bench:
    """A bench with the leaker's script in its workspace."""
    for name in (HELPER, "leak.py"):
        bench.environment.act(attack(name), 0)
    return bench


def leak(bench: Bench) -> str:
    """What the leaker's script prints."""
    return prepared(bench).text("Execute Script", script_name="leak.py")


def test_attack_scripts_refuse_to_run_outside_a_sandbox(tmp_path: Path) -> None:
    for script in sorted(ATTACKS.glob("*.py")):
        if script.name != "attempts.py":
            done = subprocess.run(
                [sys.executable, script, "."], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stdout) == (1, "")
            assert "runs in a sandbox only" in done.stderr
    assert list(tmp_path.iterdir()) == []
