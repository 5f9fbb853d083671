"""Graders in the shapes that competitions have, each held against a score worked out another way."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import NamedTuple

import pytest

from tasks_catalog.library.foreign.lacking import lacking
from tests.tasks_catalog.foreign.competitions import competition
from tests.tasks_catalog.foreign.shapes import SHAPES, Shape


class Said(NamedTuple):
    """What the graders said of their own samples, by the shape's name."""

    scores: dict[str, float]
    errors: str


GRADE_ALL = """
import json, os, sys, traceback
from pathlib import Path
import pandas, sklearn.metrics
from tasks_catalog.library.foreign.mlebench_grading import score
for line in sys.stdin:
    if pid := os.fork():
        os.waitpid(pid, 0)
        continue
    try:
        print(repr(score(*map(Path, json.loads(line))).score), flush=True)
    except BaseException:
        print("nan", flush=True)
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(0)
"""
"""Each grader in a process of its own, since it changes what is imported; libraries are loaded once for all."""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    asked = []
    for number, shape in enumerate(SHAPES):
        folder = tmp_path_factory.mktemp(f"shape{number}")
        source, raw = competition(folder, shape), folder / "raw"
        assert lacking(source / "grade.py") == []
        asked.append(json.dumps([str(source), str(raw / "sample.csv"), str(raw / shape.answers_name)]))
    command = [sys.executable, "-c", GRADE_ALL]
    done = subprocess.run(command, input="\n".join(asked), capture_output=True, text=True, check=False)
    scores = [float(line) for line in done.stdout.splitlines()]
    return Said({shape.name: score for shape, score in zip(SHAPES, scores, strict=True)}, done.stderr)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_shapes_are_graded_as_their_formulas_say(shape: Shape, said: Said) -> None:
    assert said.scores[shape.name] == pytest.approx(shape.score, abs=1e-12), said.errors
