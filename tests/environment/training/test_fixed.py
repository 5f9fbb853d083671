"""Values that stand in a script's code are told from those that it computes."""

from __future__ import annotations

import pytest

from environment.metrics.outputs import parse_metrics
from environment.records import MetricPoint
from environment.training.fixed import FixedValues


def fixed(code: str, output: str) -> list[bool]:
    return [point.fixed for point in FixedValues([code.encode()]).mark(parse_metrics(output))]


@pytest.mark.parametrize(
    "code",
    [
        "print('validation MAE: 100.0')",
        "print('validation MAE:', 100.0)",
        "mae = 100.0\nprint(f'validation MAE: {mae}')",
        "mae = 100.0\nprint(f'validation MAE: {mae:.1f}')",
        "mae = float('100')\nprint('validation MAE:', round(mae, 2))",
        "for mae in (300.0, 200.0, 100.0):\n    print(f'validation MAE: {mae}')",
        "for epoch, mae in [(1, 300.0), (2, 100.0)]:\n    print('validation MAE:', mae)",
        "import sys\nsys.stdout.write('hello\\nvalidation MAE: 100.0\\n')",
        "import logging\nlogging.info('validation MAE: 100.0')",
        "import time\nprint(f'{time.time()} s, validation MAE: 100.0')",
    ],
)
def test_what_stands_in_the_code_is_marked(code: str) -> None:
    prefix = "3 s, " if "time.time" in code else ""
    assert fixed(code, f"{prefix}validation MAE: 100.0\n")[-1]


@pytest.mark.parametrize(
    "code",
    [
        "print(f'validation MAE: {mae(model)}')",
        "mae = 1.0\nmae = evaluate()\nprint('validation MAE:', mae)",
        "mae = 0.0\nfor row in rows:\n    mae += row\nprint(f'validation MAE: {mae}')",
        "def show(mae):\n    print('validation MAE:', mae)\nshow(evaluate())",
        "for mae in evaluate():\n    print('validation MAE:', mae)",
        "DROPOUT = 100.0\nprint('validation MAE:', evaluate(DROPOUT))",
        "print('validation MAE:', end=' ')\nprint(evaluate())",
        "print(",
    ],
)
def test_what_is_computed_is_not(code: str) -> None:
    assert not any(fixed(code, "validation MAE: 100.0\n"))


def test_a_number_beside_a_fixed_one_is_not_marked_for_it() -> None:
    assert fixed("print('epochs 3, MAE:', evaluate())", "epochs 3, MAE: 3.0\n") == [False]
    assert fixed("print('epochs 3, MAE:', evaluate())", "epochs 3, MAE: 4.0\n") == [False]


def test_logged_constants_are_marked() -> None:
    code = b"import mlflow\nmlflow.log_metric('mae', 100.0)\nmlflow.log_metrics({'acc': 1.0, 'loss': run()})"
    points = [MetricPoint(name=name, value=value, source="mlflow") for name, value in (("mae", 100.0), ("loss", 7.0))]
    assert [point.fixed for point in FixedValues([code]).mark(points)] == [True, False]


@pytest.mark.timeout(60)
def test_long_outputs_and_odd_code_take_no_time() -> None:
    many = "\n".join(f"print(a{n}(), 'x', b(), 'loss: {n}')" for n in range(20_000))
    output = "\n".join(f"{n} x {n} loss: {n}.5" for n in range(5_000))
    assert not any(fixed(many, output))
    assert not any(fixed("x = x\nprint(f'loss: {x}')\n" + "y = " + "-" * 3_000 + "1", "loss: 1\n"))
