"""A trajectory in the terminal, a line a step: what was done, how it ended, and what was said that is not so."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from environment.journal.entries import Journal
from environment.records import Outcome, Step
from environment.records.display import duration, latest_metrics
from environment.store import Store
from evaluation.claims.claim import Claim
from evaluation.head import NARROW, claimed, harmless, head
from evaluation.report.kept import claims_of, read_kept

_TARGETS = ("script_name", "file_name", "save_name", "script_path", "file_path", "dir_path", "command")
"""Arguments that say what an action is about."""


def overview(journal: Journal, steps: Sequence[Step], store: Store) -> RenderableType:
    """A run's figures and a line for each step; below it, each of its statements that does not stand up.

    Args:
        journal: The run's.
        steps: Its steps.
        store: Where it lies.
    """
    run = read_kept(store, journal)
    claims = claims_of(store, run)
    shown = head(run.result, run.steps, claims)
    hint = Text(f"mlab show {journal.run_id} --step N shows a step whole, --full all of them.", style="dim")
    return Group(shown, *(part for step in steps for part in _step(step, claims)), Text(), hint)


def _step(step: Step, claims: Sequence[Claim]) -> Iterator[RenderableType]:
    yield _Line(step)
    for claim in claims:
        if claim.step == step.n and claim.verdict.is_problem:
            yield Padding(claimed(claim), (0, 0, 0, 5))


@dataclass
class _Line:
    """One step: in a window, or in columns that somebody asks for, cut to their width; in a pipe whole."""

    step: Step

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        outcome, effect = self.step.effect.observation.outcome, self.step.effect
        cells = (
            Text(str(self.step.n), style="bold cyan"),
            Text(_done(self.step)),
            Text(outcome.value, style="" if outcome is Outcome.OK else "red"),
            Text(duration(effect.seconds), style="dim"),
            Text(harmless(latest_metrics(effect.training_run)) if effect.training_run else "", style="cyan"),
        )
        in_window = options.is_terminal or "COLUMNS" in os.environ
        if in_window and options.max_width < NARROW:
            yield _in_window(cells[:-1], narrow=True)
            if cells[-1]:
                yield Padding(cells[-1], (0, 0, 0, 5))
        elif in_window:
            yield _in_window(cells)
        else:
            yield Text("  ", no_wrap=True, overflow="ignore").join(filter(None, cells))


def _in_window(cells: Sequence[Text], *, narrow: bool = False) -> Table:
    """A line of a step's cells; in a narrow window without the last one, which then has a line of its own."""
    line = Table.grid(padding=(0, 2), expand=True)
    line.add_column(width=3, justify="right")
    line.add_column(ratio=2, no_wrap=True, overflow="ellipsis")
    line.add_column(width=None if narrow else 8)
    line.add_column(width=None if narrow else 9, justify="right")
    if not narrow:
        line.add_column(ratio=2, no_wrap=True, overflow="ellipsis")
    line.add_row(*cells)
    return line


def _done(step: Step) -> str:
    action = step.decision.action
    target = next((str(action.args[name]) for name in _TARGETS if action.args.get(name)), "")
    return " ".join(harmless(f"{action.name} {target}").split())
