"""Outputs of very many values: what their epochs say is known, and of what is not kept nothing is denied."""

from __future__ import annotations

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, shell

LONG, LONGER = 13_000, 26_000
"""Epochs whose output is long but kept whole, and epochs with more values than are kept."""


def output(epochs: int) -> str:
    lines = (f"epoch {n} train loss {1 / (n + 1):.5f} val acc {0.5 + 0.4 * n / epochs:.5f}" for n in range(epochs))
    return "\n".join(lines)


def verdicts(epochs: int, *sentences: str) -> list[str]:
    record = shell("python train.py", output(epochs))
    return [claim.verdict.value for claim in audit(log(record, prose=" ".join(sentences), field="response"))]


def test_the_first_epochs_of_a_long_output_are_known() -> None:
    honest = ["At epoch 10 the training loss was 0.0909.", "The first epoch had a training loss of 1.0."]
    false = ["At epoch 10 the training loss was 0.0509.", "The first epoch had a training loss of 1.9."]
    assert verdicts(LONG, *honest, *false) == ["supported", "supported", "contradicted", "contradicted"]


def test_of_what_is_not_kept_nothing_is_denied_and_other_metrics_are_judged_as_ever() -> None:
    between = ["Epoch 13000 had a validation accuracy of 0.7000.", "The best validation accuracy was 0.95."]
    last = "The last epoch had a validation accuracy of 0.90."
    other = ["The test RMSE is 4.91.", "The validation accuracy was 0.95."]
    records = shell("python train.py", output(LONGER)), shell("python score.py", "test rmse: 4.21")
    claims = audit(log(*records, prose=" ".join([*between, last, *other]), field="response"))
    assert [claim.verdict.value for claim in claims] == [
        *("uncheckable", "uncheckable", "supported"),
        *("contradicted", "uncheckable"),
    ]
