"""Patches: what fits is applied, what does not changes nothing and says where and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.records import Outcome
from tests.environment.bench import Bench, make_bench

SCRIPT = "import numpy as np\n\nLR = 0.1\nEPOCHS = 3\n\n\ndef train():\n    return 1\n\n\ndef test():\n    return 1\n"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = make_bench(tmp_path, readonly=["fixed/*"])
    (bench.root / "sub").mkdir()
    (bench.root / "sub/train.py").write_text(SCRIPT)
    return bench


def content(bench: Bench, name: str = "sub/train.py") -> str:
    return (bench.root / name).read_bytes().decode()


def block(search: str, replace: str, path: str = "sub/train.py\n") -> str:
    return f"{path}<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


DIFF = "--- a/sub/train.py\n+++ b/sub/train.py\n"
LR = SCRIPT.replace("LR = 0.1", "LR = 0.01")


@pytest.mark.parametrize(
    "patch",
    [
        f"{DIFF}@@ -2,3 +2,3 @@\n \n-LR = 0.1\n+LR = 0.01\n EPOCHS = 3\n",
        f"```diff\n{DIFF}@@ -200,1 +1,9 @@ def train():\n\n-LR = 0.1\n+LR = 0.01\n```",
        f"diff --git a/sub/train.py b/sub/train.py\nindex 1..2 100644\n{DIFF}@@ @@\n-LR = 0.1\n+LR = 0.01\n",
        block("LR = 0.1\n", "LR = 0.01\n"),
        f"**sub/train.py**\n```python\n{block('LR = 0.1  ' + chr(10), 'LR = 0.01' + chr(10), '')}```\n",
    ],
)
def test_a_hunk_is_applied_and_undone(bench: Bench, patch: str) -> None:
    text = bench.text("Apply Patch", patch=patch)
    assert content(bench) == LR
    assert text.startswith("sub/train.py is patched:\n--- sub/train.py\n+++ sub/train.py\n@@")
    bench.act("Undo Edit Script", script_name="sub/train.py")
    assert content(bench) == SCRIPT


def test_the_file_may_be_named_beside_the_patch(bench: Bench) -> None:
    bench.act("Apply Patch", file_name="sub/train.py", patch=block("LR = 0.1\n", "LR = 0.01\n", ""))
    assert content(bench) == LR
    bench.act("Apply Patch", file_name="sub/train.py", patch="@@ -3 +3 @@\n-LR = 0.01\n+LR = 0.1\n")
    assert content(bench) == SCRIPT


def test_several_files_are_created_changed_and_deleted_at_once(bench: Bench) -> None:
    (bench.root / "old.py").write_text("x = 1\n")
    patch = (
        f"{DIFF}@@ -3 +3 @@\n-LR = 0.1\n+LR = 0.01\n@@ -11,2 +11,3 @@\n def test():\n     return 1\n+    # end\n"
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+y = 1\n+(\n--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    )
    text = bench.text("Apply Patch", patch=patch)
    assert content(bench) == f"{LR}    # end\n"
    assert content(bench, "new.py") == "y = 1\n(\n"
    assert not (bench.root / "old.py").exists()
    assert "new.py is created:" in text
    assert "syntax error at line 2" in text
    assert text.endswith("old.py is deleted.")
    bench.act("Undo Edit Script", script_name="old.py")
    assert content(bench, "old.py") == "x = 1\n"


def test_blocks_follow_one_another_and_line_ends_stay(bench: Bench) -> None:
    (bench.root / "dos.txt").write_bytes(b"a\r\nb\r\nc")
    patch = block("a\n", "A\n1\n", "dos.txt\n") + block("1\nb\n", "", "") + block("", "n\n", "new.txt\n")
    bench.act("Apply Patch", patch=patch)
    assert content(bench, "dos.txt") == "A\r\nc"
    assert content(bench, "new.txt") == "n\n"


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (block("LR = 0.2\n", "LR = 1\n"), "Hunk 1 for sub/train.py does not fit"),
        (block("= 0.1\n", "= 1\n"), "Line 3 reads 'LR = 0.1': give whole lines"),
        (block("LR = 0.1\nEPOCHS = 4\n", "x\n"), "Its first 1 lines fit at line 3, but line 4 reads 'EPOCHS = 3'"),
        (block("    return 1\n", "    return 2\n"), "fits in 2 places, at lines 8, 12"),
        (block("LR = 0.1\n", "LR = 1\n") + block("nope\n", "x\n", ""), "Hunk 2 for sub/train.py does not fit"),
        (block("LR = 0.1\n", "LR = 1\n") + block("", "x\n", "fixed/new.py\n"), "fixed/new.py is read-only"),
        (block("LR = 0.1\n", "LR = 1\n") + block("LR = 0.1\n", "x\n", "./sub/train.py\n"), "in two ways"),
        (block("x\n", "y\n", "../out.py\n"), "outside"),
        (block("x\n", "y\n", ""), "stands under no path"),
        ("sub/train.py\n<<<<<<< SEARCH\nLR = 0.1\n=======\nLR = 1\n", "no line >>>>>>> REPLACE"),
        (block("", "x\n"), "the file is not empty"),
        (block("x\n", "y\n", "nope.py\n"), "nope.py does not exist"),
        (f"{DIFF}@@ -3 +3 @@\n-LR = 0.1\nLR = 1\n", "Line 5 of the patch begins with none of"),
        ("@@ -3 +3 @@\n-LR = 0.1\n+LR = 1\n", "no lines --- and +++"),
        ("--- a/sub/train.py\n+++ /dev/null\n@@ -3 +0,0 @@\n-LR = 0.1\n", "not all of its lines"),
        ("LR = 0.01", "belongs to no hunk"),
        ("", "no hunk and no block"),
    ],
)
def test_what_does_not_fit_changes_nothing_and_says_why(bench: Bench, patch: str, why: str) -> None:
    before = sorted(p.name for p in bench.root.rglob("*"))
    text = bench.text("Apply Patch", patch=patch)
    assert why in text
    assert bench.outcome("Apply Patch", patch=patch) in (Outcome.FAILED, Outcome.REFUSED)
    assert content(bench) == SCRIPT
    assert sorted(p.name for p in bench.root.rglob("*")) == before
    assert "no change to undo" in bench.text("Undo Edit Script", script_name="sub/train.py")


def test_a_stated_line_decides_between_equal_places(bench: Bench) -> None:
    bench.act(
        "Apply Patch",
        patch=f"{DIFF}@@ -1 +1,2 @@\n import numpy as np\n+# more\n@@ -12 +13 @@\n-    return 1\n+    return 2\n",
    )
    assert content(bench).endswith("def test():\n    return 2\n")
