"""Tasks of other benchmarks, made here in their formats, imported and run."""

from __future__ import annotations

import shutil
import socket
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.foreign import InSandbox
from evaluation.verify import run_script, verify
from tasks_catalog.library.errors import PrepareError, RefusedImportError, TaskError
from tasks_catalog.library.foreign import fetched_when_preparing, gaps, gaps_of_starter, import_task, raw_files
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
    written = pytest.raises(TaskError, match=r"wrote to raw files of yours.*deep/a\.txt")
    with nullcontext() if copied else written, raw_files.laid_out(raw, tmp_path / "own") as own:
        (own / "deep" / "a.txt").write_text("written through, as by a library outside Python")


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


FETCHES = (
    "requests.get(url, stream=True).content",
    "b''.join(requests.Session().get(url, stream=True).iter_content(2))",
    "urllib.request.urlopen(url).read()",
    "pathlib.Path(urllib.request.urlretrieve(url)[0]).read_bytes()",
    "pandas.read_csv(url).to_csv(index=False).encode()",
)


def fetching(competition: Path, *fetches: str) -> Path:
    script = competition / "prepare.py"
    fetched = "".join(f"    assert {fetch} == b'a,b\\n1,2\\n'\n" for fetch in fetches)
    script.write_text(
        f"import pathlib, urllib.request\nimport pandas, requests\n{script.read_text()}"
        f"    url = 'https://example.invalid/7/late%20labels.csv?download=1'\n{fetched}"
    )
    return competition


@pytest.mark.parametrize("fetch", FETCHES)
def test_a_competition_that_fetches_without_network_asks_for_files_fetched_by_hand(
    fetch: str, competition: Path, raw: Path, tmp_path: Path
) -> None:
    with pytest.raises(PrepareError, match="without network") as failed:
        prepared_for(import_task(fetching(competition, fetch), tmp_path / "tasks"), tmp_path, raw)
    assert "--raw DIR" in (failed.value.hint or "")


def test_a_competition_is_given_under_its_address_what_was_fetched_by_hand(
    competition: Path, raw: Path, tmp_path: Path
) -> None:
    (raw / "late labels.csv").write_text("a,b\n1,2\n")
    prepared_for(import_task(fetching(competition, *FETCHES), tmp_path / "tasks"), tmp_path, raw)


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
