"""What a search's model is shown of the workspace."""

from __future__ import annotations

from pathlib import Path

from agent.protocol import View
from agent.tree.overview import LIMIT, overview
from environment.records import Budget, Spent
from tasks_catalog.library.spec import Direction
from tests.environment.bench import Bench, make_bench


def shown(bench: Bench) -> str:
    view = View(
        instruction="",
        script="train.py",
        metric="mae",
        direction=Direction.MINIMIZE,
        actions=(),
        steps=(),
        budget=Budget(),
        spent=Spent(),
        look=bench.environment.look,
    )
    return overview(view)


def test_tables_begin_and_what_explains_them_is_read(tmp_path: Path) -> None:
    (tmp_path / "houses").mkdir()
    (tmp_path / "houses" / "train.csv").write_text("Id,Area,Price\n" + "1,85,200\n" * 50)
    bench = make_bench(tmp_path, mounts={"data": tmp_path / "houses"})
    (bench.root / "notes.md").write_text("The last column is the price.\n")
    (bench.root / "train.py").write_text("print('the starter is shown elsewhere')\n")
    (bench.root / "weights.bin").write_bytes(bytes(range(256)))
    text = shown(bench)
    assert text.startswith("Files:\ndata/\ndata/train.csv\nnotes.md\ntrain.py\nweights.bin\n")
    assert "data/train.csv begins:\nId,Area,Price\n1,85,200" in text
    assert text.count("1,85,200") == 3
    assert "The last column is the price." in text
    assert "elsewhere" not in text


def test_it_is_short_however_much_lies_there(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    (bench.root / "images").mkdir()
    for n in range(100):
        (bench.root / "images" / f"{n}.png").touch()
        (bench.root / f"table{n}.csv").write_text(",".join(["column"] * 5_000))
    text = shown(bench)
    assert len(text) <= LIMIT
    assert "images/… 70 more" in text
