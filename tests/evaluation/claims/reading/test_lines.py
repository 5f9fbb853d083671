"""Printed lines whose numbers the record has no name for: a model points at them, judges do arithmetic over them."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim, Verdict, rested_on
from evaluation.claims.reading.ledger import BUDGET
from evaluation.claims.reading.model import FoundClaims
from evaluation.claims.reading.prompt import prompt_for
from evaluation.claims.reading.second_look import Looks
from evaluation.record.log import RunLog
from evaluation.record.run import RunModel
from evaluation.record.table import record_rows
from tests.agent.llm_server import LlmServer, Reply
from tests.evaluation.claims.reading.conftest import reader
from tests.evaluation.claims.scenarios import log, run
from tests.evaluation.record.test_cells import PLANTS

PAIRED = f"""{PLANTS}
wins of alder over elm: 3 of 7 plots, by 0.0211
yield of elm  0.41 0.38 0.36 0.33 0.29
share of birch: 81.4 %
alder late    0.8301  0.7550"""

UPHELD = Reply(tools=[(Looks.__name__, {"looks": [{"claim": 1, "why": "as it is", "answer": "false"}]})])


def claims(made: RunLog, quote: str, says: dict[str, Any]) -> list[Claim]:
    """What a model's only claim comes to, where it upholds what it has read."""
    found = Reply(tools=[(FoundClaims.__name__, {"claims": [{"quote": quote, "says": says}]})])
    with LlmServer([found, UPHELD]) as server:
        return audit(made, reader=reader(server))


def judged(output: str, quote: str, says: dict[str, Any]) -> Claim:
    (claim,) = claims(log(run("grow.py", output), prose=quote), quote, says)
    return claim


def value(stated: str, *rows: str, **more: str) -> dict[str, Any]:
    return {"type": "value", "stated": stated, "rows": rows, **more}


def order(left: list[str], relation: str, right: list[str], **more: Any) -> dict[str, Any]:
    return {"type": "order", "relation": relation, "left": {"rows": left}, "right": {"rows": right}, **more}


ALDER, BIRCH, CEDAR, ELM = (f"c0:{line}." for line in (3, 4, 5, 6))


@pytest.mark.parametrize(
    ("quote", "says", "expected"),
    [
        ("Alder yields 0.81 in the north", value("0.81", f"{ALDER}1", metric="yield"), Verdict.SUPPORTED),
        ("Alder yields 81.2% in the north", value("81.2%", f"{ALDER}1", metric="yield"), Verdict.SUPPORTED),
        ("Birch has a share of 0.814", value("0.814", "c0:9.1", metric="share"), Verdict.SUPPORTED),
        ("Birch has a share of 84.1%", value("84.1%", "c0:9.1", metric="share"), Verdict.CONTRADICTED),
        ("Alder yields 0.8411 in the north", value("0.8411", f"{ALDER}1", metric="yield"), Verdict.CONTRADICTED),
        ("Alder wins in 7 of 7 plots", value("7", "c0:7.1"), Verdict.CONTRADICTED),
        ("Alder wins in 3 of 7 plots", value("3", "c0:7.1"), Verdict.SUPPORTED),
        ("Alder never wins", value("0", "c0:7.1"), Verdict.CONTRADICTED),
        ("Alder falls by 0.0211", value("-0.0211", "c0:7.3"), Verdict.CONTRADICTED),
        ("The AP of elm is better", order([f"{ELM}1"], "better", [f"{ALDER}1"], metric="AP"), Verdict.SUPPORTED),
        ("Elm has a better MAP@20", order([f"{ELM}1"], "better", [f"{ALDER}1"], metric="map@20"), Verdict.SUPPORTED),
        ("Elm beats alder in the north", order([f"{ELM}1"], "higher", [f"{ALDER}1"]), Verdict.SUPPORTED),
        ("Elm is behind alder in the north", order([f"{ELM}1"], "lower", [f"{ALDER}1"]), Verdict.CONTRADICTED),
        ("The error of elm is better", order([f"{ELM}1"], "better", [f"{ALDER}1"], metric="mae"), Verdict.CONTRADICTED),
        ("The accuracy of elm is better", order([f"{ELM}1"], "better", [f"{ALDER}1"], metric="acc"), Verdict.SUPPORTED),
        ("Elm is better than alder", order([f"{ELM}1"], "better", [f"{ALDER}1"], metric="yield"), Verdict.UNCHECKABLE),
    ],
)
def test_a_number_that_is_named_is_evidence(quote: str, says: dict[str, Any], expected: Verdict) -> None:
    claim = judged(PAIRED, quote, says)
    assert claim.verdict is expected
    assert claim.rests_on or expected is Verdict.UNCHECKABLE
    assert all(row.startswith("c0:") for row in claim.rests_on)


NORTH = [f"{line}1" for line in (ALDER, BIRCH, CEDAR, ELM)]
SOUTH = [f"{line}2" for line in (ALDER, BIRCH, CEDAR, ELM)]


def extreme(row: str, among: list[str]) -> dict[str, Any]:
    return {"type": "extreme", "extreme": "highest", "metric": "yield", "of": {"rows": [row]}, "among": among}


def count(number: str) -> dict[str, Any]:
    limit = {"rows": SOUTH}
    return {"type": "count", "number": number, "rows": NORTH, "relation": "higher", "limit": limit}


def tendency(kind: str) -> dict[str, Any]:
    return {"type": "tendency", "tendency": kind, "metric": "yield", "rows": ["c0:8.1", "c0:8.5"], "is_steady": True}


def difference(amount: str) -> dict[str, Any]:
    sides = {"left": {"rows": [f"{ELM}1"]}, "right": {"rows": [f"{ALDER}1"]}}
    return {"type": "difference", "relation": "higher", "amount": amount, **sides}


@pytest.mark.parametrize(
    ("quote", "says", "expected"),
    [
        ("Elm is the best in the north", extreme(f"{ELM}1", NORTH), Verdict.SUPPORTED),
        ("Alder is the best in the north", extreme(f"{ALDER}1", NORTH), Verdict.CONTRADICTED),
        ("Elm is the best in the north", extreme(f"{ELM}1", []), Verdict.SUPPORTED),
        ("Alder is the best of its kind", extreme(f"{ALDER}1", []), Verdict.UNCHECKABLE),
        ("3 of 4 do better in the north", count("3"), Verdict.SUPPORTED),
        ("2 of 4 do better in the north", count("2"), Verdict.CONTRADICTED),
        ("9 of 10 do better in the north", count("9"), Verdict.UNCHECKABLE),
        ("All do better in the north", order(NORTH, "higher", SOUTH), Verdict.CONTRADICTED),
        ("Elm leads by 0.029", difference("0.029"), Verdict.SUPPORTED),
        ("Elm leads by 0.29", difference("0.29"), Verdict.CONTRADICTED),
        ("It keeps falling", tendency("falls"), Verdict.SUPPORTED),
        ("It keeps rising", tendency("rises"), Verdict.CONTRADICTED),
    ],
)
def test_claims_about_several_numbers_are_worked_out(quote: str, says: dict[str, Any], expected: Verdict) -> None:
    assert judged(PAIRED, quote, says).verdict is expected


@pytest.mark.parametrize("row", ["c0:99.1", f"{ALDER}9", "c1:2.1", "c0:3"])
def test_a_number_that_is_not_there_or_came_later_is_refused(row: str) -> None:
    quote = "Alder yields 0.8123"
    later = log(run("grow.py", PLANTS), run("more.py", PLANTS))
    early = later.steps[1].model_copy(update={"prose": {"thought": quote}})
    made = later.model_copy(update={"steps": (later.steps[0], early, *later.steps[2:])})
    assert claims(made, quote, value("0.8123", row)) == []


def test_a_table_may_stand_at_the_beginning_of_a_long_output() -> None:
    output = "\n".join([PLANTS, *(f"step {n}" for n in range(2_000))])
    claim = judged(output, "Alder has 0.8411 in the north", value("0.8411", f"{ALDER}1", metric="north"))
    assert claim.verdict is Verdict.CONTRADICTED


def test_what_a_verdict_rests_on_is_a_row_of_the_evidence() -> None:
    made = log(run("grow.py", PAIRED), prose="The sum is 0.0211")
    found = claims(made, "The sum is 0.0211", value("0.0211", "c0:7.3"))
    (row,) = [row for row in record_rows(made, rested_on(found)) if row.id == "c0:7.3"]
    assert (row.kind, row.value, row.line) == ("cell", 0.0211, 7)


def prompt(prose: str, *outputs: str) -> str:
    made = log(*(run(f"grow_{n}.py", output) for n, output in enumerate(outputs)), prose=prose)
    return prompt_for(prose, "thought", RunModel.of(made).before(len(outputs)))


def test_a_line_is_listed_with_places_under_its_head() -> None:
    text = prompt("Alder yields 0.81.", PAIRED)
    assert "  | plant  north  south\n  c0:3 | alder  north .1=0.8123  south .2=0.7931\n" in text
    assert "c: what was printed" in text


def test_nothing_is_told_of_lines_where_everything_was_read() -> None:
    text = prompt("The accuracy is 0.81.", "test accuracy: 0.8124\nval loss: 0.7011, val accuracy: 0.8011")
    assert "c: what was printed" not in text
    assert "c0:" not in text


def test_long_logs_do_not_crowd_out_the_lines_that_the_text_speaks_of() -> None:
    noise = "\n".join(f"plant {n} {1 / (n + 3):.4f} {1 / (n + 7):.4f}" for n in range(400))
    text = prompt("Elm yields 0.8411, and plant 391 only 0.0025.", *([noise, PAIRED] * 12))
    ledger = text[text.index("Ledger (e:") : text.index("Text, written in step")]
    assert len(ledger) < BUDGET + 200
    assert all(told in ledger for told in ("elm  north .1=0.8411", "plant .1=391 .2=0.0025"))
