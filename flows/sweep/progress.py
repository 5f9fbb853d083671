"""The view of a sweep in the terminal: a bar with money and time left, and a line a run."""

from __future__ import annotations

import threading
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from environment.records import RunConfig, run_name
from environment.records.display import counted, duration, money, number, percent
from flows.consoles import plain_console
from flows.sweep.estimate import Estimate, History
from flows.sweep.failures import Failure
from flows.sweep.outcome import CellOutcome, CellState, SweepReport
from flows.sweep.running import Sweep, Watcher
from flows.text import one_line

STYLES = {
    CellState.DONE: "green",
    CellState.AGENT_FAILED: "red",
    CellState.UNFINISHED: "red",
    CellState.NO_MONEY: "yellow",
    CellState.STOPPED: "yellow",
}


class ProgressView(Watcher):
    """Draws the bar while its ``with`` block lasts; on a terminal that cannot redraw, only the lines."""

    def __init__(self, sweep: Sweep, history: History, at_once: int, console: Console | None = None) -> None:
        self._sweep = sweep
        self._history = history
        self._at_once = at_once
        self._console = console or plain_console()
        self._left = {config.run_id: config for config in sweep.to_run}
        self._began: dict[str | None, float] = {}
        self._lock = threading.Lock()
        described = TextColumn("{task.description}", markup=False)
        columns = (TextColumn("{task.completed}/{task.total} runs"), BarColumn(), described)
        self._progress = Progress(*columns, console=self._console, transient=True)
        self._bar = self._progress.add_task("", total=len(sweep.configs), completed=len(sweep.done))

    def __enter__(self) -> ProgressView:
        """Start drawing."""
        self._progress.start()
        self._describe()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop drawing and leave the lines."""
        self._progress.stop()

    def begun(self, config: RunConfig) -> None:
        """Count what is under way, and print the line of a run that was not."""
        with self._lock:
            again = config.run_id in self._began
            self._began.setdefault(config.run_id, time.monotonic())
            self._describe()
        if not again:
            self._line(config, "begun", "dim", "")

    def notice(self, text: str) -> None:
        """Print what somebody should do."""
        self._console.print(Text(text, style="yellow"))

    def failed(self, config: RunConfig, failure: Failure, wait: float) -> None:
        """Print why a run is tried again."""
        self._line(config, "again", "yellow", f"in {wait:.0f} s, after: {failure.message}")

    def ended(self, outcome: CellOutcome) -> None:
        """Print a run's line."""
        with self._lock:
            was_run = self._left.pop(outcome.run_id, None) is not None
            self._began.pop(outcome.run_id, None)
            if was_run and outcome.result is not None:
                self._history.add(outcome.result)
            self._progress.advance(self._bar)
            self._describe()
        self._line(outcome.config, outcome.state.value, STYLES[outcome.state], details(outcome))

    def stopping(self) -> None:
        """Say that it was heard: to write down how things stand takes seconds."""
        self.notice("stopping: the runs under way write down how things stand")

    def _describe(self) -> None:
        expected = self._history.estimate(list(self._left.values()))
        share = self._sweep.budget_share
        cap = f" of {money(share.cap)}" if share.cap is not None else ""
        parts = [
            f"{len(self._began)} under way",
            f"{money(share.spent)}{cap} spent",
            f"{money(expected.cost)} expected",
        ]
        if expected.runs > expected.without_time:
            parts.append(f"{duration(self._seconds_left(expected))} left")
        self._progress.update(self._bar, description=", ".join(parts))

    def _seconds_left(self, expected: Estimate) -> float:
        """Mean of the runs with a known time, for all, less what is done of those under way."""
        mean = expected.seconds / (expected.runs - expected.without_time)
        now = time.monotonic()
        under_way = sum(min(mean, now - began) for began in self._began.values())
        return max(0.0, mean * expected.runs - under_way) / min(self._at_once, max(1, expected.runs))

    def _line(self, config: RunConfig, word: str, style: str, text: str) -> None:
        line = Text.assemble((f"{word:<14}", style), one_line(run_name(config)), f"  {one_line(text)}".rstrip())
        self._console.print(line, soft_wrap=not self._console.is_terminal)


def details(outcome: CellOutcome) -> str:
    """What came out, or why nothing did."""
    if outcome.result is not None:
        result = outcome.result
        if result.score is None:
            return f"no score: {result.invalid_submission or result.error or result.status.value}"
        improvement = percent(result.improvement, signed=True)
        return f"{result.metric} {number(result.score)}, {improvement} against the baseline, {money(outcome.cost)}"
    if outcome.failure is not None:
        return f"{outcome.failure.kind.value}: {outcome.failure.message}"
    return ""


def opening(sweep: Sweep) -> str:
    """One line about a sweep before it begins."""
    graded = f", {len(sweep.ungraded)} to grade by step" if sweep.ungraded else ""
    done, to_do = len(sweep.done), len(sweep.to_run)
    return f"{sweep.spec.name}: {counted(len(sweep.configs), 'run')}, {done} done already, {to_do} to do{graded}"


def summary(report: SweepReport) -> str:
    """One line about a sweep that has ended."""
    counts = ", ".join(f"{count} {state}" for state, count in report.counts.items())
    runs = counted(len(report.cells), "run")
    return f"{report.name}: {runs}, {counts}; {money(report.cost)}; {duration(report.seconds)}"
