from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from foundation.plugins import BuiltIn
from tasks_catalog.catalog import CATALOGUE
from tasks_catalog.library.errors import MissingExtraError, PrepareError, TaskError
from tasks_catalog.library.extras import EXTRAS, Extra, check_extras
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.prepare import Prepared, check_disk, prepare
from tasks_catalog.library.spec import Task, Variant

Make = Callable[..., Task]


@pytest.fixture
def make_task(tmp_path: Path) -> Make:
    """A task whose ``prepare.py`` is the given body, and whose ``task.toml`` is changed as told."""

    def make(body: str, **changes: str) -> Task:
        folder = tmp_path / "task"
        shutil.copytree(CATALOGUE / "vectorization", folder, dirs_exist_ok=True)
        head = "import os, time\nfrom pathlib import Path\nfrom tasks_catalog.library.errors import PrepareError\n"
        (folder / "prepare.py").write_text(head + body, encoding="utf-8")
        spec = (folder / "task.toml").read_text(encoding="utf-8")
        spec = re.sub(r"(?m)^(digest|drawn) = .*\n", "", spec)
        for before, after in (change.split(" -> ") for change in changes.values()):
            assert before in spec
            spec = spec.replace(before, after)
        (folder / "task.toml").write_text(spec, encoding="utf-8")
        return read_task(folder)

    return make


COUNTING = """
def prepare(job):
    with open(os.environ["PREPARED"], "a") as file:
        file.write("x")
    (job.public / "train.csv").write_text("a\\n1\\n")
    (job.private / "answers.csv").write_text("a\\n2\\n")
"""


@pytest.fixture
def counter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "prepared"
    path.touch()
    monkeypatch.setenv("PREPARED", str(path))
    return path


def run(task: Task, tmp_path: Path, *, force: bool = False) -> Prepared:
    return prepare(task, Variant.MINI, tmp_path / "data" / "mini", tmp_path / "downloads", force=force)


def test_data_is_made_once(make_task: Make, tmp_path: Path, counter: Path) -> None:
    task = make_task(COUNTING)
    first, again = run(task, tmp_path), run(task, tmp_path)
    assert first == again
    assert counter.read_text() == "x"
    assert (first.public / "train.csv").is_file()
    assert run(task, tmp_path, force=True) == first
    assert counter.read_text() == "xx"


def test_data_of_another_recipe_is_made_anew(make_task: Make, tmp_path: Path, counter: Path) -> None:
    first = run(make_task(COUNTING), tmp_path)
    second = run(make_task(COUNTING.replace("2", "3")), tmp_path)
    assert counter.read_text() == "xx"
    assert first.digest != second.digest


def test_data_of_another_digest_is_made_anew(make_task: Make, tmp_path: Path, counter: Path) -> None:
    digest = run(make_task(COUNTING), tmp_path).digest
    task = make_task(COUNTING, digest=f"disk_mib = 5 -> disk_mib = 5\ndigest = '{digest}'")
    assert run(task, tmp_path).digest == digest
    assert counter.read_text() == "x"
    marker = tmp_path / "data" / "mini" / "prepared.json"
    marker.write_text(marker.read_text().replace(digest, "0" * 64))
    assert run(task, tmp_path).digest == digest
    assert counter.read_text() == "xx"


def test_files_laid_by_hand_need_no_disk_for_downloads(make_task: Make, tmp_path: Path, counter: Path) -> None:
    task = make_task(COUNTING, download="disk_mib = 5 -> disk_mib = 5\ndownload_mib = 5e9")
    with pytest.raises(PrepareError, match="MiB free"):
        run(task, tmp_path)
    prepare(task, Variant.MINI, tmp_path / "data" / "mini", tmp_path / "downloads", tmp_path)
    assert counter.read_text() == "x"


def test_a_damaged_folder_is_made_anew(make_task: Make, tmp_path: Path, counter: Path) -> None:
    task = make_task(COUNTING)
    shutil.rmtree(run(task, tmp_path).private)
    assert run(task, tmp_path).private.is_dir()


def test_a_killed_prepare_leaves_nothing_that_looks_done(make_task: Make, tmp_path: Path, counter: Path) -> None:
    slow = COUNTING.replace("    (job.private", '    time.sleep(float(os.environ.get("PAUSE", 0)))\n    (job.private')
    task = make_task(slow)
    program = (
        "import sys; from pathlib import Path; from tasks_catalog.library.folder import read_task; "
        "from tasks_catalog.library.prepare import prepare, Variant; root = Path(sys.argv[1]); "
        "prepare(read_task(root / 'task'), Variant.MINI, root / 'data' / 'mini', root / 'downloads')"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], env={**os.environ, "PAUSE": "60"})
    while not counter.read_text():
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "data" / "mini").exists()
    prepared = run(task, tmp_path)
    assert (prepared.private / "answers.csv").is_file()
    assert [path.name for path in (tmp_path / "data").iterdir() if path.name.endswith("partial")] == []


def test_two_at_once_make_it_once(make_task: Make, tmp_path: Path, counter: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    task = make_task(COUNTING.replace("    with", "    time.sleep(0.2)\n    with"))
    with ThreadPoolExecutor() as pool:
        digests = {prepared.digest for prepared in pool.map(lambda _: run(task, tmp_path), range(4))}
    assert len(digests) == 1
    assert counter.read_text() == "x"


def test_a_full_disk_is_said_before_anything_is_made(make_task: Make, tmp_path: Path, counter: Path) -> None:
    task = make_task(COUNTING, disk="disk_mib = 5 -> disk_mib = 5e9")
    with pytest.raises(PrepareError, match=r"MiB free, and the data needs 5,000,000,000 MiB"):
        run(task, tmp_path)
    assert counter.read_text() == ""
    check_disk(tmp_path, 0.001)


def test_an_unexpected_content_is_an_error(make_task: Make, tmp_path: Path, counter: Path) -> None:
    task = make_task(COUNTING, digest="disk_mib = 5 -> disk_mib = 5\ndigest = 'abc'")
    with pytest.raises(PrepareError, match=r"has the content digest [0-9a-f]{64}, expected abc"):
        run(task, tmp_path)


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("def prepare(job):\n    raise PrepareError('no network')", PrepareError, "no network"),
        (
            "from tasks_catalog.errors import NotFetchedError\ndef prepare(job):\n    raise NotFetchedError('away')",
            PrepareError,
            r"away\n.*: mlab prepare \S+/task --variant mini --raw DIR",
        ),
        (
            "def prepare(job):\n    Path('raw.csv').read_text()",
            PrepareError,
            r"failed: FileNotFoundError: .*'raw\.csv' \(.*line 5",
        ),
        (
            "def prepare(job):\n    raise RuntimeError('boom')",
            PrepareError,
            r"py of \w+ failed: RuntimeError: boom \(\S+/task/prepare\.py, line 5, in prepare\)\nMend it",
        ),
        (
            "def prepare(job)\n",
            TaskError,
            r"/task/prepare\.py, line 4: expected ':'\nMend it",
        ),
        (
            "def prepare(job): ...\nraise SystemExit(0)",
            PrepareError,
            r"\.py of \w+ failed: SystemExit: 0 \(\S+prepare\.py, line 5",
        ),
        ("def prepare():\n    return None", TaskError, r"line 4: prepare\(\) cannot be called\nIt is called as"),
        (
            "def prepare(job):\n    (job.public / 'images').mkdir()",
            PrepareError,
            r"prepare\.py of \w+ ended well and wrote no file\nIt fills job\.public",
        ),
    ],
)
def test_failures_are_explained(
    make_task: Make, tmp_path: Path, body: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        run(make_task(body), tmp_path)
    assert not (tmp_path / "data" / "mini").exists()


FAR = Extra("a-package", "far")


def test_missing_libraries_are_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tasks_catalog.library.extras.requires",
        lambda _: ["numpy>=1", 'numpy>=99; extra == "far"', 'nowhere>=2,<3; extra == "far"'],
    )
    monkeypatch.setattr(EXTRAS, "built_in", {"far": BuiltIn("tests.tasks_catalog.test_prepare:FAR", "far away")})
    check_extras([], task="x")
    told = r"The task x needs numpy, nowhere(.|\n)*mlab prepare x\n(.|\n)*-m pip install .*'numpy>=99'"
    with pytest.raises(MissingExtraError, match=told):
        check_extras(["far"], task="x")


def test_a_task_without_the_variant_says_so(make_task: Make, tmp_path: Path) -> None:
    task = make_task(COUNTING)
    spec = task.spec.model_copy(update={"variants": {Variant.FULL: task.spec.variants[Variant.FULL]}})
    with pytest.raises(TaskError, match="has no mini variant"):
        run(task.model_copy(update={"spec": spec}), tmp_path)
