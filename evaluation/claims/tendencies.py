"""Reads and judges "the larger the beam, the slower the decoding": how results go with a setting over several runs."""

from __future__ import annotations

import re

from environment.metrics.meaning import names_in
from evaluation.claims.arithmetic import order_holds
from evaluation.claims.assertions import Comparison, Relation
from evaluation.claims.claim import Finding, Kind, Verdict
from evaluation.claims.findings import unsupported
from evaluation.claims.sentences import Sentence
from evaluation.language.splits import splits_in
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_THE_THE = re.compile(
    r"^\W*(?:(?:so|clearly|overall|indeed|also),? )?the (?P<more>more|larger|higher|bigger|longer|deeper|wider|lower"
    r"|smaller|fewer|shorter)\b"
    r"(?P<setting>[^,;.]{2,60}), the (?P<way>higher|lower|better|worse|faster|slower|larger"
    r"|smaller)\b(?P<result>[^;]{0,80})$",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:will|would|should|may|might|can|could|usually|generally|typically)\b", re.IGNORECASE)
_DOWN = ("lower", "smaller", "fewer", "shorter")
_WAYS = {
    "higher": Relation.HIGHER,
    "larger": Relation.HIGHER,
    "slower": Relation.HIGHER,
    "lower": Relation.LOWER,
    "smaller": Relation.LOWER,
    "faster": Relation.LOWER,
    "better": Relation.BETTER,
    "worse": Relation.WORSE,
}
_OF_TIME = ("faster", "slower")
_OF_RUN = re.compile(r"\b(?:epochs?|steps?|train)\b", re.IGNORECASE)
_NOUNS = {"deeper": "depth", "wider": "width", "longer": "length"}
_WORD = re.compile(r"[a-z]{3,}|\b[b-hj-z]\b")
_PLAIN = frozenset(
    [
        "the",
        "more",
        "larger",
        "higher",
        "bigger",
        "lower",
        "smaller",
        "fewer",
        "shorter",
        "number",
        "size",
        "used",
        "use",
        "train",
        "get",
        "gets",
        "make",
        "model",
    ]
)


def is_tendency(sentence: Sentence) -> bool:
    """Whether a sentence has the form of a tendency, be it one that was seen or one that is expected."""
    return _THE_THE.match(sentence.text) is not None


def read_tendency(sentence: Sentence) -> list[Comparison]:
    """The tendency that a sentence states; ``other`` is the setting, ``negated`` that it goes down."""
    said = _THE_THE.match(sentence.text)
    if said is None or _MODAL.search(sentence.text):
        return []
    named, splits = names_in(said["result"]), splits_in(said["result"])
    way = said["way"].lower()
    return [
        Comparison(
            kind=Kind.COMPARISON,
            quote=sentence.text,
            start=sentence.start,
            context=sentence.text,
            metric="time" if way in _OF_TIME else named[0][0] if named else None,
            split=splits[0][0] if splits else None,
            relation=_WAYS[way],
            other=f"{said['more']}{said['setting']}".strip(),
            negated=said["more"].lower() in _DOWN,
            tendency=True,
        )
    ]


def judge_tendency(claim: Comparison, known: Known) -> Finding:
    """Sort the runs by the setting, and hold each against the one before."""
    values = _by_setting(claim, known)
    if len(values) < 2:
        return unsupported("no values of this setting are on record")
    if claim.negated:
        values.reverse()
    pairs = list(zip(values[1:], values, strict=False))
    broken = next((pair for pair in pairs if not order_holds(claim, *pair, known)), None)
    if broken is None:
        return Finding(verdict=Verdict.SUPPORTED, evidence=values[-1].evidence)
    note = f"{broken[0].value:g} (step {broken[0].step}) against {broken[1].value:g} (step {broken[1].step})"
    return Finding(verdict=Verdict.CONTRADICTED, evidence=broken[0].evidence, note=note)


def _by_setting(claim: Comparison, known: Known) -> list[Measurement]:
    """The results meant, by rising setting: of the epochs of one run, or of runs and rows that give it a number."""
    if _OF_RUN.search(claim.other):
        own = [v for v in known.trials[-1].values if v.epoch is not None and _is_meant(claim, v)]
        if len(own) > 1:
            return [v for v in own if v.name == own[-1].name and v.split == own[-1].split]
    words = [_NOUNS.get(word, word) for word in _WORD.findall(claim.other.lower()) if word not in _PLAIN]
    placed = []
    for value in known.finals:
        at = _setting(words, value) if _is_meant(claim, value) else None
        if (at is not None and value.split == known.finals[-1].split) or (at is not None and claim.split is not None):
            placed.append((at, value.step, value))
    return [value for _, _, value in sorted(placed, key=lambda item: item[:2])]


def _is_meant(claim: Comparison, value: Measurement) -> bool:
    if claim.split is not None and value.split not in (claim.split, None):
        return False
    return (
        value.metric == claim.metric if claim.metric is not None else value.metric != "gap" and value.split != "train"
    )


def _setting(words: list[str], value: Measurement) -> float | None:
    """The number that the row, the command or the code of a value gives to the setting."""
    for place in (value.label, value.name, value.event.command, value.event.added):
        for word in words:
            found = re.search(rf"(?<![a-z]){word[:5]}[a-z]*[\W_]{{0,3}}(\d+(?:\.\d+)?(?:e-?\d+)?)", place.lower())
            if found:
                return float(found[1])
    return None
