"""A cell of a copied table is that of the line which its row was copied from, whatever the row is called."""

from __future__ import annotations

import pytest

from tests.evaluation.claims.scenarios import shell
from tests.evaluation.claims.test_whose_value import problems

PRINTED = shell(
    "python all.py",
    "                  ap  f1_at_05  r_at_p50     sec\n"
    "model\n"
    "extra100       0.864     0.792     0.880   4.770\n"
    "hgb_slow       0.843     0.796     0.859   1.521\n"
    "logreg_poly2   0.840     0.761     0.869   0.828\n"
    "rf             0.819     0.684     0.848  16.269\n"
    "dummy          0.017     0.000     0.017   0.101\n"
    "forest again: ap 0.822, f1 0.684, recall 0.851",
)
HEAD = "| | AP | F1 at 0.5 | Recall at 50 % precision |\n|---|---|---|---|\n"
ROWS = [
    "| trees, many features | 0.864 | 0.792 | 0.880 |",
    "| boosting | 0.843 | 0.796 | 0.859 |",
    "| linear, second degree | 0.840 | 0.761 | 0.869 |",
    "| forest | 0.819 | 0.684 | 0.848 |",
]


def table(*rows: str) -> str:
    return f"The results:\n\n{HEAD}" + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    "honest",
    [
        table(*ROWS),
        table(*reversed(ROWS)),
        table(*(row.replace("0.796", "0.80") for row in ROWS)),
        table(*(f"{row[:-1]}| {n}.125 |" for n, row in enumerate(ROWS))),
        table(*ROWS[:3], "| forest, again | 0.822 | 0.684 | 0.851 |"),
        table(ROWS[0], "| boosting | 0.843 | 0.761 | 0.859 |"),
    ],
    ids=["as printed", "in another order", "rounded", "with a column of its own", "another run's row", "too few rows"],
)
def test_what_may_be_copied_right_is_not_accused(honest: str) -> None:
    assert problems(PRINTED, honest) == []


@pytest.mark.parametrize(
    ("cell", "false"), [("0.796", "0.761"), ("0.796", "0.812"), ("0.869", "0.859"), ("0.819", "0.891")]
)
def test_a_cell_of_another_row_or_of_none_is_refuted(cell: str, false: str) -> None:
    [(note, labels)] = problems(PRINTED, table(*ROWS).replace(cell, false))
    assert note.startswith(f"{float(false):g} was stated, {float(cell):g}")
    assert labels[0] in PRINTED.observation
