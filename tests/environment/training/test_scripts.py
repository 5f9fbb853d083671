"""What is read off a script without running it."""

from __future__ import annotations

from pathlib import Path

from environment.training.scripts import constants, diff_against


def test_settings_are_plain_values_bound_once_at_the_top_level() -> None:
    source = b"""
LR = 0.1
depth: int = 3
NAME = "resnet"
NEGATIVE = -2
FLAG = True
_PRIVATE = 1
TWICE = 1
TWICE = 2
COMPUTED = 2 * 3
A = B = 5
if True:
    INNER = 1
def f():
    LOCAL = 1
"""
    assert constants(source) == {
        "LR": "0.1",
        "depth": "3",
        "NAME": "resnet",
        "NEGATIVE": "-2",
        "FLAG": "True",
        "A": "5",
        "B": "5",
    }


def test_a_script_that_does_not_parse_has_none() -> None:
    assert constants(b"def f(:\n") == {}
    assert constants(b"\0\xff") == {}
    assert constants(b"(" * 100_000) == {}


def test_diffs(tmp_path: Path) -> None:
    starter = tmp_path / "train.py"
    starter.write_text("a = 1\nb = 2\n")
    assert diff_against(starter, "train.py", b"a = 1\nb = 2\n") == ""
    assert "-b = 2\n+b = 3" in diff_against(starter, "train.py", b"a = 1\nb = 3\n")
    assert diff_against(tmp_path / "none.py", "none.py", b"a\n") == "--- /dev/null\n+++ b/none.py\n@@ -0,0 +1 @@\n+a"
    assert diff_against(starter, "train.py", b"\0binary") == ""
    assert diff_against(starter, "train.py", b"x\n" * 50_000) == ""
