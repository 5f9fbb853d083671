"""Folders of competitions as MLE-bench has them, for graders of any shape."""

from __future__ import annotations

from pathlib import Path

from tests.tasks_catalog.foreign.shapes import Shape

CONFIG = """
id: {name}
dataset:
  answers: {name}/prepared/private/{answers}
  sample_submission: {name}/prepared/public/sample.csv
grader:
  name: m
"""
PREPARE = """
import shutil
def prepare(raw, public, private):
    shutil.copy(raw / "{answers}", private)
    shutil.copy(raw / "sample.csv", public)
"""


def competition(folder: Path, shape: Shape) -> Path:
    """The folder of a competition, and beside it ``raw`` with its data."""
    source, raw = folder / "source" / "toy", folder / "raw"
    raw.mkdir(parents=True)
    files: dict[str, str | bytes] = {
        "config.yaml": CONFIG.format(name="toy", answers=shape.answers_name),
        "description.md": "Toy.",
        "prepare.py": PREPARE.format(answers=shape.answers_name),
        "grade.py": shape.grade,
        **shape.beside,
    }
    source.mkdir(parents=True)
    for name, content in files.items():
        (source / name).write_bytes(content.encode() if isinstance(content, str) else content)
    (raw / shape.answers_name).write_text(shape.answers)
    (raw / "sample.csv").write_text(shape.submission)
    return source
