"""Competitions made here in the format of MLE-bench, imported and run."""

from __future__ import annotations

import shutil
import socket
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.verify import run_script
from tasks_catalog.library.errors import PrepareError, TaskError
from tasks_catalog.library.foreign import import_task, raw_files
from tasks_catalog.library.spec import Direction, Variant
from tests.tasks_catalog.foreign.conftest import write
from tests.tasks_catalog.foreign.running import IN_SANDBOX, prepared_for, run


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
