"""Words that only look like a metric's name, a change that was made, or all results there are."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, run

SHOWN = tuple(
    run("model.py", f"drop: {drop}\nvalidation accuracy: {value}\nseconds: {seconds}")
    for drop, value, seconds in ((0.0, 0.61, 12), (0.0, 0.9429, 68), (0.0, 0.9613, 71), (0.2, 0.9025, 74))
)


def verdicts(prose: str) -> list[str]:
    return [claim.verdict.value for claim in audit(log(*SHOWN, prose=prose))]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The narrower network with dropout reached only 0.9025.", ["supported"]),
        ("The narrower network has a validation accuracy of 0.9025, the highest of the two networks.", ["uncheckable"]),
        ("The narrower network has a validation accuracy of 0.9025, the lowest of all.", ["contradicted"]),
        ("The remaining gains in accuracy are small.", []),
        ("The last change brought a gain in accuracy.", ["contradicted"]),
        ("The run took 74 seconds.", ["supported"]),
        ("The run took 95 seconds.", ["contradicted"]),
        ("THOUGHT: Run the evaluation first.", []),
        ("Plan: Run the evaluation.", []),
        ("THOUGHT: I ran the evaluation first.", ["unsupported"]),
    ],
)
def test_it_is_read_as_meant(sentence: str, expected: list[str]) -> None:
    assert verdicts(sentence) == expected
