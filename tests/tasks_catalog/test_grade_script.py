from __future__ import annotations

from pathlib import Path

import pytest

from tasks_catalog.library.errors import BrokenTaskError, TaskError
from tasks_catalog.library.grade_script import check_grade_script
from tasks_catalog.library.grader import run_grader


@pytest.mark.parametrize(
    "text",
    [
        "def score(artifacts, private): ...",
        "def score(artifacts, private, trials): ...",
        "def score(artifacts, *others): ...",
        "from graders import mae as score",
        "from graders import *",
        "score = lambda artifacts, private: None",
        "try:\n    from graders import score\nexcept ImportError:\n    def score(artifacts, private): ...",
    ],
)
def test_what_can_be_called_passes(text: str, tmp_path: Path) -> None:
    script = tmp_path / "grade.py"
    script.write_text(text)
    check_grade_script(script)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ndef score(artifacts private): ...", r"grade\.py, line 2: .*syntax.*\nMend it"),
        (
            "def scores(a, b): ...\ndef mae(a, b): ...",
            r"no function score\(.*\); it defines scores, mae",
        ),
        ("", "it defines no function"),
        ("def score(): ...", r"line 1: score\(\) cannot be called\nIt is called as score\(artifacts, private\)"),
        ("def score(a, b, c, d): ...", r"score\(a, b, c, d\) cannot be called"),
        ("def score(a, b, *, key): ...", "cannot be called"),
    ],
)
def test_what_cannot_be_called_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    script = tmp_path / "grade.py"
    script.write_text(text)
    with pytest.raises(BrokenTaskError, match=message):
        check_grade_script(script)


@pytest.mark.parametrize(("value", "told"), [("0.25", r"0\.25 \(float\)"), ("None", r"None \(NoneType\)")])
def test_a_score_that_is_no_grade_is_told_in_words(value: str, told: str, tmp_path: Path) -> None:
    script = tmp_path / "grade.py"
    script.write_text(f"def score(artifacts, private):\n    return {value}\n")
    with pytest.raises(TaskError, match=rf"score in grade\.py returned {told}, which is no Grade\nLet it return Grade"):
        run_grader(script, tmp_path, tmp_path, tmp_path)
