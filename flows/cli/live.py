"""The live view of a run in the terminal: each step as it happens, and a summary at the end."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from agent.registry import HUMAN
from environment.budgets import BudgetMeter
from environment.gpus.card import Card, CardSample
from environment.records import Budget, Checkpoint, Decision, Effect, Outcome, RunConfig, RunResult, Spent, run_name
from environment.records.display import (
    NONE,
    busy,
    ended_line,
    latest_metrics,
    number,
    percent,
    shares,
    submission_line,
    transfer_line,
)
from evaluation.claims.claim import verdicts_line
from flows.cli.cpu_share import CpuShare
from flows.consoles import wide_console
from flows.names import action_label
from flows.outcomes import best_line, success_of
from flows.run.observer import Observer
from flows.services.mlflow_server import interface_of
from flows.services.server import is_up
from flows.settings import Settings
from flows.text import one_line

NUMBER_WIDTH, ACTION_WIDTH, OUTCOME_WIDTH, GAP = 3, 28, 7, 2
SHOWN_METRICS = 3
OUTCOME_STYLES = {Outcome.OK: "green", Outcome.REFUSED: "yellow", Outcome.FAILED: "red", Outcome.KILLED: "red"}


class LiveView(Observer):
    """Prints one line a step above a status line; on a terminal that cannot redraw, only the lines."""

    def __init__(self, settings: Settings, console: Console | None = None) -> None:
        self._settings = settings
        self._console = console or wide_console()
        self._status = Text("")
        self._spinner = Spinner("dots")
        self._printed = Text("")
        self._cpu: CpuShare | None = None
        self._gpus: dict[int, float] = {}
        self._budget, self._left_width = Budget(), 0
        self._ui_url = ""
        self._live = Live(console=self._console, refresh_per_second=8, transient=True, get_renderable=self._frame)

    def __enter__(self) -> Self:
        """Start drawing."""
        self._live.start()
        if self._settings.prefect_api_url or is_up(self._settings):
            self._say("asking the Prefect server")
        else:
            self._wait("starting the local Prefect server")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop drawing and leave the lines."""
        self._live.stop()

    def connected(self, ui_url: str, then: str = "preparing the workspace") -> None:
        """The Prefect server answers; say what comes next."""
        self._ui_url = ui_url
        self._wait(then)

    def notice(self, text: str) -> None:
        """Print what somebody should do, and wait on."""
        self._console.print(Text(text, style="yellow"))
        self._cpu, self._gpus = None, {}
        self._say(text)

    def prepared(self, run_id: str, config: RunConfig, budget: Budget, sandbox: str) -> None:
        """Show what runs, and where."""
        self._budget, self._left_width = budget, _widest(budget)
        if config.agent == HUMAN:
            self._live.stop()  # a line that is redrawn and a prompt would overwrite each other
        self._console.print(
            Text.assemble((run_name(config), "bold"), f"  ·  {config.variant} data  ·  {sandbox} sandbox")
        )
        self._console.print(Text(f"run {run_id}", style="dim"))
        self._say("the agent decides")

    def decided(self, n: int, decision: Decision) -> None:
        """Show what is under way."""
        self._cpu, self._gpus = CpuShare(), {}
        self._say(f"step {n:02d} · {one_line(action_label(decision.action))}")

    def output(self, chunk: bytes) -> None:
        """Show the last line a script printed."""
        lines = chunk.decode(errors="replace").splitlines()
        if lines:
            self._printed = Text(one_line(lines[-1]), style="dim", no_wrap=True, overflow="ellipsis")

    def sampled(self, card: Card, sample: CardSample) -> None:
        """Show how busy the card is."""
        if sample.utilisation is not None:
            self._gpus = {**self._gpus, card.index: sample.utilisation}

    def executed(self, n: int, effect: Effect) -> None:
        """Remember how it ended."""
        del n
        self._effect = effect
        self._cpu, self._gpus = None, {}

    def committed(self, n: int, decision: Decision, checkpoint: Checkpoint) -> None:
        """Print the step's line."""
        left = BudgetMeter(self._budget, checkpoint.spent).remaining().line()
        self._console.print(self._step_line(n, decision, left))
        self._say(left)

    def _step_line(self, n: int, decision: Decision, left: str) -> Table:
        """A step in one line: what was measured comes first, then the budget and the machine, where there is room."""
        outcome, run = self._effect.observation.outcome, self._effect.training_run
        action_width = min(ACTION_WIDTH, self._console.width // 3)
        room = self._console.width - NUMBER_WIDTH - action_width - OUTCOME_WIDTH - 3 * GAP
        metrics = latest_metrics(run, most=SHOWN_METRICS) if run else ""
        line = Table.grid(padding=(0, GAP), expand=True)
        line.add_column(width=NUMBER_WIDTH, justify="right")
        line.add_column(width=action_width, no_wrap=True, overflow="ellipsis")
        line.add_column(width=OUTCOME_WIDTH)
        line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        cells = [
            Text(f"{n:02d}", style="dim"),
            Text(one_line(action_label(decision.action))),
            Text(outcome.value, style=OUTCOME_STYLES[outcome]),
            Text(metrics),
        ]
        left = left.rjust(self._left_width + len(left) - cell_len(left))  # so that what stands before it stays in line
        for beside in _that_fit([left, shares(run) if run else ""], room - cell_len(metrics)):
            line.add_column(no_wrap=True, justify="right")
            cells.append(Text(beside, style="dim"))
        line.add_row(*cells)
        return line

    def ending(self, doing: str) -> None:
        """Show what takes its time after the last step."""
        self._say(doing)

    def stopping(self) -> None:
        """Say that it was heard: to write down how things stand takes seconds."""
        self._say("stopping: writing down how things stand")

    def warned(self, text: str) -> None:
        """Print it, above the status line or below the summary."""
        self._console.print(Text(text, style="red"))

    def finished(self, result: RunResult) -> None:
        """Print the summary."""
        self._live.stop()
        self._console.print(summary(result, self._settings, self._ui_url))

    def _wait(self, text: str) -> None:
        """Say what takes long before the first step, also where no line is redrawn."""
        self._say(text)
        if not self._console.is_terminal:
            self._console.print(Text(f"{text} …", style="dim"))

    def _say(self, text: str) -> None:
        self._status, self._printed = Text(text), Text("")

    def _frame(self) -> Group:
        taken = busy(self._cpu.look() if self._cpu else None, self._gpus)
        self._spinner.update(text=self._status + Text(f"  {taken}" if taken else "", style="dim"))
        return Group(self._spinner, *([self._printed] if self._printed else []))


def summary(result: RunResult, settings: Settings, ui_url: str) -> Panel:
    """The result, and where everything lies."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", justify="right")
    table.add_column(overflow="fold")
    for name, value in _summary_rows(result, settings, ui_url):
        table.add_row(name, value)
    style = "green" if result.success else "red" if result.score is None else "yellow"
    return Panel(table, title=Text(f"{result.task} · {result.agent}"), border_style=style, expand=False)


def _summary_rows(result: RunResult, settings: Settings, ui_url: str) -> list[tuple[str, Text]]:
    report = settings.layout.report_of(result.run_id) / "report.html"
    claims = verdicts_line(result.claims) or "none"
    rows = {
        "baseline": f"{number(result.baseline)} {result.metric} ({result.direction}, {result.variant} data)",
        "score": number(result.score),
        "improvement": percent(result.improvement, signed=True),
        "success": success_of(result),
        "submitted": submission_line(result),
        "transferred": transfer_line(result),
        "best step": best_line(result),
        "ended by": ended_line(result) or NONE,
        "steps": str(result.steps),
        "training runs": str(result.training_runs),
        "claims": claims,
        "why not": result.error or result.invalid_submission or "",
        "report": str(report) if report.exists() else f"mlab report {result.run_id}",
        "MLflow": interface_of(settings) or f"{settings.mlflow_uri}  (mlab ui opens it)",
        "Prefect": ui_url,
        "run": f"{result.run_id}  (mlab show {result.run_id})",
    }
    return [(name, Text(one_line(value))) for name, value in rows.items() if value]


def _widest(budget: Budget) -> int:
    """Columns of what is left of a budget at most: "5 h" at first, then "4 h 59 min"."""
    used = (Spent(), Spent(steps=1, wall_seconds=60, working_seconds=60))
    return max(cell_len(BudgetMeter(budget, spent).remaining().line()) for spent in used)


def _that_fit(texts: list[str], room: int) -> list[str]:
    """The first of the texts that find room beside what stands there already, the last of them first."""
    fitting: list[str] = []
    for text in filter(None, texts):
        room -= cell_len(text) + GAP
        if room < 0:
            break
        fitting.insert(0, text)
    return fitting
