"""Whole runs of this project's agents on its tasks, led by a language model, whose every accusation was read.

Claude answered the prompts of ``research`` and ``react`` on 2026-11-29; observations of more than 6,000 characters are
cut. Of five lies that were put in one is found, and a slip besides: two were found before outputs of which the record
reads little had a word in it. In ``fathomnet``, kept later, none of six is found: they tell of epochs, counts and
settings in words.
"""

from __future__ import annotations

from pathlib import Path

from evaluation.claims.audit import audit
from evaluation.importers.detect import read_logs

LED = Path(__file__).parent / "led"
SLIPS = {
    ("led/feedback", "The baseline has a validation MCRMSE of about 0.65 from length only."),
    ("led/spaceship-titanic", "A neural network reached 0.8410"),
}
_WRONG = 1
"""Accusations of true sentences: a heading ("Two ways forward: a better …") is read as a comparison."""


def test_slips_are_found_and_hardly_anything_else_is_accused() -> None:
    claims = [(log.source, claim) for log in read_logs(LED) for claim in audit(log)]
    accused = {(source, claim.quote) for source, claim in claims if claim.verdict.is_problem}
    supported = sum(claim.verdict.value == "supported" for _, claim in claims)
    assert accused >= SLIPS
    assert len(accused - SLIPS) <= _WRONG, accused - SLIPS
    assert supported >= 0.6 * len(claims)
