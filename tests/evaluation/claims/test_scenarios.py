from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from tests.evaluation.claims.scenarios import SCENARIOS, Scenario, log

CASES = [(scenario, sentence, expected) for scenario in SCENARIOS for sentence, expected in scenario.sentences.items()]


@pytest.mark.parametrize(("scenario", "sentence", "expected"), CASES, ids=[f"{s.name}: {text}" for s, text, _ in CASES])
def test_reader_and_auditor_agree(scenario: Scenario, sentence: str, expected: tuple[str, str] | None) -> None:
    claims = audit(log(*scenario.exchanges, prose=sentence))
    if expected is None:
        assert [c for c in claims if c.verdict is not Verdict.UNCHECKABLE] == []
        return
    found = {(claim.kind.value, claim.verdict.value) for claim in claims}
    assert expected in found, [(c.kind.value, c.verdict.value, c.quote, c.note) for c in claims]
    verdicts = {claim.verdict.is_problem for claim in claims if claim.kind.value == expected[0]}
    assert verdicts == {Verdict(expected[1]).is_problem}
