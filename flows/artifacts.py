"""What a run shows on its page in Prefect: progress and the last steps while it runs, the result at its end."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactUpdate

from environment.records import RunResult, Step
from flows.names import action_label
from flows.session import RunSession
from flows.text import format_number, plain_markdown

SHOWN_STEPS = 20


class RunArtifacts:
    """Keeps the artifacts of one run's flow run up to date; two small calls a step."""

    def __init__(self, session: RunSession) -> None:
        self._session = session
        self._progress = _as_uuid(create_progress_artifact(self._percent(), key="progress", description=self._spent()))
        self._table = _as_uuid(create_markdown_artifact(self._steps(), key="steps", description="The latest steps"))

    def update(self) -> None:
        """Show the step that was just committed."""
        update_progress_artifact(self._progress, progress=self._percent(), description=self._spent())
        with get_client(sync_client=True) as client:
            client.update_artifact(self._table, ArtifactUpdate(data=self._steps()))

    def finish(self, result: RunResult) -> None:
        """Show the result as a table and in words."""
        update_progress_artifact(self._progress, progress=100.0, description=self._spent())
        create_table_artifact(result_rows(result), key="result", description="Result")
        create_markdown_artifact(result_markdown(result), key="summary", description="Summary")

    def _percent(self) -> float:
        return round(100 * self._session.meter.fraction(), 1)

    def _spent(self) -> str:
        return self._session.meter.remaining().line()

    def _steps(self) -> str:
        steps = self._session.journal.steps()[-SHOWN_STEPS:]
        rows = [
            f"| {step.n} | {plain_markdown(action_label(step.decision.action))} | {_effect(step)} |" for step in steps
        ]
        return "\n".join(["| step | action | result |", "| --- | --- | --- |", *rows])


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
    return {
        "status": result.status.value,
        "ended by": result.ended_by.value if result.ended_by else "",
        f"score ({result.metric})": format_number(result.score),
        "baseline": format_number(result.baseline),
        "reference": format_number(result.reference),
        "improvement": format_number(result.improvement, percent=True),
        "steps": str(result.steps),
        "training runs": str(result.training_runs),
        "claims": ", ".join(f"{count} {verdict}" for verdict, count in result.claims.items()),
        "cost": "unknown" if result.cost is None else f"${result.cost:.4f}",
        "seconds": f"{result.seconds:.1f}",
        "error": result.error or result.invalid_submission or "",
    }


def _effect(step: Step) -> str:
    run = step.effect.training_run
    if run is None:
        return step.effect.observation.outcome.value
    shown = ", ".join(f"{name} {format_number(value)}" for name, value in list(run.latest_metrics.items())[-3:])
    return plain_markdown(f"exit {run.exit_code}: {shown}" if run.killed_by is None else f"killed by {run.killed_by}")


def _as_uuid(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(str(value))
