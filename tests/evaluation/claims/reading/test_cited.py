"""Results that an agent names by the run that measured them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import JsonValue

from environment.records import Action, Decision
from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim
from evaluation.record.log import CITED, CITED_ON_THE_WAY, Exchange, LogStep, RunLog, cited_in, prose_of
from tests.evaluation.claims.scenarios import other, run

FIRST = run("train.py", "epoch 1 validation accuracy: 0.7000\nepoch 2 validation accuracy: 0.8120")
SECOND = run("train.py", "validation accuracy: 0.8567")


WRITTEN = other("Write File", "File b.py written successfully.", file_name="b.py")
MEANS = "        mean     std\nLR    0.7915  0.0122\nNB    0.8006  0.0093\nsvm   0.7801     NaN"
TABLE = run("table.py", f"fold 0: LR 0.7714 NB 0.7893\n{MEANS}")


def judged(*cited: dict[str, Any], answer: str = "") -> list[Claim]:
    action = Action(name="Final Answer", args={"final_answer": answer, "claims": list(cited)})
    last = LogStep(prose=prose_of(Decision(action=action)), exchanges=(Exchange(action=action),))
    runs = [
        LogStep(exchanges=(exchange.model_copy(update={"training_run": f"r.{n}"}),))
        for n, exchange in enumerate((FIRST, SECOND, TABLE, WRITTEN))
    ]
    return audit(RunLog(source="run", steps=(*runs, last)))


@pytest.mark.parametrize(
    ("cited", "verdict"),
    [
        ({"metric": "accuracy", "value": 0.812, "split": "validation", "step": 0}, "supported"),
        ({"metric": "accuracy", "value": 81.2, "training_run": "r.0"}, "supported"),
        ({"metric": "validation accuracy", "value": 0.857, "step": 1}, "supported"),
        ({"metric": "accuracy", "value": 0.8006, "step": 2}, "supported"),
        ({"metric": "accuracy", "value": 0.7801, "step": 2}, "supported"),
        ({"metric": "accuracy", "value": 0.7893, "step": 2}, "uncheckable"),
        ({"metric": "accuracy", "value": 0.9006, "step": 2}, "unsupported"),
        ({"metric": "accuracy", "value": 0.812, "step": 3}, "supported"),
        ({"metric": "accuracy", "value": 0.912, "step": 3}, "unsupported"),
        ({"metric": "accuracy", "value": 0.857, "step": 0}, "contradicted"),
        ({"metric": "accuracy", "value": 0.8567, "step": 0, "training_run": "r.1"}, "unsupported"),
        ({"metric": "accuracy", "value": 0.812, "split": "test", "step": 0}, "unsupported"),
        ({"metric": "f1", "value": 0.812, "step": 0}, "unsupported"),
        ({"metric": "frobnication", "value": 0.812, "step": 0}, "unsupported"),
        ({"metric": "accuracy", "value": 0.812, "step": 7}, "unsupported"),
        ({"metric": "accuracy", "value": 0.812, "training_run": "r.7"}, "unsupported"),
    ],
)
def test_a_result_is_held_against_the_run_it_names(cited: dict[str, Any], verdict: str) -> None:
    (claim,) = judged(cited)
    assert (claim.field, claim.type, claim.verdict.value) == (CITED, "value", verdict), claim.note
    assert claim.in_answer is claim.verdict.is_problem


def test_prose_beside_is_read_as_ever() -> None:
    claims = judged({"metric": "accuracy", "value": 0.8567, "step": 1}, answer="The validation accuracy is 91.2%.")
    assert [(claim.field, claim.verdict.value) for claim in claims] == [
        ("final_answer", "contradicted"),
        (CITED, "supported"),
    ]
    assert claims[1].quote == "accuracy = 0.8567 (step 1)"
    assert claims[1].training_run == "r.1"


def test_an_entry_of_the_research_log_is_judged_when_it_is_written() -> None:
    cited: list[JsonValue] = [
        {"metric": "accuracy", "value": value, "split": "validation", "step": 0} for value in (0.812, 0.9)
    ]
    action = Action(name="Append Summary to Research Log", args={"content": "The baseline stands.", "claims": cited})
    noted = LogStep(prose=prose_of(Decision(action=action)), exchanges=(Exchange(action=action),))
    claims = audit(RunLog(source="run", steps=(LogStep(exchanges=(FIRST,)), noted, LogStep(exchanges=(SECOND,)))))
    assert [(claim.field, claim.step, claim.verdict.value, claim.in_answer) for claim in claims] == [
        (CITED_ON_THE_WAY, 1, "supported", False),
        (CITED_ON_THE_WAY, 1, "contradicted", False),
    ]


@pytest.mark.parametrize("claims", [None, "none", [{"metric": "f1"}], [{"metric": "f1", "value": 1.0}]])
def test_what_is_not_well_formed_cites_nothing(claims: Any) -> None:
    assert cited_in(Action(name="finish", args={"final_answer": "Done.", "claims": claims})) == ()


def test_the_name_that_was_printed_is_meant_where_several_mean_one_metric() -> None:
    both = run("model.py", "validation MAE: 11526.21\nvalidation cv_MAE: 12928.60")
    for metric, value, verdict in (
        ("cv_MAE", 12928.6, "supported"),
        ("MAE", 11526.21, "supported"),
        ("cv_MAE", 11526.21, "contradicted"),
        ("MAE", 12928.6, "contradicted"),
    ):
        cited: dict[str, JsonValue] = {"metric": metric, "split": "validation", "value": value, "step": 0}
        action = Action(name="Final Answer", args={"final_answer": "", "claims": [cited]})
        last = LogStep(prose=prose_of(Decision(action=action)), exchanges=(Exchange(action=action),))
        (claim,) = audit(RunLog(source="run", steps=(LogStep(exchanges=(both,)), last)))
        assert claim.verdict.value == verdict, (metric, value, claim.note)
