"""Names in MLflow: allowed by it, different where they were different, and the originals kept."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from mlflow.utils.validation import path_not_unique, validate_param_and_metric_name

from environment.mlflow.names import NAME_TAG, key_of, metric_key, titles_of
from environment.records import MetricPoint

NAMES = st.text(alphabet="ab<>@%=:/. ()_-|ü\x00", max_size=12) | st.text(max_size=400)


@settings(max_examples=300, deadline=None)
@given(st.sets(NAMES, min_size=2, max_size=30))
def test_different_names_stay_different(names: set[str]) -> None:
    keys = {metric_key(name) for name in names}
    assert len(keys) == len(names)
    for key in keys:
        assert validate_param_and_metric_name(f"training/{key}")  # type: ignore[no-untyped-call]
        assert not path_not_unique(f"training/{key}")  # type: ignore[no-untyped-call]


def test_keys_can_be_read() -> None:
    assert metric_key("validation/loss") == "validation/loss"
    assert metric_key("hit@5") == "hit:at:5"
    assert {metric_key("age<40 acc"), metric_key("age>40 acc")} == {"age:lt:40 acc", "age:gt:40 acc"}


def test_originals_are_tags() -> None:
    points = [
        MetricPoint(name="hit@5", value=0.7, split="test"),
        MetricPoint(name="loss", value=0.1, split="train", part="cora"),
        MetricPoint(name="acc", value=0.9, split="test", source="file", file="results.json", key="test.acc%"),
    ]
    assert [key_of(point) for point in points] == ["test/hit:at:5", "cora/train/loss", "results.json/test.acc:pct:"]
    assert titles_of(points) == {
        f"{NAME_TAG}test/hit:at:5": "test hit@5",
        f"{NAME_TAG}results.json/test.acc:pct:": "results.json: test.acc%",
    }
