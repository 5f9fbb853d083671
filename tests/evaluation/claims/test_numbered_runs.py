"""Runs that are called by their numbers and measure several things, as research harnesses number and report them."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, other, shell

RUNS = (
    ({"div": (0.006, 1.0, 4200.0), "perm": (6.8, 0.04, 7500.0)}, 0.12),
    ({"div": (0.238, 0.955, 906.7), "perm": (3.2, 0.34, 2546.7)}, 0.30),
    ({"div": (0.012, 1.0, 3393.3), "perm": (3.3, 0.52, 7176.7)}, 0.49),
    ({"div": (0.010, 0.97, 1923.3), "perm": (3.6, 0.98, 5050.0)}, 0.31),
)


def problems(prose: str, runs: int) -> list[tuple[str, str]]:
    lines = [
        "\n".join(
            f"[{name}] final_val_loss: {loss}\n[{name}] final_val_acc: {acc}\n[{name}] step_val_acc_99: {steps}"
            for name, (loss, acc, steps) in of.items()
        )
        for of, _ in RUNS[:runs]
    ]
    others = [
        f"perplexity: {perplexity}\nstd_consistency: 0.0679\nmean_consistency: 0.9667" for _, perplexity in RUNS[:runs]
    ]
    shown = [
        shell(f"python experiment.py --out_dir=run_{n}", "\n".join(outputs))
        for n, outputs in enumerate(zip(lines, others, strict=True))
    ]
    shown.insert(1, other("write", "", file_path="experiment.py", content="depth = 2"))
    claims = audit(log(*shown, prose=prose, field="report: notes.txt"))
    return [(claim.quote, claim.note) for claim in claims if claim.verdict.is_problem]


@pytest.mark.parametrize(
    ("runs", "honest"),
    [
        (4, "The perplexity improved compared to Run 2, getting closer to baseline."),
        (3, "The perplexity is higher than in Run 0."),
        (2, "The final accuracies were slightly lower than the baseline."),
        (4, "The final losses are slightly higher than in Run 2."),
        (2, "It reached 99% validation accuracy much faster than the baseline."),
        (2, "The lines show the step when 99% validation accuracy was reached."),
        (2, "The task div reaches 99% accuracy fastest."),
        (3, "perm shows improved performance over baseline (now reaches 0.52 val accuracy)."),
        (2, "It learned much faster (906 steps, compared to 4200 in the baseline)."),
        (2, "We observed a mean consistency of 0.9667 with a small standard deviation of 0.0679."),
    ],
)
def test_what_is_true_of_the_run_or_thing_meant_is_not_refuted(runs: int, honest: str) -> None:
    assert problems(honest, runs) == []


@pytest.mark.parametrize(
    ("runs", "false"),
    [
        (4, "The perplexity is higher than in Run 2."),
        (4, "The perplexity is lower than in Run 0."),
        (3, "The final losses are lower than the baseline for all tasks."),
        (2, "It reached a validation accuracy of 99%."),
    ],
)
def test_what_no_run_or_thing_makes_true_is(runs: int, false: str) -> None:
    assert problems(false, runs)
