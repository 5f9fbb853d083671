"""Grading in a real sandbox: what is taken, what is run, and whose fault a failure is."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.artifacts import collect
from evaluation.grading import GradeReport, GradingError, grade
from tasks_catalog.catalog import CATALOGUE, load_task
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.grader import TOO_LARGE, run_grader
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant
from tests.evaluation.scripts import small_convolution

SUBMISSION = "Id,SalePrice\n" + "".join(f"{row},180000\n" for row in range(5))


@pytest.fixture
def sandbox() -> BubblewrapSandbox:
    return BubblewrapSandbox()


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    """Five houses, the dearest of 500,000."""
    public, private = tmp_path / "public", tmp_path / "private"
    public.mkdir()
    private.mkdir()
    prices = "".join(f"{row},{100_000 * (row + 1)}\n" for row in range(5))
    (private / "answers.csv").write_text("Id,SalePrice\n" + prices)
    return Prepared(public=public, private=private, digest="", downloads=tmp_path / "downloads")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "submission.csv").write_text(SUBMISSION)
    return folder


def graded(prepared: Prepared, workspace: Path, task: Task | None = None) -> GradeReport:
    return grade(task or load_task("house-price"), Variant.MINI, prepared, workspace, BubblewrapSandbox())


def test_a_submission_gets_a_score(prepared: Prepared, workspace: Path) -> None:
    report = graded(prepared, workspace)
    assert report.invalid is None
    assert report.score == pytest.approx((80 + 20 + 120 + 220 + 320) * 1000 / 5)
    assert report.improvement is not None
    assert report.improvement < 0
    assert not report.success
    assert report.baseline == pytest.approx(21_500, rel=0.05)


def test_a_bad_submission_is_a_report_with_the_reason(prepared: Prepared, workspace: Path) -> None:
    (workspace / "submission.csv").write_text(SUBMISSION.replace("4,180000", "4,"))
    report = graded(prepared, workspace)
    assert report.score is None
    assert report.invalid == "submission.csv, line 6, column SalePrice: the value is missing"


def test_files_that_are_not_declared_do_nothing(prepared: Prepared, workspace: Path) -> None:
    clean = graded(prepared, workspace)
    for name in ("sitecustomize.py", "usercustomize.py", "conftest.py", "numpy.py", "csv.py", "grade.py", "python"):
        (workspace / name).write_text("raise SystemExit('shadowed')\n")
    (workspace / "tasks_catalog").mkdir()
    (workspace / "tasks_catalog" / "__init__.py").write_text("raise SystemExit('shadowed')\n")
    (workspace / "answer.json").write_text('{"grade": {"score": 0}}')
    assert graded(prepared, workspace).score == clean.score


@pytest.fixture
def with_grader(tmp_path: Path) -> Callable[[str], Task]:
    """The house-price task with another ``grade.py``."""

    def make(code: str) -> Task:
        folder = shutil.copytree(CATALOGUE / "house-price", tmp_path / "task", dirs_exist_ok=True)
        (folder / "grade.py").write_text(code, encoding="utf-8")
        return read_task(folder)

    return make


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def score(artifacts, private):\n    return 1 / 0", r"exit code 1(.|\n)*ZeroDivisionError"),
        (
            "def score(artifacts, private):\n    raise RuntimeError('boom')",
            r"exit code 1\ngrade\.py, line 2, in score: RuntimeError: boom\n"
            r"Traceback .*\n  File \"/task/grade\.py\", line 2, in score\n",
        ),
        ("def score(artifacts, private)\n", r"exit code 1\ngrade\.py, line 1: SyntaxError"),
        ("def score(a, p):\n    raise SystemExit(0)", r"exit code 1\ngrade\.py, line 2, in score: SystemExit: 0"),
        ("import os\ndef score(a, p):\n    os._exit(0)", "left no answer"),
        ("x = 1", r"has no function score\(artifacts, private\)"),
    ],
)
def test_a_failing_grader_is_no_score(
    with_grader: Callable[[str], Task], prepared: Prepared, workspace: Path, code: str, message: str
) -> None:
    with pytest.raises(GradingError, match=message):
        graded(prepared, workspace, with_grader(code))


def test_the_grader_has_no_network_and_changes_nothing(
    with_grader: Callable[[str], Task], prepared: Prepared, workspace: Path
) -> None:
    code = """
import socket
from tasks_catalog.library.grade import Grade
def score(artifacts, private):
    blocked = 0
    for attempt in (lambda: socket.create_connection(("127.0.0.1", 80), 1),
                    lambda: (private / "answers.csv").write_text(""), lambda: (artifacts / "new").write_text("")):
        try:
            attempt()
        except OSError:
            blocked += 1
    return Grade(score=blocked)
"""
    assert graded(prepared, workspace, with_grader(code)).score == 3


def test_only_regular_files_within_the_limit_are_taken(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    (workspace / "model").mkdir(parents=True)
    (workspace / "model" / "a.bin").write_bytes(b"a" * 100)
    (workspace / "model" / "b.bin").write_bytes(b"b" * 100)
    (workspace / "notes.txt").write_text("not taken")
    collect(workspace, ["model/*"], tmp_path / "taken", max_bytes=200)
    taken = {path.relative_to(tmp_path / "taken").as_posix() for path in (tmp_path / "taken").rglob("*.*")}
    assert taken == {"model/a.bin", "model/b.bin"}
    with pytest.raises(InvalidSubmissionError, match=r"larger than .* \(model/b\.bin\)"):
        collect(workspace, ["model/*"], tmp_path / "too-much", max_bytes=199)
    with pytest.raises(InvalidSubmissionError, match=r"submission\.csv is missing"):
        collect(workspace, ["submission.csv"], tmp_path / "none", max_bytes=200)


def test_links_to_the_private_side_are_refused(tmp_path: Path, prepared: Prepared) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "submission.csv").symlink_to(prepared.private / "answers.csv")
    (workspace / "model").symlink_to(prepared.private)
    with pytest.raises(InvalidSubmissionError, match=r"submission\.csv is a symbolic link"):
        collect(workspace, ["submission.csv"], tmp_path / "1", max_bytes=1000)
    with pytest.raises(InvalidSubmissionError, match=r"is missing|is a symbolic link"):
        collect(workspace, ["model/answers.csv"], tmp_path / "2", max_bytes=1000)


def test_what_is_swapped_while_it_is_taken_never_leads_out(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "answers.bin").write_bytes(b"secret")
    workspace, ended = tmp_path / "workspace", threading.Event()
    for name in ("model", "other"):
        (workspace / name).mkdir(parents=True)
        (workspace / name / "answers.bin").write_bytes(b"mine..")
    (workspace / "link").symlink_to(tmp_path / "private")
    (workspace / "file_link").symlink_to(tmp_path / "private" / "answers.bin")

    def swap() -> None:
        while not ended.is_set():
            for name in ("link", "other"):
                (workspace / "model").rename(workspace / "aside")
                (workspace / name).rename(workspace / "model")
                (workspace / "model").rename(workspace / name)
                (workspace / "aside").rename(workspace / "model")
            (workspace / "model" / "answers.bin").rename(workspace / "file")
            (workspace / "file_link").rename(workspace / "model" / "answers.bin")
            (workspace / "model" / "answers.bin").rename(workspace / "file_link")
            (workspace / "file").rename(workspace / "model" / "answers.bin")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for n in range(300):
            target = tmp_path / f"taken-{n}"
            with suppress(InvalidSubmissionError):
                collect(workspace, ["model/*"], target, max_bytes=100)
            assert {path.read_bytes() for path in target.rglob("*.bin")} <= {b"mine.."}
    finally:
        ended.set()
        swapper.join()


def test_a_file_that_grows_while_it_is_taken_is_measured_as_it_is_read(tmp_path: Path) -> None:
    workspace, ended = tmp_path / "workspace", threading.Event()
    workspace.mkdir()
    growing = workspace / "model.bin"
    growing.write_bytes(b"x")

    def grow() -> None:
        while not ended.is_set():
            with growing.open("ab") as file:
                file.write(bytes(1 << 20))
            growing.write_bytes(b"x")

    grower = threading.Thread(target=grow)
    grower.start()
    try:
        for n in range(200):
            target = tmp_path / f"taken-{n}"
            with suppress(InvalidSubmissionError):
                collect(workspace, ["*.bin"], target, max_bytes=100_000)
                assert (target / "model.bin").stat().st_size <= 100_000
    finally:
        ended.set()
        grower.join()


@pytest.fixture
def convolution(tmp_path: Path) -> tuple[Task, Prepared, Path]:
    """The vectorization task on tiny batches, with the starter's code in the workspace."""
    task = small_convolution(tmp_path, (1, 16, 16, 3), 2)
    prepared = prepare(task, Variant.MINI, tmp_path / "data" / "mini", tmp_path / "downloads")
    return task, prepared, Path(shutil.copytree(task.starter, tmp_path / "workspace"))


FORGERIES = {
    "prints another time": ("    main()\n", "    main()\n    print('seconds: 0.0')\n"),
    "writes a score": (
        "    main()\n",
        "    main()\n    open('answer.json', 'w').write('{\"grade\": {\"score\": 0}}')\n",
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_time_gains_nothing(convolution: tuple[Task, Prepared, Path], forgery: str) -> None:
    task, prepared, workspace = convolution
    script = workspace / "train.py"
    before, after = FORGERIES[forgery]
    script.write_text(script.read_text().replace(before, after + "    import time; time.sleep(1)\n"))
    report = graded(prepared, workspace, task)
    assert report.score is not None
    assert report.baseline is not None
    assert report.score > 1 > report.score - report.baseline - 1
    assert not report.success


def test_wrong_results_have_no_time(convolution: tuple[Task, Prepared, Path]) -> None:
    task, prepared, workspace = convolution
    script = workspace / "train.py"
    script.write_text(script.read_text().replace("for n in range(batch)", "for n in range(0)"))
    report = graded(prepared, workspace, task)
    assert report.invalid is not None
    assert "differs from the starter's" in report.invalid


def test_other_libraries_are_out_of_reach(convolution: tuple[Task, Prepared, Path]) -> None:
    task, prepared, workspace = convolution
    script = workspace / "train.py"
    script.write_text("import scipy\n" + script.read_text())
    report = graded(prepared, workspace, task)
    assert report.invalid is not None
    assert report.invalid.endswith("ended with exit code 1 (ModuleNotFoundError, train.py, line 1)")


def test_nothing_is_kept_between_repetitions(convolution: tuple[Task, Prepared, Path]) -> None:
    task, prepared, workspace = convolution
    script = workspace / "train.py"
    cache = "from pathlib import Path\nassert not list(Path('/tmp').glob('kept*')) and not Path('kept').exists()\n"
    script.write_text(cache + script.read_text() + "\nPath('/tmp/kept').touch()\nPath('kept').touch()\n")
    assert graded(prepared, workspace, task).invalid is None


@pytest.mark.parametrize("score", ["float('inf')", "float('nan')", "1e305", "math.exp(1000)"])
def test_a_score_that_is_no_finite_number_is_an_invalid_submission(score: str, tmp_path: Path) -> None:
    script = tmp_path / "grade.py"
    script.write_text(
        "import math\nfrom tasks_catalog.grade import Grade\n"
        f"def score(artifacts, private):\n    return Grade(score={score})\n"
    )
    answer = run_grader(script, tmp_path, tmp_path, tmp_path)
    assert answer.grade is None
    assert answer.invalid == TOO_LARGE
