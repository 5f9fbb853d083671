"""Claims that a model reads, behind a real HTTP server."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.claims.reading.ledger import BUDGET, ledger
from evaluation.claims.reading.model import FoundClaims
from evaluation.record.run import RunModel
from tests.agent.llm_server import LlmServer, Reply
from tests.evaluation.claims.reading.conftest import reader
from tests.evaluation.claims.scenarios import log, run
from tests.evaluation.claims.worlds.regression import REGRESSION

PROSE = "RMSE on held-out houses came in at 28,951. We beat the starting point. I then stored everything."
RESULT = {
    "quote": "RMSE on held-out houses came in at 28,951",
    "says": {"type": "value", "metric": "rmse", "stated": "28,951", "rows": ["m7:2"]},
}
BETTER = {
    "quote": "We beat the starting point",
    "says": {"type": "order", "relation": "better", "left": {"rows": ["m7:2"]}, "right": {"rows": ["m1:1"]}},
}


def found(*claims: dict[str, Any]) -> Reply:
    return Reply(tools=[(FoundClaims.__name__, {"claims": list(claims)})])


def test_what_a_model_finds_is_judged_by_the_same_code() -> None:
    with LlmServer([Reply(status=500), found(RESULT, BETTER)]) as server:
        claims = audit(log(*REGRESSION.exchanges, prose=PROSE), reader=reader(server))
    assert PROSE in server.requests[-1].prompt
    assert "m7:2 test rmse = 28950.99" in server.requests[-1].prompt
    assert [(claim.kind.value, claim.verdict, claim.rests_on) for claim in claims] == [
        ("result", Verdict.SUPPORTED, ("m7:2",)),
        ("comparison", Verdict.SUPPORTED, ("m7:2", "m1:1")),
    ]
    assert claims[0].value == 28951.0
    assert claims[0].evidence == "Evaluation Score: {'rmse': 28950.99, 'r2': 0.8907}"


@pytest.mark.parametrize(
    "refused",
    [
        {**RESULT, "quote": "words that nobody wrote, 28,951"},
        {**RESULT, "says": {**RESULT["says"], "rows": ["m9:1"]}},  # type: ignore[dict-item]
        {**RESULT, "says": {**RESULT["says"], "stated": "27,000"}},  # type: ignore[dict-item]
        {**RESULT, "says": {"type": "hearsay"}},
    ],
    ids=["quote", "row", "number", "type"],
)
def test_what_is_not_so_is_refused(refused: dict[str, Any]) -> None:
    with LlmServer([found(refused, BETTER)]) as server:
        read = reader(server)
        claims = audit(log(*REGRESSION.exchanges, prose=PROSE), reader=read)
    assert [claim.quote for claim in claims] == [BETTER["quote"]]
    assert read.refused.total() == 1


def test_a_row_that_came_later_is_refused() -> None:
    made = log(*REGRESSION.exchanges, prose="Done.")
    early = made.steps[2].model_copy(update={"prose": {"thought": PROSE}})
    made = made.model_copy(update={"steps": (*made.steps[:2], early, *made.steps[3:-1])})
    with LlmServer([found(RESULT)]) as server:
        read = reader(server)
        assert audit(made, reader=read) == []
    assert read.refused.total() == 1


def test_a_text_written_twice_is_paid_once() -> None:
    once = log(*REGRESSION.exchanges, prose=PROSE)
    twice = once.model_copy(update={"steps": (*once.steps, run_step(), once.steps[-1])})
    with LlmServer([found(RESULT)]) as server:
        assert len(audit(twice, reader=reader(server))) == 2
    assert len(server.requests) == 1


def run_step() -> Any:
    return log(run("train.py", "loss: 0.5"), prose="").steps[0]


def test_the_ledger_of_a_long_run_is_short_and_keeps_what_the_text_speaks_of() -> None:
    noise = "\n".join(f"Epoch {n}: loss: {1 / (n + 1):.4f}" for n in range(400))
    made = log(*(run(f"train_{n}.py", f"{noise}\ntest accuracy: 0.8{n:02d}1") for n in range(60)), prose="Done.")
    known = RunModel.of(made).before(60)
    text = ledger(known, "The accuracy was 0.8171, and before it was 0.8581.")
    assert len(text) <= BUDGET
    assert "0.8581" in text
    assert all(line.split()[0].startswith(("e", "m", "|", "(", "…")) for line in text.splitlines())
