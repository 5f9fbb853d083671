"""The texts and tables of a run's page in Prefect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from environment.records import RunResult, Step
from environment.records.display import duration, latest_metrics, money, number, percent, submission_line
from flows.names import action_label
from flows.text import best_line, plain_markdown, success_of

SHOWN_STEPS = 20
SHOWN_METRICS = 3


def step_table(steps: Sequence[Step]) -> str:
    """The latest of some steps, a row each."""
    rows = [
        f"| {step.n} | {plain_markdown(action_label(step.decision.action))} | {_effect(step)} | {_times(step)} |"
        for step in steps[-SHOWN_STEPS:]
    ]
    return "\n".join(["| step | action | result | model | carried out |", "| --- | --- | --- | --- | --- |", *rows])


def result_rows(result: RunResult) -> list[dict[str, Any]]:
    """One row a figure, as Prefect's table artifact wants it."""
    return [{"figure": name, "value": value} for name, value in _figures(result).items()]


def result_markdown(result: RunResult) -> str:
    """The result in a sentence and a table."""
    verdict = "succeeded" if result.success else "did not succeed"
    lines = [
        f"**{plain_markdown(result.agent)}** on **{plain_markdown(result.task)}** {verdict}.",
        "",
        "| figure | value |",
        "| --- | --- |",
        *(f"| {name} | {plain_markdown(value)} |" for name, value in _figures(result).items()),
    ]
    return "\n".join(lines)


def _figures(result: RunResult) -> dict[str, str]:
    figures = {
        "status": result.status.value,
        "ended by": result.ended_by.value if result.ended_by else "",
        f"score ({result.metric})": number(result.score),
        "baseline": number(result.baseline),
        "reference": number(result.reference),
        "improvement": percent(result.improvement, signed=True),
        "success": success_of(result),
        "submitted": submission_line(result),
        "best step": best_line(result),
        "steps": str(result.steps),
        "training runs": str(result.training_runs),
        "claims": ", ".join(f"{count} {verdict}" for verdict, count in result.claims.items()),
        "cost": "unknown" if result.cost is None else money(result.cost),
        "time": duration(result.seconds),
        "error": result.error or result.invalid_submission or "",
    }
    return {name: value for name, value in figures.items() if value}


def _times(step: Step) -> str:
    model = sum(call.seconds + call.waited_seconds for call in step.calls)
    return f"{duration(model)} | {duration(step.effect.seconds)}"


def _effect(step: Step) -> str:
    run = step.effect.training_run
    if run is None:
        return step.effect.observation.outcome.value
    shown = latest_metrics(run, most=SHOWN_METRICS)
    return plain_markdown(f"exit {run.exit_code}: {shown}" if run.killed_by is None else f"killed by {run.killed_by}")
