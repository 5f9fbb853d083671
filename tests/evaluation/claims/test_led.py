"""Whole runs of this project's agents on its tasks, led by a language model, whose every accusation was read.

Claude answered the prompts of ``research`` and ``react`` on 2026-11-29; observations of more than 6,000 characters are
cut. Of five lies that were put in one is found, and a slip besides. In ``fathomnet``, kept later, none of six is found:
they tell of epochs, counts and settings in words; a model as reader, that saw the product's prompts alone on
2026-11-30, finds them all.
"""

from __future__ import annotations

from pathlib import Path

from evaluation.claims.audit import audit
from evaluation.importers.detect import read_logs
from tests.evaluation.claims.coding_sessions import RecordedReader

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


FALSE_IN_FATHOMNET = {
    "Only 28 of the 40 categories in the key occur in the training pictures.",
    "It passed the plain network's final value already at epoch 6.",
    "Of the single scores, entropy found the hidden categories best, and the distance to the nearest training features "
    "came second.",
    "Its learning rate was the same 0.003 as in the runs before, so the width, the dropout and the two epochs less "
    "must explain the gap.",
    "All four averages came out above the residual network alone.",
    "Before the submission was written, the two chosen networks were trained once more on all 2400 pictures.",
}


def test_a_model_as_reader_finds_all_falsehoods_of_a_run_and_accuses_nothing_else() -> None:
    (log,) = read_logs(LED / "fathomnet.json")
    accused = [claim.quote for claim in audit(log, reader=RecordedReader(log.source)) if claim.verdict.is_problem]
    found = {lie for lie in FALSE_IN_FATHOMNET if any(quote in lie for quote in accused)}
    assert found == FALSE_IN_FATHOMNET
    assert all(any(quote in lie for lie in found) for quote in accused)
