"""Results in words."""

from __future__ import annotations

from environment.records import RunResult, Thresholds
from environment.records.display import number, percent
from evaluation.statistics.entries import NO_BASELINE, is_graded, why_ungraded


def success_line(success: bool, beyond_noise: bool, at: Thresholds, noise_threshold: float | None) -> str:
    """Whether a run succeeded, by each threshold: ``yes; above 5, 10, 15 %; above noise (12.3 %)``."""
    exceeded = ", ".join(str(threshold) for threshold, above in at.items() if above)
    parts = ["yes" if success else "no"]
    if at:
        parts.append(f"above {exceeded} %" if exceeded else "above no threshold")
    if noise_threshold is not None:
        parts.append(f"{'' if beyond_noise else 'not '}beyond noise ({percent(noise_threshold)})")
    return "; ".join(parts)


def success_of(result: RunResult) -> str:
    """Whether the run's end succeeded, by each threshold; nobody knows of a run that was not graded."""
    if not is_graded(result):
        why = why_ungraded(result)
        if why == NO_BASELINE and not result.is_imported:
            return f"{why} to measure it from; mlab tasks verify, on the task's folder, measures one for its task.toml"
        return why
    return success_line(result.success, result.success_beyond_noise, result.success_at, result.noise_threshold)


def best_line(result: RunResult) -> str:
    """The best step and what it reached; empty where the steps were not graded or none has a score."""
    best = result.best
    if best is None:
        return ""
    reached = success_line(best.success, best.success_beyond_noise, best.success_at, result.noise_threshold)
    return f"{best.step} ({number(best.score)}, {percent(best.improvement, signed=True)}); success {reached}"
