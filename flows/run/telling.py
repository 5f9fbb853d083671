"""What Prefect is told of steps and results in a line: in logs and in the messages of states."""

from __future__ import annotations

from environment.records import Decision, Effect, RunResult
from environment.records.display import count, counted, duration, latest_metrics, money, number, percent, shares
from flows.names import action_label
from flows.text import one_line

SHOWN_METRICS = 3


def decided_line(decision: Decision) -> str:
    """``decides: Execute Script train.py (3.1 s, 4.2k tokens, $0.01)``."""
    calls = decision.calls
    label = f"decides: {action_label(decision.action)}"
    if not calls:
        return one_line(label)
    tokens = sum(call.prompt_tokens + call.completion_tokens for call in calls)
    costs = [call.cost for call in calls if call.cost is not None]
    used = [duration(sum(call.seconds + call.waited_seconds for call in calls)), f"{count(tokens)} tokens"]
    used += [money(sum(costs))] if len(costs) == len(calls) else []
    return one_line(f"{label} ({', '.join(used)})")


def effect_line(effect: Effect) -> str:
    """``exit 0: validation accuracy 0.822, validation loss 0.4``, or how the action ended."""
    run = effect.training_run
    if run is None:
        return effect.observation.outcome.value
    ended = f"killed by {run.killed_by}" if run.killed_by else f"exit {run.exit_code}"
    return one_line(f"{ended}: {latest_metrics(run, most=SHOWN_METRICS, between=', ')}".removesuffix(": "))


def took_line(effect: Effect) -> str:
    """``12 s, CPU 185 %, GPU 0 37 %``."""
    run = effect.training_run
    return ", ".join(filter(None, (duration(effect.seconds), shares(run) if run else "")))


def step_line(decision: Decision, effect: Effect) -> str:
    """``Execute Script train.py · exit 0: validation accuracy 0.822 · 12 s, CPU 185 %``."""
    return one_line(f"{action_label(decision.action)} · {effect_line(effect)} · {took_line(effect)}")


def result_line(result: RunResult) -> str:
    """``success: accuracy 0.802, +28.8 % against the baseline; 26 claims checked, 5 not borne out``."""
    if result.score is None:
        said = f"no score: {result.invalid_submission or result.error or 'nothing was submitted'}"
    else:
        is_measured = result.improvement is not None
        gain = f", {percent(result.improvement, signed=True)} against the baseline" if is_measured else ""
        said = f"{'success' if result.success else 'no success'}: {result.metric} {number(result.score)}{gain}"
    return one_line(f"{said}; {claims_line(result)}")


def claims_line(result: RunResult) -> str:
    """``26 claims checked, 5 not borne out``."""
    problems = sum(result.claims.get(verdict, 0) for verdict in ("contradicted", "unsupported"))
    checked = f"{counted(sum(result.claims.values()), 'claim')} checked"
    return f"{checked}, {problems} not borne out" if problems else checked
