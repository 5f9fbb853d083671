"""Numbers of outputs that can be pointed at: by which id, and what stands over and in front of them."""

from __future__ import annotations

import pytest

from evaluation.record.cells import Cells
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, run

PLANTS = """\
plant        north   south
alder        0.8123  0.7931
birch        0.7712  0.8034
cedar        0.7920  0.7105
elm          0.8411  0.7017"""


def cells_of(output: str) -> Cells:
    return RunModel.of(log(run("grow.py", output), prose="Done.")).before(1).index.cells


def named(line: str, head: str = "") -> list[tuple[str, float]]:
    cells = cells_of(f"{head}\n{line}")
    found = [cells.find(f"c0:3.{n}") for n in range(1, 20)]
    return [("" if cell.name == "score" else cell.name, cell.value) for cell in found if cell]


@pytest.mark.parametrize(
    ("head", "line", "expected"),
    [
        ("plant        north   south", "alder        0.8123  0.7931", [("north", 0.8123), ("south", 0.7931)]),
        ("  plant north south", "  alder  0.81  0.79", [("north", 0.81), ("south", 0.79)]),
        ("plant | mid yield | low", "elm   |      0.90 | 1,204", [("mid yield", 0.9), ("low", 1204)]),
        ("plant,plot,north yield", "alder,3,0.81", [("plot", 3), ("north yield", 0.81)]),
        ("│ plant │ north │", "│ elm, late │ 0.9 │", [("north", 0.9)]),
        (
            "| plant | north | south |",
            "| alder | 0.8123 ± 0.01 | 0.7 |",
            [("north", 0.8123), ("north", 0.01), ("south", 0.7)],
        ),
        ("", "alder north 0.81, south=79.3 %", [("alder north", 0.81), ("south", 79.3)]),
        ("", '{"north": .5, "rows": [1.5e-3, -2]}', [("north", 0.5), ("rows", 0.0015), ("", -2)]),
        ("", "range 47.21..63.79 of v1.9.1 in run_7", [("range", 47.21), ("", 63.79)]),
        ("", "0.1 0.2", [("", 0.1), ("", 0.2)]),
    ],
)
def test_a_number_is_called_by_its_column_or_by_what_stands_in_front_of_it(
    head: str, line: str, expected: list[tuple[str, float]]
) -> None:
    assert named(line, head) == expected


def test_a_line_that_is_set_in_has_the_name_of_the_one_above() -> None:
    cell = cells_of("alder  north 0.8123\n   -> +0.25, better in 12/15").find("c0:3.1")
    assert cell
    assert cell.label == "alder  north"


@pytest.mark.parametrize("id_", ["c0:3.3", "c0:3.0", "c0:99.1", "c7:3.1", "m0:3", "c0:3", "x"])
def test_no_other_id_is_a_number(id_: str) -> None:
    cells = cells_of(PLANTS)
    assert cells.find("c0:3.2")
    assert cells.find(id_) is None


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (PLANTS, True),
        (
            "\n".join(
                f"{n} rmse 0.{a} mae 0.{a}1 r2 0.{a}2 auc 0.{a}3" for n, a in zip("abcde", range(5, 10), strict=True)
            ),
            True,
        ),
        ("\n".join(f"epoch {a} rmse 0.{a} mae 0.{a}1 r2 0.{a}2 auc 0.{a}3" for a in range(5, 10)), False),
        ("test accuracy: 0.8124\nval accuracy: 0.8011\ntrain accuracy: 0.9011\nloss: 0.1231", False),
        ("\n".join(f"lr: {0.01 / n:.4f} grad_norm: {n + 0.25}" for n in range(1, 9)), False),
        ("\n".join(f"{n}%|## | {n}/100 [00:10<00:01, {n}.31it/s]" for n in range(9)), False),
        ("\n".join(f"row {n} of 400" for n in range(9)), False),
    ],
    ids=["table", "wide", "epochs", "read", "settings", "bar", "counts"],
)
def test_only_outputs_with_tables_are_told_by_their_lines(output: str, expected: bool) -> None:
    known = RunModel.of(log(run("grow.py", output), prose="Done.")).before(1)
    assert known.index.cells.of(known.events[0]).is_open is expected
