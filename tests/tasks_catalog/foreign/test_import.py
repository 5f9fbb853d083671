"""Tasks of other benchmarks, made here in their formats, imported and run."""

from __future__ import annotations

import csv
import os
import shutil
import socket
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from environment.errors import SandboxUnavailableError
from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.foreign import InSandbox
from evaluation.grading import GradeReport
from evaluation.verify import run_script, run_starter
from tasks_catalog.library.errors import PrepareError, TaskError
from tasks_catalog.library.foreign import import_task, raw_files
from tasks_catalog.library.foreign_code import RunForeign, unsandboxed
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Direction, Task, Variant

EVAL = """
import csv, os

def get_score(submission_folder="../env"):
    with open(os.path.join(os.path.dirname(__file__), "answer.csv")) as file:
        answers = [row["y"] for row in csv.DictReader(file)]
    with open(os.path.join(submission_folder, "submission.csv")) as file:
        found = [row["y"] for row in csv.DictReader(file)]
    open("scratch.txt", "w").write("graders write beside themselves")
    return sum(a == b for a, b in zip(answers, found, strict=True)) / len(answers)
"""
PREPARE = """
import os
assert os.path.exists("research_problem.txt")
open("../env/test.csv", "w").write("x\\n1\\n2\\n3\\n4\\n")
open("answer.csv", "w").write("y\\n1\\n0\\n1\\n0\\n")
"""
TRAIN = """
rows = open("test.csv").read().split()[1:]
open("submission.csv", "w").write("y\\n" + "1\\n" * len(rows))
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def original(tmp_path: Path) -> Path:
    return write(
        tmp_path / "source" / "toy-classification",
        {
            "env/train.py": TRAIN,
            "scripts/eval.py": EVAL,
            "scripts/prepare.py": PREPARE,
            "scripts/research_problem.txt": "Improve the accuracy of train.py.",
            "scripts/read_only_files.txt": "./test.csv\n",
        },
    )


IN_SANDBOX = InSandbox()


def prepared_for(task: Task, tmp_path: Path, raw: Path | None = None) -> Prepared:
    data, downloads = tmp_path / "data" / "full", tmp_path / "downloads"
    return prepare(task, Variant.FULL, data, downloads, raw, run_foreign=IN_SANDBOX)


def run(task: Task, prepared: Prepared) -> GradeReport:
    return run_starter(task, Variant.FULL, prepared, BubblewrapSandbox())[0]


def test_an_original_task_runs_as_it_is(original: Path, tmp_path: Path) -> None:
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    assert not task.spec.hardened
    assert task.spec.readonly == ("test.csv",)
    assert task.instruction == "Improve the accuracy of train.py."
    assert not list(task.starter.rglob("answer.csv"))
    assert run(task, prepared_for(task, tmp_path)).score == 0.5
    assert not (original / "scripts" / "answer.csv").exists()


def test_a_submission_the_original_cannot_read_is_invalid(original: Path, tmp_path: Path) -> None:
    from evaluation.grading import grade

    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    prepared = prepared_for(task, tmp_path)
    report = grade(task, Variant.FULL, prepared, task.starter, BubblewrapSandbox())
    assert report.invalid is not None
    assert "the original's grader gives no score: FileNotFoundError" in report.invalid


def test_what_an_original_does_not_say_is_asked(original: Path, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="--direction"):
        import_task(original, tmp_path / "tasks", run=IN_SANDBOX)
    known = original.rename(original.with_name("house-price"))
    assert import_task(known, tmp_path / "tasks", run=IN_SANDBOX).spec.metric.direction is Direction.MINIMIZE
    with pytest.raises(TaskError, match="exists already"):
        import_task(known, tmp_path / "tasks", run=IN_SANDBOX)


FETCHING = """
import subprocess, zipfile
input("Have you accepted the rules? ")
subprocess.run("kaggle competitions download -c toys", shell=True, check=True)
zipfile.ZipFile("toys.zip").extractall("../env")
subprocess.run(["kaggle", "competitions", "download", "-c", "toys", "-f", "answer.csv", "-p", "."], check=True)
subprocess.run("wget -q https://example.invalid/files/more.csv -O ../env/extra.csv", shell=True, check=True)
assert subprocess.run(["wget", "https://example.invalid/other.csv"]).returncode == 1
"""


@pytest.mark.parametrize("run", [InSandbox(), unsandboxed])
def test_files_fetched_by_hand_stand_in_for_downloads(original: Path, run: RunForeign, tmp_path: Path) -> None:
    write(original, {"scripts/prepare.py": FETCHING})
    raw = write(tmp_path / "raw", {"data/test.csv": "x\n1\n", "answer.csv": "y\n1\n", "more.csv": "1"})
    task = import_task(original, tmp_path / "own", direction=Direction.MAXIMIZE, run=run, raw=raw)
    assert (task.starter / "data" / "test.csv").read_text() == "x\n1\n"
    assert (task.starter / "extra.csv").read_text() == "1"
    assert (task.root / "scripts" / "answer.csv").read_text() == "y\n1\n"


def test_a_failing_preparation_says_what_to_do(original: Path, tmp_path: Path) -> None:
    (original / "scripts" / "prepare.py").write_text("input('accepted the rules? ')")
    with pytest.raises(PrepareError, match=r"EOFError(.|\n)*by hand"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)


@pytest.fixture
def competition(tmp_path: Path) -> Path:
    return write(
        tmp_path / "source" / "toy-competition",
        {
            "config.yaml": """
id: toy-competition
name: Toy
competition_type: simple
dataset:
  answers: toy-competition/prepared/private/test.csv
  sample_submission: toy-competition/prepared/public/sample_submission.csv
grader:
  name: accuracy
  grade_fn: mlebench.competitions.toy-competition.grade:grade
preparer: mlebench.competitions.toy-competition.prepare:prepare
""",
            "description.md": "# Toy\n\nPredict y.\n",
            "leaderboard.csv": "scoreNullable,teamId,score\n,1,0.99\n,2,0.4\n",
            "prepare.py": """
from pathlib import Path
from mlebench.utils import read_csv

def prepare(raw: Path, public: Path, private: Path):
    table = read_csv(raw / "train.csv")
    table[:4].to_csv(public / "train.csv", index=False)
    table[4:].drop(columns=["y"]).to_csv(public / "test.csv", index=False)
    table[4:].to_csv(private / "test.csv", index=False)
    table[4:].assign(y=1).to_csv(public / "sample_submission.csv", index=False)
""",
            "grade.py": """
import pandas as pd
from sklearn.metrics import accuracy_score
from mlebench.competitions.utils import prepare_for_accuracy_metric

def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return accuracy_score(**prepare_for_accuracy_metric(submission, answers, target_column="y", id_column="id"))
""",
        },
    )


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    with (folder / "train.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "y"), *((n, int(n % 4 == 0)) for n in range(8))])
    return folder


def test_a_competition_runs_as_it_is(competition: Path, raw: Path, tmp_path: Path) -> None:
    task = import_task(competition, tmp_path / "tasks", run=IN_SANDBOX)
    assert task.spec.metric.direction is Direction.MAXIMIZE
    assert not task.spec.hardened
    assert task.instruction.startswith("# Toy")
    report = run(task, prepared_for(task, tmp_path, raw))
    assert report.score == 0.25


_UNPACKS = """
import shutil, zipfile
from mlebench.utils import extract, read_csv

def prepare(raw, public, private):
    extract(raw / "train.zip", raw)
    table = read_csv(raw / "train.csv")
    table.to_csv(private / "test.csv", index=False)
    table.to_csv(private / "sample_submission.csv", index=False)
    with zipfile.ZipFile(public / "sample_submission.csv.zip", "w") as packed:
        packed.write(private / "sample_submission.csv", "sample_submission.csv")
    shutil.move(raw / "pictures", public / "pictures")
    (raw / "train.zip").unlink()
"""


@pytest.mark.parametrize("packed", [False, True])
def test_a_competition_may_change_its_raw_files_and_keep_its_sample_to_itself(
    packed: bool, competition: Path, raw: Path, tmp_path: Path
) -> None:
    (competition / "prepare.py").write_text(_UNPACKS)
    config = competition / "config.yaml"
    config.write_text(config.read_text().replace("public/sample", "private/sample"))
    (raw / "pictures").mkdir()
    (raw / "pictures" / "1.png").write_bytes(b"1")
    with zipfile.ZipFile(raw / "train.zip", "w") as archive:
        archive.write(raw / "train.csv", "train.csv")
    (raw / "train.csv").unlink()
    if packed:  # as Kaggle hands it out, all in one
        shutil.make_archive(str(tmp_path / "all" / "toy-competition"), "zip", raw)
    given = tmp_path / "all" if packed else raw
    before = sorted(given.rglob("*"))
    data = prepared_for(import_task(competition, tmp_path / "tasks"), tmp_path, given)
    assert sorted(given.rglob("*")) == before
    assert {path.name for path in data.public.iterdir()} == {
        "pictures",
        "sample_submission.csv",
        "sample_submission.csv.zip",
    }
    assert not (data.public / "pictures" / "1.png").is_symlink()
    assert not (data.public.parent / "raw").exists()


@pytest.mark.parametrize("copied", [0, 100])
def test_raw_files_too_large_to_copy_are_links(
    copied: int, raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (raw / "deep").mkdir()
    (raw / "deep" / "a.txt").write_text("old")
    (raw / "train.csv").unlink()
    monkeypatch.setattr(raw_files, "COPIED", copied)
    monkeypatch.setattr(raw_files, "_CLONE", 0)  # as on a disk that cannot
    with raw_files.laid_out(raw, tmp_path / "own") as own:
        assert (own / "deep" / "a.txt").read_text() == "old"
        assert (own / "deep" / "a.txt").is_symlink() is (copied == 0)
    assert not own.exists()


@pytest.mark.parametrize("trusted", [True, False])
def test_what_a_competition_writes_over_a_raw_file_does_not_reach_it(
    trusted: bool, competition: Path, raw: Path, tmp_path: Path
) -> None:
    script = (competition / "prepare.py").read_text()
    begins = "def prepare(raw, public, private):\n"
    changes = """
    import os, subprocess, sys
    import pyarrow, pyarrow.parquet
    pyarrow.parquet.write_table(pyarrow.table({"x": [1]}), raw / "table.parquet")
    subprocess.run([sys.executable, "-c", "open('child.txt', 'w').write('new')"], cwd=raw, check=True)
    (raw / "notes.txt").write_text("new")
    (raw / "added.txt").write_text("added")
    os.chdir(raw)
    with open("more.txt", "a") as file:
        file.write("more")
    assert open("more.txt").read() == "oldmore"
"""
    at = script.index("def prepare(")
    head, body = script[:at], script[script.index("\n", at) + 1 :]
    (competition / "prepare.py").write_text(head + begins + changes + body)
    names = ("notes.txt", "more.txt", "child.txt", "table.parquet")
    for name in names:
        (raw / name).write_text("old")
    (raw / "notes.txt").chmod(0o444)
    prepared_for(import_task(competition, tmp_path / "tasks", trusted=trusted), tmp_path, raw)
    assert {(raw / name).read_text() for name in names} == {"old"}
    assert not (raw / "added.txt").exists()


def test_a_competition_reaches_the_network_where_its_owner_lets_it(
    competition: Path, raw: Path, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        asks = f"import socket\nsocket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5)\n"
        (competition / "prepare.py").write_text(asks + (competition / "prepare.py").read_text())
        with pytest.raises(PrepareError, match="--network"):
            prepared_for(import_task(competition, tmp_path / "alone"), tmp_path, raw)
        prepared_for(import_task(competition, tmp_path / "tasks", network=True), tmp_path, raw)


def test_a_competition_refuses_with_its_own_words(competition: Path, raw: Path, tmp_path: Path) -> None:
    from evaluation.grading import grade

    task = import_task(competition, tmp_path / "tasks", run=IN_SANDBOX)
    prepared = prepared_for(task, tmp_path, raw)
    workspace = write(tmp_path / "workspace", {"submission.csv": "id,z\n4,1\n"})
    report = grade(task, Variant.FULL, prepared, workspace, BubblewrapSandbox())
    assert report.invalid == "the column y is missing"


def test_the_answers_are_out_of_the_starters_reach(competition: Path, raw: Path, tmp_path: Path) -> None:
    task = import_task(competition, tmp_path / "tasks", run=IN_SANDBOX)
    prepared = prepared_for(task, tmp_path, raw)
    workspace = write(tmp_path / "workspace", {"train.py": "import os\nprint(sorted(os.listdir('data')))"})
    done = run_script(task, prepared, workspace, BubblewrapSandbox())
    assert done.output.decode().strip() == "['sample_submission.csv', 'test.csv', 'train.csv']"


def test_foreign_code_runs_in_a_sandbox_or_after_a_yes(original: Path, competition: Path, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no sandbox here(.|\n)*--trust"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE)
    assert not list(tmp_path.glob("tasks/*"))
    task = import_task(competition, tmp_path / "tasks")
    with pytest.raises(TaskError, match=r"no sandbox here(.|\n)*--trust"):
        prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "downloads", tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaluation.foreign.open_sandbox", _none_works)
        with pytest.raises(TaskError, match="no sandbox here"):
            import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=unsandboxed)


def _none_works(*_: object, **__: object) -> None:
    raise SandboxUnavailableError("none works here")


_PROBE = """
import os, pathlib, socket, sys
def tried(what):
    try:
        return what() or "yes"
    except OSError as error:
        return type(error).__name__
target, here = {target!r}, pathlib.Path({seen!r})
def connect():
    with socket.create_connection(("127.0.0.1", {port}), 5): pass
here.write_text(repr({{
    "variables": dict(os.environ),
    "network": tried(connect),
    "outside": tried(lambda: open({outside!r}, "w").close()),
    "secret": tried(lambda: open({secret!r}).read()),
}}))
"""


@pytest.mark.parametrize("network", [False, True])
def test_foreign_code_sees_no_keys_and_writes_nowhere_else(
    network: bool, original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    secret, outside = tmp_path / "secret", tmp_path / "outside"
    secret.write_text("sk-planted")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        seen = "../env/seen"
        probe = _PROBE.format(target="..", seen=seen, port=port, outside=str(outside), secret=str(secret))
        (original / "scripts" / "prepare.py").write_text(probe)
        run = InSandbox(network=network)
        task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=run)
    found = (task.starter / "seen").read_text()
    assert "sk-planted" not in found
    assert "'PATH'" in found
    assert ("'network': 'yes'" in found) == network
    assert not outside.exists()
    assert (task.starter / "seen").stat().st_uid == os.geteuid()


def test_what_a_yes_lets_run_outside_sees_no_keys(
    original: Path, competition: Path, raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    seen = tmp_path / "seen"
    look = f"import os\nopen({str(seen)!r}, 'a').write(str(dict(os.environ)))\n"
    for script in (original / "scripts" / "prepare.py", competition / "prepare.py"):
        script.write_text(look + (script.read_text() if script.is_file() else ""))
    import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=unsandboxed)
    prepared_for(import_task(competition, tmp_path / "tasks", trusted=True), tmp_path, raw)
    assert seen.read_text().count("PATH") >= 2
    assert "sk-planted" not in seen.read_text()


@pytest.mark.parametrize("way", ["os.symlink('/etc/hostname', '../env/x')", "os.mkfifo('../env/x')"])
def test_foreign_code_leaves_no_way_out_of_its_folder(way: str, original: Path, tmp_path: Path) -> None:
    (original / "scripts" / "prepare.py").write_text(f"import os\n{way}")
    with pytest.raises(TaskError, match="env/x, which leads out"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    assert not list(tmp_path.glob("tasks/*"))


def test_foreign_code_plants_nothing_beside_what_its_owner_runs(original: Path, tmp_path: Path) -> None:
    plant = "import os\nfor name in ('__pycache__', 'workspace'): os.makedirs('../' + name)\nopen('../prepare.py', 'w')"
    (original / "scripts" / "prepare.py").write_text(plant)
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    names = {path.name for path in task.root.iterdir()}
    assert names == {"task.toml", "instruction.md", "prepare.py", "grade.py", "workspace", "scripts"}


@pytest.mark.parametrize("folder", ["env", "scripts"])
@pytest.mark.parametrize("odd", [os.mkfifo, lambda path: path.symlink_to("/etc/hostname")])
def test_a_source_whose_files_lead_out_is_refused(
    folder: str, odd: Callable[[Path], None], original: Path, competition: Path, tmp_path: Path
) -> None:
    odd(original / folder / "x")
    with pytest.raises(TaskError, match=f"{folder}/x, which leads out"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    odd(competition / "x")
    with pytest.raises(TaskError, match="leaves x, which leads out"):
        import_task(competition, tmp_path / "tasks")
    assert not list(tmp_path.glob("tasks/*"))


def test_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="is neither a task of MLAgentBench nor a competition"):
        import_task(tmp_path, tmp_path / "tasks")
    (tmp_path / "config.yaml").write_text("id: x\n")
    with pytest.raises(TaskError, match="is not a competition's: KeyError"):
        import_task(tmp_path, tmp_path / "tasks")
