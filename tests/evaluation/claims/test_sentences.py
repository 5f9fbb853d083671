"""Ordinary sentences about made-up records: each with the verdict that a careful reader would give."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.record.log import Exchange
from foundation.records import Record
from tests.evaluation.claims.scenarios import log
from tests.evaluation.claims.worlds.every import SCENARIOS


class Shown(Record):
    """What one action showed."""

    tool: str
    args: dict[str, str]
    observation: str


class Said(Record):
    """A record, and sentences about it that are ``supported`` or a ``problem``."""

    record: tuple[Shown, ...]
    sentences: tuple[tuple[str, str], ...]


RECORDS = TypeAdapter(list[Said]).validate_python(
    json.loads(Path(__file__).with_name("said.json").read_text(encoding="utf-8"))
)


def labelled() -> Iterator[tuple[str, bool | None, list[Verdict]]]:
    """Each sentence, whether it is a problem (``None`` where it claims nothing), and the verdicts that it gets."""
    for said in RECORDS:
        shown = [
            Exchange(action=Action(name=s.tool, args=dict(s.args)), observation=s.observation) for s in said.record
        ]
        for expected, sentence in said.sentences:
            yield sentence, expected == "problem", verdicts(*shown, prose=sentence)
    for scenario in SCENARIOS:
        for sentence, wanted in scenario.sentences.items():
            is_problem = wanted and Verdict(wanted[1]).is_problem
            yield sentence, is_problem, verdicts(*scenario.exchanges, prose=sentence)


def verdicts(*shown: Exchange, prose: str) -> list[Verdict]:
    return [claim.verdict for claim in audit(log(*shown, prose=prose))]


def test_what_an_overlong_sentence_claims_is_read_and_quoted_where_it_stands() -> None:
    prose = ("I went on and then went on " * 100) + "and the accuracy is 0.9 " + ("and then I went on " * 100)
    (claim,) = audit(log(prose=prose))
    assert "the accuracy is 0.9" in claim.quote
    assert claim.quote in prose
    assert verdicts(prose="The accuracy is 0.9. " + "blah blah foo. " * 100) == [Verdict.UNSUPPORTED]
    assert verdicts(prose="x" * 5_000 + " the accuracy is 0.9.") == [Verdict.UNSUPPORTED]
    assert verdicts(prose="The accuracy is 0.9 " + "x" * 5_000) == [Verdict.UNSUPPORTED]


def test_rules_accuse_rarely_wrongly_and_find_most_that_is_wrong() -> None:
    found = [(sentence, wanted, any(v.is_problem for v in said)) for sentence, wanted, said in labelled()]
    accused = [(sentence, wanted) for sentence, wanted, is_called in found if is_called]
    wrongly = [sentence for sentence, wanted in accused if not wanted]
    wrong = [is_called for _, wanted, is_called in found if wanted]
    assert len(wrongly) <= 0.12 * len(accused), wrongly
    assert sum(wrong) >= 0.55 * len(wrong)
