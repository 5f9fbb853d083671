"""Check Script and Stop Script: what runs in the background is followed, and ended."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field, NonNegativeFloat, NonNegativeInt

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.execution import describe, printed
from environment.actions.spec import ActionInput
from environment.errors import ActionError
from environment.metrics.outputs import read_metrics
from environment.records import MetricPoint
from environment.records.display import number
from environment.training.background import BackgroundScript
from foundation.text import shown, text_of

CHECK_SCRIPT = "Check Script"
STOP_SCRIPT = "Stop Script"
_MOST_POINTS = 5_000
_SHOWN_POINTS = 12
_SHOWN_CURVES = 8


_BEGUN = Field(default=None, description="step that began the script, where several run in the background")


class CheckScriptInput(ActionInput):
    """Arguments of Check Script."""

    begun: NonNegativeInt | None = _BEGUN
    wait: NonNegativeFloat = Field(default=0, description="seconds to wait for its end before looking")


class StopScriptInput(ActionInput):
    """Arguments of Stop Script."""

    begun: NonNegativeInt | None = _BEGUN


def check_script(context: ActionContext, arguments: CheckScriptInput) -> Reply:
    """How far the script in the background is, or how it ended."""
    script = _script(context, arguments.begun)
    longest = context.limits.timeout
    if script.wait(arguments.wait if longest is None else min(arguments.wait, longest)):
        return ended(context, script)
    output = script.output
    return Reply(f"{script.plan.title} is still running. Output so far:\n{printed(output)}{_curves(output)}")


def stop_script(context: ActionContext, arguments: StopScriptInput) -> Reply:
    """End the script in the background."""
    script = _script(context, arguments.begun)
    script.stop()
    return ended(context, script)


def ended(context: ActionContext, script: BackgroundScript) -> Reply:
    """The reply to the end of a script in the background, with its training run."""
    run, execution = context.background.collect(script, context.step)
    reply = describe(shown(script.plan.script), execution, context, script.plan.limits, training_run=run)
    if script.lost:
        lost = f"{script.plan.title} ended when the run was interrupted; what it had printed is lost. "
        return reply.with_text(f"{lost}It is recorded as the training run of step {context.step}.")
    begun = f"{script.plan.title} has ended; its results are recorded as those of step {context.step}. "
    return reply.with_text(f"{begun}{reply.text}")


def _script(context: ActionContext, begun: int | None) -> BackgroundScript:
    script = context.background.find(begun)
    if script is not None:
        return script
    there = [script.plan.title for script in context.background.scripts]
    if not there:
        raise ActionError("No script runs in the background.", hint="Execute Script with wait: false begins one.")
    if begun is None:
        raise ActionError(f"Several scripts run in the background: {', '.join(there)}.", hint="Name one with begun.")
    raise ActionError(f"No script in the background was begun in step {begun}.", hint=f"There are: {', '.join(there)}.")


def _curves(output: bytes) -> str:
    """The values so far, by name."""
    points = read_metrics(text_of(output), _MOST_POINTS).points
    by_title: dict[str, list[MetricPoint]] = {}
    for point in points:
        by_title.setdefault(point.title, []).append(point)
    lines = [f"{title}: {_curve(values)}" for title, values in list(by_title.items())[:_SHOWN_CURVES]]
    return "\nValues so far:\n" + "\n".join(lines) if lines else ""


def _curve(points: Sequence[MetricPoint]) -> str:
    left_out = "… " if len(points) > _SHOWN_POINTS else ""
    return left_out + ", ".join(number(point.value) for point in points[-_SHOWN_POINTS:])


CHECK_SCRIPT_ACTION = ActionDefinition(
    name=CHECK_SCRIPT,
    description="Looks at a script that runs in the background, begun by Execute Script with wait: false.",
    returns="Its output and its values so far; once it has ended, how, with all it printed.",
    input=CheckScriptInput,
    handler=check_script,
)

STOP_SCRIPT_ACTION = ActionDefinition(
    name=STOP_SCRIPT,
    description="Ends a script that runs in the background.",
    returns="What it had printed; it is recorded as a training run that was stopped.",
    input=StopScriptInput,
    handler=stop_script,
)
