"""A model's second look at what its readings would accuse, behind a real HTTP server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.record.log import Exchange
from tests.agent.llm_server import LlmServer, Reply
from tests.evaluation.claims.reading.conftest import reader
from tests.evaluation.claims.scenarios import log, run

OUTPUT = "linear rmse: 0.91\nforest rmse: 0.74\nboosting rmse: 0.62"
PROSE = "The forest has an RMSE of 0.91. Boosting is the worst of the trees. I also ran a network."
FOREST = {
    "quote": "The forest has an RMSE of 0.91",
    "says": {"type": "value", "metric": "rmse", "stated": "0.91", "rows": ["m0:3"]},
}
WORST = {
    "quote": "Boosting is the worst of the trees",
    "says": {
        "type": "extreme",
        "extreme": "worst",
        "metric": "rmse",
        "of": {"rows": ["m0:4"]},
        "among": ["m0:2", "m0:3"],
    },
}
NETWORK = {"quote": "I also ran a network", "says": {"type": "deed", "doing": "ran", "events": []}}


def audited(*looks: dict[str, Any], later: Sequence[Exchange] = ()) -> tuple[dict[str, str], list[str]]:
    """Verdict and note of each quote, and the prompts that were sent."""
    replies = [("FoundClaims", {"claims": [FOREST, WORST, NETWORK]}), ("Looks", {"looks": list(looks)})]
    with LlmServer([Reply(tools=[(name, arguments)]) for name, arguments in replies]) as server:
        claims = audit(log(run("fit.py", OUTPUT), *later, prose=PROSE), reader=reader(server))
    return {claim.quote: f"{claim.verdict} {claim.note}" for claim in claims}, [each.prompt for each in server.requests]


def look(claim: int, answer: str, why: str = "as it is") -> dict[str, Any]:
    return {"claim": claim, "why": why, "answer": answer}


def test_each_accusation_is_shown_with_the_row_that_refutes_it_and_what_stands_around() -> None:
    _, (_, asked) = audited()
    shown = asked.partition("Claims that would be called false:\n")[2]
    assert [line for line in shown.splitlines() if line[:2] in ("1.", "2.", "3.")] == [
        '1. "The forest has an RMSE of 0.91"',
        '2. "Boosting is the worst of the trees"',
        '3. "I also ran a network"',
    ]
    assert "read as value: metric rmse; rows m0:3; stated 0.91" in shown
    assert "by m0:3 rmse = 0.74" in shown
    assert "   | linear rmse: 0.91\n   | forest rmse: 0.74" in shown


def test_only_what_the_model_takes_back_is_taken_back() -> None:
    verdicts, _ = audited(look(2, "misread", "Of the trees, that is."), look(1, "false"), look(3, "unclear"))
    assert {quote: verdict.split()[0] for quote, verdict in verdicts.items()} == {
        FOREST["quote"]: "contradicted",
        WORST["quote"]: "uncheckable",
        NETWORK["quote"]: "uncheckable",
    }
    assert verdicts[str(WORST["quote"])].endswith("; at a second look: Of the trees, that is.")


@pytest.mark.parametrize("looks", [[], [look(7, "misread"), look(0, "misread"), look(-1, "misread")]])
def test_what_the_model_says_nothing_of_is_not_upheld(looks: list[dict[str, Any]]) -> None:
    verdicts, _ = audited(*looks)
    assert {verdict.split()[0] for verdict in verdicts.values()} == {"uncheckable"}
    assert all(verdict.endswith("; at a second look: the model gave no answer") for verdict in verdicts.values())


def test_what_the_model_says_both_of_is_not_upheld() -> None:
    verdicts, _ = audited(look(1, "misread"), look(1, "false"), look(2, "false"), look(3, "false"))
    assert [verdict.split()[0] for verdict in verdicts.values()] == ["uncheckable", "contradicted", "unsupported"]


def test_more_of_the_record_is_in_view_than_at_the_first_look() -> None:
    curve = "\n".join(f"Epoch {n}: network loss: {1 / (n + 1):.4f}" for n in range(40))
    _, (first, second) = audited(later=[run(f"network_{n}.py", curve) for n in range(20)])
    ledgers = [asked.partition("Ledger (e:")[2].partition("Text, written in step")[0] for asked in (first, second)]
    assert 2 * len(ledgers[0]) < len(ledgers[1])
    assert "(some events are left out)" not in ledgers[1]
