"""Raw files of competitions that are not where their preparation looks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.foreign import InSandbox
from tasks_catalog.library.errors import PrepareError
from tasks_catalog.library.foreign import import_task
from tasks_catalog.library.prepare import prepare
from tasks_catalog.library.spec import Direction, Variant
from tests.tasks_catalog.foreign.competitions import competition
from tests.tasks_catalog.foreign.shapes import SHAPES


def failure(prepares: str, raw: Path, folder: Path) -> str:
    """What is told of a competition whose ``prepare.py`` does this with the raw files of a folder."""
    source = competition(folder, SHAPES[0])
    (source / "prepare.py").write_text(f"def prepare(raw, public, private):\n    {prepares}\n")
    task = import_task(source, folder / "tasks", direction=Direction.MAXIMIZE)
    with pytest.raises(PrepareError) as told:
        prepare(task, Variant.FULL, folder / "data", folder / "down", raw, run_foreign=InSandbox())
    return told.value.message


@pytest.mark.parametrize(
    ("reads", "name"),
    [
        ("open(raw / 'scans' / 'a b.txt')", "scans/a b.txt"),
        ("from mlebench.utils import extract; extract(raw / 'scans.zip', raw)", "scans.zip"),
        ("assert (raw / 'scans').is_dir(), f'no folder `{raw / \"scans\"}` here'", "scans"),
    ],
)
def test_what_is_not_there_is_named(reads: str, name: str, tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    assert failure(reads, raw, tmp_path) == f"The competition's prepare.py finds no {name} among the raw files in {raw}"


def test_what_breaks_on_a_file_that_it_made_there_is_told_in_its_words(tmp_path: Path) -> None:
    breaks = "(raw / 'made').touch(); raise ValueError(f'cannot read {raw / \"made\"}')"
    assert "ValueError: cannot read" in failure(breaks, tmp_path / "raw", tmp_path)


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    assert failure("pass", tmp_path / "other", tmp_path) == f"{tmp_path / 'other'} is no folder"
