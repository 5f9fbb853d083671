"""What a submission is graded on: nobody's to know before, the same again for the same run, never shown by a check."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import numpy as np
import pytest

from environment.errors import CorruptObjectError
from environment.journal.secret import run_secret
from environment.sandbox.bubblewrap import BubblewrapSandbox
from environment.store import Store
from evaluation.exams import exam_of, practice_of
from evaluation.validation import NOT_CHECKED, validate
from tasks_catalog.catalog import CATALOGUE, list_tasks, load_task
from tasks_catalog.library.data.digest import content_digest
from tasks_catalog.library.drawing import new_secret
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant
from tests.evaluation.scripts import each, prepared_mini, small_convolution

MINI = Variant.MINI
DRAWN = each(task for task in list_tasks() if task.spec.drawn)


@pytest.fixture
def prepared(task: Task, shared_folder: Path) -> Prepared:
    return prepared_mini(task, shared_folder)


def test_every_task_whose_grader_runs_code_draws() -> None:
    drawn = {task.name for task in list_tasks() if task.spec.drawn}
    assert {task.name for task in list_tasks() if task.spec.trials} | {"clrs"} == drawn


@pytest.mark.parametrize("task", DRAWN)
def test_the_secret_of_the_run_makes_the_hidden_side(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    secret = new_secret()
    folders = [
        exam_of(task, MINI, prepared, chosen, tmp_path / str(n) / "exam")
        for n, chosen in enumerate((secret, secret, new_secret()))
    ]
    one, again, other = (content_digest(folder) for folder in folders)
    assert one == again != other


@pytest.mark.parametrize("task", DRAWN)
def test_repetitions_never_share_an_input(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    exam = exam_of(task, MINI, prepared, None, tmp_path / "exam")
    inputs = [path.read_bytes() for path in sorted(exam.glob("inputs/*/*.npy"))]
    assert len(set(inputs)) == len(inputs)


@pytest.mark.parametrize("task", DRAWN)
def test_a_check_needs_nothing_of_the_private_side(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    blind = prepared.model_copy(update={"private": tmp_path / "nowhere"})
    first, second = (practice_of(task, MINI, blind, tmp_path / name / "exam") for name in "ab")
    assert first is not None
    assert second is not None
    assert content_digest(first) != content_digest(second)
    exam = exam_of(task, MINI, prepared, None, tmp_path / "exam")
    names = [sorted(path.relative_to(folder) for path in folder.rglob("*")) for folder in (first, exam)]
    assert names[0] == names[1]


def test_answers_of_a_check_are_dealt_out_anew(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "answers.csv").write_text("id,label\n" + "".join(f"row{n},{n}\n" for n in range(200)))
    np.save(private / "test_masks.npy", np.arange(200)[:, None])
    prepared = Prepared(public=tmp_path, private=private, digest="", downloads=tmp_path)
    practice = practice_of(load_task("house-price"), MINI, prepared, tmp_path / "exam")
    assert practice is not None
    with (practice / "answers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [f"row{n}" for n in range(200)]
    assert sorted(int(row["label"]) for row in rows) == list(range(200))
    assert sum(row["id"] == f"row{row['label']}" for row in rows) < 20
    assert np.load(practice / "test_masks.npy")[:, 0].tolist() == [int(row["label"]) for row in rows]
    assert "row7,7\n" in (private / "answers.csv").read_text()


def test_a_secret_is_kept_with_its_run(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    first = run_secret(store, "one")
    assert run_secret(Store(str(tmp_path)), "one") == first != run_secret(store, "two")
    assert len(first) == 32
    store.put("runs/one/secret.json", b"{}")
    with pytest.raises(CorruptObjectError, match=r"secret\.json is damaged"):
        run_secret(store, "one")


@pytest.fixture
def convolution(tmp_path: Path) -> tuple[Task, Prepared, Path]:
    """The vectorization task on tiny batches, and a workspace with its starter."""
    task = small_convolution(tmp_path, (1, 9, 9, 3), 7)
    prepared = prepare(task, MINI, tmp_path / "data" / "mini", tmp_path / "downloads")
    return task, prepared, Path(shutil.copytree(task.starter, tmp_path / "workspace"))


CARRIED_OUT = {
    "printed": ("print(base64.b64encode(raw).decode()); sys.exit(raw[5])", "ended with exit code"),
    "as the name of an exception": (
        "raise type('E' + raw.hex(), (Exception,), {})(raw.hex())",
        "ended with exit code 1 (an exception of its own, train.py, line 3)",
    ),
    "in a made-up traceback": (
        "print('Traceback (most recent call last):\\n  File \"/workspace/train.py\", line ' + str(10**8 + raw[9])"
        " + '\\n  File \"/workspace/' + raw.hex() + '.py\", line 1\\nE' + raw.hex() + ': 1'); sys.exit(1)",
        "ended with exit code 1 (an exception of its own, train.py)",
    ),
    "as the shape of the output": (
        "np.save('output.npy', np.zeros(raw[0])); sys.exit()",
        "no array of finite float64 numbers of shape (1, 7, 7, 8)",
    ),
    "as a number in the output": (
        "np.save('output.npy', np.full((1, 7, 7, 8), 1e6 + raw[7])); sys.exit()",
        "the output differs from the starter's by more than 1e-08",
    ),
    "as a value of the output": ("np.save('output.npy', np.full((1, 7, 7, 8), np.nan)); sys.exit()", "no array of"),
}
"""How a program may carry its inputs out, and what is told of it."""


@pytest.mark.parametrize("way", CARRIED_OUT)
def test_a_check_carries_no_inputs_out(convolution: tuple[Task, Prepared, Path], way: str) -> None:
    task, prepared, workspace = convolution
    code, told = CARRIED_OUT[way]
    (workspace / "train.py").write_text(
        "import base64, sys; import numpy as np; from pathlib import Path\n"
        "raw = (Path(sys.argv[1]) / 'images.npy').read_bytes()[128:]\n" + code + "\n"
    )
    with pytest.raises(InvalidSubmissionError) as caught:
        validate(task, MINI, prepared, workspace, BubblewrapSandbox())
    assert told in caught.value.message
    assert len(caught.value.message) < 150
    for repetition in range(7):  # what was drawn before, and what anyone can draw from the public seed
        assert not (prepared.private / "inputs" / str(repetition)).exists()


def test_a_good_program_passes_its_check(convolution: tuple[Task, Prepared, Path]) -> None:
    task, prepared, workspace = convolution
    (workspace / "train.py").write_text((workspace / "train.py").read_text() + "# changed\n")
    validate(task, MINI, prepared, workspace, BubblewrapSandbox())


def test_a_grader_that_fails_at_a_check_tells_nothing(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(CATALOGUE / "house-price", tmp_path / "task"))
    (folder / "grade.py").write_text(
        "def score(artifacts, private):\n    raise ValueError((private / 'answers.csv').read_text())\n"
    )
    private = tmp_path / "private"
    private.mkdir()
    (private / "answers.csv").write_text("Id,SalePrice\n1,2\n")
    prepared = Prepared(public=private, private=private, digest="", downloads=tmp_path)
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "submission.csv").write_text("Id,SalePrice\n1,2\n")
    with pytest.raises(InvalidSubmissionError, match="^" + NOT_CHECKED):
        validate(read_task(folder), MINI, prepared, workspace, BubblewrapSandbox())
