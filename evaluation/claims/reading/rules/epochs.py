"""Reads what is said of the epochs of one run against each other, and of settings: "it fell in the second epoch"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.numbers import Result, metrics_in, split_mentions
from evaluation.claims.reading.rules.places import ORDINALS
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, relation_in
from evaluation.claims.reading.rules.settings import Setting, settings_of
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.base import Assertion, Operand
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.claims.types.tendency import Tendency
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_ORDINALS = ORDINALS | {"last": -1, "final": -1}
_OF_EPOCH = re.compile(r"\bepochs?\b", re.IGNORECASE)
_PLACE = re.compile(
    rf"\b(?P<word>{'|'.join(_ORDINALS)})\b|\bepochs? (?P<n>\d+)(?:(?: and| to|-|–) (?:epoch )?(?P<m>\d+))?",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"\W*(?:the )?(?P<way>larger|higher|bigger|greater|longer|more|deeper|wider|smaller|lower|fewer|less|shorter)\s+"
    r"(?:the\s+)?(?P<name>[\w -]+?)(?:\s+(?:we|i|it|is|are|you)\b[^,]*)?,\s*(?:the )?(?P<rest>.+)$",
    re.IGNORECASE,
)
_FEWER = ("smaller", "lower", "fewer", "less", "shorter")


def of_epochs(clause: Clause, known: Known, said: Said, amounts: Sequence[Result]) -> Assertion | None:
    """As "The loss rose in the last epoch": an epoch against the one before it, or two that are named."""
    text = clause.text
    places = _places(text) if _OF_EPOCH.search(text) else []
    if not 0 < len(places) < 3 or phrases("words.without").search(text) or found_in("references", text):
        return None
    what = _what(clause, known)
    series = _latest(known, what)
    at = [each if each > 0 else len(series) for each in places]
    late, early = max(at), min(at) if len(at) > 1 else at[0] - 1
    if early < 1 or late > len(series) or late == early:
        return None
    own, before = series[late - 1], series[early - 1]
    about: dict[str, Any] = {
        "metric": what.metric or own.metric,
        "split": own.split,
        "left": Operand(rows=(own.id,)),
        "right": Operand(rows=(before.id,)),
    }
    if amounts:
        return Difference(relation=said.relation, amount=amounts[0].number, **about)
    return Order(relation=said.relation, **about)


def _places(text: str) -> list[int]:
    found: list[int] = []
    for match in _PLACE.finditer(text):
        if match["word"]:
            found.append(_ORDINALS[match["word"].lower()])
        else:
            found += [int(n) for n in (match["n"], match["m"]) if n]
    return found


def _what(clause: Clause, known: Known) -> Meant:
    metric = next((each.what for each in metrics_in(clause.text, known) if each.what), "")
    splits = {each.what for each in split_mentions(clause.text)}
    return Meant(metric, splits.pop() if len(splits) == 1 else None)  # type: ignore[arg-type]


def _latest(known: Known, what: Meant) -> list[Measurement]:
    """The values over the epochs of the run that measured such last."""
    for run in reversed(known.measured_runs):
        wanted = what if what.metric else Meant(main.metric, main.split) if (main := known.main(run)) else what
        rows = [row for row in run.values if row.epoch is not None and references.is_of_what(known, row, wanted)]
        own = [row for row in rows if row.key == rows[-1].key and row.label == rows[-1].label]
        if [row.epoch for row in own] == list(range(1, len(own) + 1)) and len(own) > 1:
            return own
    return []


def with_setting(clause: Clause, known: Known) -> Iterator[Tendency]:
    """As "The larger k, the higher the accuracy": the results in the order of a setting, those of one run at least."""
    found = _WITH.match(clause.sentence.text)
    said = relation_in(found["rest"]) if found else None
    metric = next((each.what for each in metrics_in(found["rest"], known) if each.what), "") if found else ""
    tendency = {"higher": "rises", "lower": "falls", "better": "improves", "worse": "worsens"}.get(
        said.relation if said else ""
    )
    if found is None or tendency is None:
        return
    splits = {each.what for each in split_mentions(found["rest"])}
    what = Meant(metric, splits.pop() if len(splits) == 1 else None)  # type: ignore[arg-type]
    name = Setting(tuple(re.findall(r"[a-z]+", found["name"].lower())), 0.0)
    placed = [
        (own.value, row)
        for row in known.finals
        if references.is_of_what(known, row, what) and not row.is_baseline
        for own in settings_of(row)
        if own.is_called(name)
    ]
    key = placed[-1][1].key if placed else None
    ordered = sorted(((value, row) for value, row in placed if row.key == key), key=lambda each: each[0])
    if len({value for value, _ in ordered}) < 2:
        return
    if found["way"].lower() in _FEWER:
        ordered.reverse()
    rows = tuple(row.id for _, row in ordered)
    yield Tendency(tendency=tendency, metric=metric, split=what.split, rows=rows, is_steady=True)  # type: ignore[arg-type]


def is_of_settings(clause: Clause) -> bool:
    """Whether a sentence says how results go with a setting."""
    return bool(_WITH.match(clause.sentence.text)) and not phrases("general").search(clause.sentence.text)
