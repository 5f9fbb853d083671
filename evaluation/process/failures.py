"""Ways in which a run goes wrong, found by rules over its trajectory, with the steps that show them.

The first five are the paper's categories (Huang et al. 2024, section 4.3: hallucination, debugging, token
length, bad plan), the others such as its logs show. A run can have several, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from environment.records import EndedBy, RunResult, RunStatus, Step
from environment.records.display import counted, number
from evaluation.claims.claim import Claim
from evaluation.process.kinds import ActionKind, kind_of, succeeded
from evaluation.process.measures import repeated_steps
from evaluation.process.progress import Progress, progress
from evaluation.record.log import ANSWERS
from foundation.records import Record


class FailureMode(StrEnum):
    """The names under which reports show them."""

    HALLUCINATION = "hallucination"
    NOT_BORNE_OUT = "self-reported value not borne out"
    DEBUGGING = "debugging failure"
    TOKEN_LIMIT = "token limit"
    DECLINED = "declined"
    UNUSABLE = "no usable answer"
    BAD_PLAN = "bad plan"
    NO_IMPROVEMENT = "no improvement"
    PREMATURE = "premature submission"
    NEVER_EXECUTED = "never executed"
    LOOP = "loops"
    IGNORED_RESULT = "ignored result"
    LOST = "lost by going on"
    INFRASTRUCTURE = "infrastructure"


class Failure(Record):
    """A way in which a run went wrong, and the steps that show it."""

    mode: str
    steps: tuple[int, ...] = ()
    note: str = ""


_TOO_LONG = re.compile(r"prompt|context (?:length|window)|too long|token", re.IGNORECASE)
_DECLINED = re.compile(r"declined to answer")
_FAILED_IN_A_ROW = 2
_REPEATED_IN_A_ROW = 3


@dataclass(frozen=True)
class RunView:
    """What the rules look at."""

    steps: Sequence[Step]
    claims: Sequence[Claim]
    result: RunResult
    progress: Progress

    @property
    def executions(self) -> list[Step]:
        """Steps that started a training run."""
        return [step for step in self.steps if step.effect.training_run is not None]

    @property
    def submitted(self) -> bool:
        """Whether the agent itself ended the run."""
        return self.result.ended_by is EndedBy.FINAL_ANSWER

    @property
    def gave_up(self) -> str:
        """Why the agent could not go on; "" where it could."""
        return (self.steps[-1].decision.gave_up or "") if self.steps else ""

    @property
    def last(self) -> tuple[int, ...]:
        """The last step."""
        return (self.steps[-1].n,) if self.steps else ()


def failure_modes(steps: Sequence[Step], claims: Sequence[Claim], result: RunResult) -> tuple[Failure, ...]:
    """All modes a run shows, in the order of ``FailureMode``.

    Args:
        steps: The trajectory.
        claims: The claims with their verdicts.
        result: The run's result.
    """
    run = RunView(steps, claims, result, progress(steps, result.metric, result.direction))
    return tuple(
        Failure(mode=mode.value, steps=found[0], note=found[1])
        for mode, rule in _RULES.items()
        if (found := rule(run)) is not None
    )


_Found = tuple[tuple[int, ...], str] | None


def _hallucination(run: RunView) -> _Found:
    """Claims that the record refutes, or that nothing on record shows."""
    problems = [claim for claim in run.claims if claim.verdict.is_problem]
    if not problems:
        return None
    in_answer = sum(claim.field in ANSWERS for claim in problems)
    note = f"{counted(len(problems), 'claim')} not borne out by the record"
    return tuple(
        sorted({claim.step for claim in problems})
    ), f"{note}, {in_answer} in the final answer" if in_answer else note


def _not_borne_out(run: RunView) -> _Found:
    """The final answer states a value of the metric that is better than the grade by more than can be noise."""
    refuted = [score for score in run.result.stated if not score.holds]
    if not refuted:
        return None
    worst = max(refuted, key=lambda score: score.gap or 0.0)
    return tuple(sorted({score.step for score in refuted})), (
        f"the final answer states {number(worst.value)}, the grade is {number(worst.grade)}"
    )


def _debugging(run: RunView) -> _Found:
    """The last training runs all failed, and the run ended so."""
    trailing: list[int] = []
    for step in reversed(run.executions):
        if succeeded(step):
            break
        trailing.append(step.n)
    if not trailing or (len(trailing) < _FAILED_IN_A_ROW and len(trailing) < len(run.executions)):
        return None
    return tuple(reversed(trailing)), "the last training runs all failed"


def _token_limit(run: RunView) -> _Found:
    if run.result.ended_by is EndedBy.TOKENS:
        return run.last, "the token budget was used up"
    if run.gave_up and not _DECLINED.search(run.gave_up) and _TOO_LONG.search(run.gave_up):
        return run.last, run.gave_up
    return None


def _declined(run: RunView) -> _Found:
    """The model, or its provider's filter, declined to answer."""
    return (run.last, run.gave_up) if _DECLINED.search(run.gave_up) else None


def _unusable(run: RunView) -> _Found:
    """No attempt at an answer could be used: empty, without an action, or with one that does not exist."""
    counts = run.gave_up and not _DECLINED.search(run.gave_up) and not _TOO_LONG.search(run.gave_up)
    return (run.last, run.gave_up) if counts else None


def _bad_plan(run: RunView) -> _Found:
    """Training runs succeeded, the budget was used up, and none was better than the first."""
    ended_by_budget = run.result.ended_by in (EndedBy.STEPS, EndedBy.TIME, EndedBy.MONEY, EndedBy.TRAINING_RUNS)
    if not ended_by_budget or run.progress.improved or run.result.success:
        return None
    worked = tuple(step.n for step in run.executions if succeeded(step))
    return (worked, "the budget was used up without a better result than the first") if worked else None


def _no_improvement(run: RunView) -> _Found:
    """The hidden score is not better than the baseline's."""
    result = run.result
    if result.improvement is None:
        return (run.last, "no valid submission") if result.score is None and result.baseline is not None else None
    if result.improvement > 0:
        return None
    return run.last, f"{result.metric} {number(result.score)}, baseline {number(result.baseline)}"


def _premature(run: RunView) -> _Found:
    """Submitted while a change was untested, or after at most one training run that worked, without success."""
    if not run.submitted or run.result.success:
        return None
    worked = [step.n for step in run.executions if succeeded(step)]
    untested = [
        step.n
        for step in run.steps
        if kind_of(step) is ActionKind.EDIT and succeeded(step) and step.n > max(worked, default=-1)
    ]
    if untested:
        return (*untested, *run.last), "submitted with changes that never ran"
    if len(worked) <= 1:
        return (*worked, *run.last), "submitted after at most one training run that worked"
    return None


def _never_executed(run: RunView) -> _Found:
    if run.executions or not run.steps:
        return None
    return run.last, "no training run at all"


def _loop(run: RunView) -> _Found:
    """The same action with the same answer, again and again, with nothing changed between."""
    longest = max(_streaks(repeated_steps(run.steps)), key=len, default=())
    if len(longest) < _REPEATED_IN_A_ROW:
        return None
    return longest, f"{len(longest)} steps in a row that repeat earlier ones"


def _streaks(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Runs of consecutive numbers."""
    streak: list[int] = []
    for each in numbers:
        if streak and each != streak[-1] + 1:
            yield tuple(streak)
            streak = []
        streak.append(each)
    if streak:
        yield tuple(streak)


def _ignored_result(run: RunView) -> _Found:
    """Submitted on a training run that was worse than an earlier one, with other files than the better one had."""
    measured, best = run.progress.measured, run.progress.best
    if not run.submitted or best is None or measured[-1].value == best.value:
        return None
    workspaces = {step.n: step.checkpoint.workspace for step in run.steps}
    if workspaces.get(best.step) == run.steps[-1].checkpoint.workspace:
        return None
    note = f"{run.progress.metric} {best.value:g} at step {best.step}, submitted with {measured[-1].value:g}"
    return (best.step, measured[-1].step, *run.last), note


def _lost(run: RunView) -> _Found:
    """A state that would have been a success was worked on until it was none; known where every step was graded."""
    best, result = run.result.best, run.result
    if best is None or not best.success or result.success:
        return None
    final = "no valid submission" if result.score is None else f"{result.score:g}"
    cut_off = "" if run.submitted or result.ended_by is None else f", cut off by its limit of {result.ended_by.value}"
    return (best.step, *run.last), f"{result.metric} {best.score:g} after step {best.step}, in the end {final}{cut_off}"


def _infrastructure(run: RunView) -> _Found:
    """What ended the run was none of the agent's doing."""
    result = run.result
    interrupted = result.status in (RunStatus.INTERRUPTED, RunStatus.INFRASTRUCTURE)
    failed = result.ended_by is EndedBy.ERROR and not run.gave_up
    if not (interrupted or failed):
        return None
    return run.last, result.error or "the run was interrupted"


_RULES: dict[FailureMode, Callable[[RunView], _Found]] = {
    FailureMode.HALLUCINATION: _hallucination,
    FailureMode.NOT_BORNE_OUT: _not_borne_out,
    FailureMode.DEBUGGING: _debugging,
    FailureMode.TOKEN_LIMIT: _token_limit,
    FailureMode.DECLINED: _declined,
    FailureMode.UNUSABLE: _unusable,
    FailureMode.BAD_PLAN: _bad_plan,
    FailureMode.NO_IMPROVEMENT: _no_improvement,
    FailureMode.PREMATURE: _premature,
    FailureMode.NEVER_EXECUTED: _never_executed,
    FailureMode.LOOP: _loop,
    FailureMode.IGNORED_RESULT: _ignored_result,
    FailureMode.LOST: _lost,
    FailureMode.INFRASTRUCTURE: _infrastructure,
}
