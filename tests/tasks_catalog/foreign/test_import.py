"""Tasks of other benchmarks, made here in their formats, imported and run."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.foreign import InSandbox
from evaluation.verify import verify
from tasks_catalog.library.errors import PrepareError, RefusedImportError, TaskError
from tasks_catalog.library.foreign import fetched_when_preparing, gaps, gaps_of_starter, import_task
from tasks_catalog.library.foreign_code import RunForeign, unsandboxed
from tasks_catalog.library.spec import Direction, Variant
from tests.tasks_catalog.foreign.conftest import write
from tests.tasks_catalog.foreign.running import IN_SANDBOX, prepared_for, run


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
    with pytest.raises(RefusedImportError, match="exists already"):
        import_task(known, tmp_path / "tasks", run=IN_SANDBOX)
    with pytest.raises(RefusedImportError, match="imported from") as caught:
        import_task(known, known.parent, run=IN_SANDBOX)
    assert "emove" not in caught.value.hint
    assert known.is_dir()


FETCHING = """
import subprocess, urllib.request, zipfile
input("Have you accepted the rules? ")
subprocess.run("kaggle competitions download -c toys", shell=True, check=True)
zipfile.ZipFile("toys.zip").extractall("../env")
subprocess.run(["kaggle", "competitions", "download", "-c", "toys", "-f", "answer.csv", "-p", "."], check=True)
subprocess.run("wget -q https://example.invalid/files/more.csv -O ../env/extra.csv", shell=True, check=True)
assert subprocess.run(["wget", "https://example.invalid/other.csv"]).returncode == 1
urllib.request.urlretrieve("https://example.invalid/files/more.csv?download=1", "../env/again.csv")
"""


@pytest.mark.parametrize("run", [InSandbox(), unsandboxed])
def test_files_fetched_by_hand_stand_in_for_downloads(original: Path, run: RunForeign, tmp_path: Path) -> None:
    write(original, {"scripts/prepare.py": FETCHING})
    raw = write(tmp_path / "raw", {"data/test.csv": "x\n1\n", "answer.csv": "y\n1\n", "more.csv": "1"})
    task = import_task(original, tmp_path / "own", direction=Direction.MAXIMIZE, run=run, raw=raw)
    assert (task.starter / "data" / "test.csv").read_text() == "x\n1\n"
    assert [(task.starter / name).read_text() for name in ("extra.csv", "again.csv")] == ["1", "1"]
    assert (task.root / "scripts" / "answer.csv").read_text() == "y\n1\n"


def test_a_failing_preparation_says_what_to_do(original: Path, tmp_path: Path) -> None:
    (original / "scripts" / "prepare.py").write_text("input('accepted the rules? ')")
    with pytest.raises(PrepareError, match=r"EOFError(.|\n)*asks at the keyboard(.|\n)*by hand"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)


def test_a_folder_fetched_by_hand_may_be_named_from_here(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(original, {"scripts/prepare.py": FETCHING})
    write(tmp_path / "raw", {"data/test.csv": "x\n1\n", "answer.csv": "y\n1\n", "more.csv": "1"})
    monkeypatch.chdir(tmp_path)
    task = import_task(original, Path("own"), direction=Direction.MAXIMIZE, run=IN_SANDBOX, raw=Path("raw"))
    assert (task.starter / "data" / "test.csv").read_text() == "x\n1\n"


def test_a_failing_preparation_names_the_library_it_lacks(original: Path, tmp_path: Path) -> None:
    (original / "scripts" / "prepare.py").write_text("from nosuchvision import datasets")
    with pytest.raises(PrepareError, match=r"prepare\.py needs nosuchvision, .*: pip install nosuchvision"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)


def test_a_failing_preparation_with_files_fetched_by_hand_asks_for_what_is_not_among_them(
    original: Path, tmp_path: Path
) -> None:
    write(original, {"scripts/prepare.py": "open('../env/train.csv')"})
    raw = write(tmp_path / "raw", {"test.csv": "x\n1\n"})
    with pytest.raises(PrepareError) as raised:
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX, raw=raw)
    assert f"Does {raw} hold all that it fetches" in (raised.value.hint or "")
    assert "--raw" not in (raised.value.hint or "")


def test_what_the_starter_lacks_is_told_apart_from_what_the_grader_does(original: Path, tmp_path: Path) -> None:
    write(original, {"env/train.py": "import numpy as np\nimport nosuchvision\nprint(np.float_(1))\n"})
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    assert gaps(task) == []
    missing, dropped = gaps_of_starter(task)
    assert missing == "train.py needs nosuchvision, which is not installed: pip install nosuchvision"
    assert dropped.startswith("train.py uses numpy.float_, which numpy")
    assert dropped.endswith("mend that line in the imported folder, or install an older one")


def test_a_task_without_a_solution_is_measured_by_its_starter(original: Path, tmp_path: Path) -> None:
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    found = verify(task, Variant.FULL, prepared_for(task, tmp_path), BubblewrapSandbox(), seeds=1)
    assert (found.baseline.mean, found.reference) == (0.5, None)
    assert "there is no solution/: nothing shows that the starter can be beaten" in found.faults
    assert "task.toml states no baseline; measured 0.5 ± 0" in found.faults
    assert not any("reference" in fault for fault in found.faults)


CARELESS = """
import os, subprocess
tool, url = "wget", "https://example.invalid/more.zip"
subprocess.run(["wget", url], cwd="../env")
os.system(f"curl -O {url}")
subprocess.run(["unzip", "-n", "more.zip"], cwd="../env")
print("wget is done")
"""


def test_a_preparation_that_does_not_look_at_how_its_download_ended_is_told(original: Path, tmp_path: Path) -> None:
    (original / "scripts" / "prepare.py").write_text(CARELESS)
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=unsandboxed)
    assert fetched_when_preparing(task) == ["prepare.py, line 4, calls wget", "prepare.py, line 5, calls curl"]
    write(original, {"scripts/prepared": ""})
    by_hand = import_task(original, tmp_path / "by-hand", direction=Direction.MAXIMIZE, run=unsandboxed)
    assert fetched_when_preparing(by_hand) == []


def test_answers_that_an_original_does_not_find_are_told(original: Path, tmp_path: Path) -> None:
    write(original, {"scripts/prepared": ""})
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    assert gaps(task) == ["eval.py reads answer.csv, which is not in scripts/: lay it there"]
    with pytest.raises(PrepareError, match=r"answer\.csv"):
        prepared_for(task, tmp_path)
    write(task.root, {"scripts/answer.csv": "y\n1\n"})
    assert gaps(task) == []


def test_a_grader_that_was_changed_is_the_one_that_grades(original: Path, tmp_path: Path) -> None:
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    assert run(task, prepared_for(task, tmp_path)).score == 0.5
    assert prepared_for(task, tmp_path) == prepared_for(task, tmp_path)
    write(task.root, {"scripts/answer.csv": "y\n1\n1\n1\n1\n"})
    assert run(task, prepared_for(task, tmp_path)).score == 1.0


def test_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="is neither a task of MLAgentBench nor a competition"):
        import_task(tmp_path, tmp_path / "tasks")
    (tmp_path / "config.yaml").write_text("id: x\n")
    with pytest.raises(TaskError, match="is not a competition's: it has no '"):
        import_task(tmp_path, tmp_path / "tasks")


def test_what_tells_the_agent_what_to_do_must_be_there_and_in_utf_8(competition: Path, tmp_path: Path) -> None:
    description = competition / "description.md"
    description.write_bytes("Erkläre die Wörter.".encode("latin-1"))
    with pytest.raises(TaskError, match=r"description\.md is not in UTF-8"):
        import_task(competition, tmp_path / "tasks", direction=Direction.MAXIMIZE)
    description.unlink()
    with pytest.raises(TaskError, match=r"description\.md is not there") as caught:
        import_task(competition, tmp_path / "tasks", direction=Direction.MAXIMIZE)
    assert "write it" in caught.value.hint
    assert not list((tmp_path / "tasks").iterdir())
