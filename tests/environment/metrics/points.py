"""Metric points in short, as tests compare them."""

from __future__ import annotations

from environment.metrics.outputs import parse_metrics
from environment.records import MetricPoint


def brief(point: MetricPoint) -> str:
    """``validation loss=0.5 percent epoch 3``: a point as the expectations below write it."""
    parts = [point.split or "", f"{point.name}={point.value:g}", "" if point.unit == "none" else point.unit]
    if point.epoch is not None:
        parts.append(f"epoch {point.epoch:g}")
    return " ".join(part for part in parts if part)


def found(text: str) -> list[str]:
    return [brief(point) for point in parse_metrics(text)]
