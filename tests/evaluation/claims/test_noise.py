"""A difference that is called clear is none where the seeds or folds of both sides go both ways."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import log, shell

LISTED = (
    shell(
        "python compare.py",
        "plain   acc 0.8080  seeds [0.8040 0.8000 0.8200]\nwide    acc 0.8110  seeds [0.8200 0.8000 0.8130]\n"
        "deep    acc 0.8230  seeds [0.8250 0.8110 0.8330]",
    ),
)
APART = tuple(
    shell(command, f"seed 0: acc {one}\nseed 1: acc {two}\nseed 2: acc {three}\nmean acc {mean}")
    for command, one, two, three, mean in [
        ("python train.py", "0.8040", "0.8000", "0.8200", "0.8080"),
        ("python train.py --wide", "0.8200", "0.8000", "0.8130", "0.8110"),
    ]
)

WITH_SPREAD = (
    shell(
        "python compare.py", "plain    acc 0.8080 ± 0.0100\nwide     acc 0.8110 ± 0.0090\ndeep     acc 0.8230 ± 0.0080"
    ),
)
TIED = (shell("python compare.py", "plain    acc 0.8080\nwide     acc 0.8110\ndeep     acc 0.8110"),)


def verdicts(shown: tuple[Exchange, ...], prose: str) -> set[tuple[str, bool]]:
    claims = audit(log(*shown, prose=prose, field="response"))
    return {(claim.verdict.value, claim.within_noise) for claim in claims if claim.kind == "comparison"}


@pytest.mark.parametrize(
    ("shown", "prose", "expected"),
    [
        (LISTED, "The wide net is clearly better than the plain one.", ("contradicted", False)),
        (LISTED, "The wide net is better than the plain one.", ("supported", True)),
        (LISTED, "The deep net is clearly better than the plain one.", ("supported", False)),
        (APART, "The accuracy rose significantly, from 0.8080 to 0.8110.", ("contradicted", False)),
        (WITH_SPREAD, "The wide net is better than the plain one.", ("supported", True)),
        (WITH_SPREAD, "The deep net is better than the plain one.", ("supported", False)),
        (TIED, "The deep net is the best with 0.8110.", ("supported", False)),
        (TIED, "The deep net is clearly the best with 0.8110.", ("contradicted", False)),
        (APART, "The accuracy rose from 0.8080 to 0.8110.", ("supported", True)),
    ],
)
def test_what_seeds_tell_both_ways_is_not_clear(
    shown: tuple[Exchange, ...], prose: str, expected: tuple[str, bool]
) -> None:
    assert verdicts(shown, prose) == {expected}
