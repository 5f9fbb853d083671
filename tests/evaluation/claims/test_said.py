"""Ordinary sentences about results, over outputs as scripts print them, each with the verdict a reader would give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.record.log import Exchange
from foundation.records import Record
from tests.evaluation.claims.scenarios import log


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


@pytest.mark.parametrize(
    ("said", "expected", "sentence"),
    [(said, expected, sentence) for said in RECORDS for expected, sentence in said.sentences],
)
def test_ordinary_sentences_get_the_verdict_of_a_reader(said: Said, expected: str, sentence: str) -> None:
    shown = [Exchange(action=Action(name=s.tool, args=dict(s.args)), observation=s.observation) for s in said.record]
    verdicts = [claim.verdict for claim in audit(log(*shown, prose=sentence))]
    if expected == "supported":
        assert set(verdicts) == {Verdict.SUPPORTED}
    else:
        assert any(verdict.is_problem for verdict in verdicts)
