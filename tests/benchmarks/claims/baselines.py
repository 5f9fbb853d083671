"""What a reader of claims must beat on the same labels; each is handed the labelled quotes, which readers must find."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from evaluation.language.numbers import find_numbers
from evaluation.record.log import RunLog
from tests.benchmarks.claims.scoring import PROBLEM, Outcome
from tests.benchmarks.claims.sets import LabelledSet

FOLDS = 5


def number_matching(labelled: LabelledSet) -> Iterator[Outcome]:
    """A quote's numbers all stand in what was shown before: supported; else unsupported; none: no claim."""
    logs = {log.source: log for log in labelled.logs}
    for label in labelled.labels:
        stated = find_numbers(label["quote"])
        shown = {n.value for n in find_numbers(_shown(logs[label["source"]], label["step"]))} if stated else set()
        said = ["supported" if all(any(n.states(v) for v in shown) for n in stated) else "unsupported"]
        yield _outcome(label, tuple(said if stated else ()))


def _shown(log: RunLog, step: int) -> str:
    return "\n".join(exchange.observation for each in log.steps[:step] for exchange in each.exchanges)


def coin(labels: Sequence[dict[str, Any]]) -> Iterator[Outcome]:
    """Calls a problem at the rate at which labels are."""
    rate = sum(label["verdict"] in PROBLEM for label in labels) / max(1, len(labels))
    flip = random.Random(0)
    for label in labels:
        yield _outcome(label, ("unsupported" if flip.random() < rate else "supported",), rate)


def classifier(labels: Sequence[dict[str, Any]]) -> list[Outcome]:
    """TF-IDF of words and pairs and a logistic regression, each log scored by what the other logs taught."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    texts = [f"{label['field']} {label['quote']}" for label in labels]
    wanted = [label["verdict"] in PROBLEM for label in labels]
    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
        LogisticRegression(class_weight="balanced", max_iter=1_000),
    )
    folds, groups = GroupKFold(FOLDS), [label["source"] for label in labels]
    chances = cross_val_predict(model, texts, wanted, groups=groups, cv=folds, method="predict_proba")[:, 1]
    return [
        _outcome(label, ("unsupported" if chance >= 0.5 else "supported",), float(chance))
        for label, chance in zip(labels, chances, strict=True)
    ]


def _outcome(label: dict[str, Any], said: tuple[str, ...], chance: float | None = None) -> Outcome:
    return Outcome(label["source"], label["kind"], label["verdict"], said, chance)
