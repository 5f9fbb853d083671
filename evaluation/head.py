"""The head of what the terminal shows of a run, and its claims line by line.

All text of agents and scripts passes through ``harmless`` and reaches the terminal as plain text, so
that neither escape sequences nor Rich's own markup in it can act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from environment.records import RunResult, Step, Thresholds
from environment.records.display import (
    NONE,
    count,
    duration,
    ended_line,
    money,
    number,
    percent,
    submission_line,
    transfer_line,
)
from evaluation.claims.claim import Claim, Verdict, verdicts_line
from evaluation.process.measures import KindUse, measure
from evaluation.statistics.entries import is_graded, why_ungraded
from foundation.text import visible

NARROW = 60
"""Columns below which what otherwise stands side by side stands one below the other."""
STYLES = {
    Verdict.SUPPORTED: ("✓", "green"),
    Verdict.CONTRADICTED: ("✕", "bold red"),
    Verdict.UNSUPPORTED: ("?", "yellow"),
    Verdict.UNCHECKABLE: ("~", "dim"),
}


def harmless(text: str) -> str:
    """The text with every character that drives a terminal, or hides or reorders text, made visible."""
    return visible(text.expandtabs(4))


def head(result: RunResult, steps: Sequence[Step], claims: Sequence[Claim]) -> RenderableType:
    """What came out of a run, in a panel."""
    verdicts = Counter[str](claim.verdict for claim in claims)
    facts = [
        ("agent", result.agent),
        ("model", result.model or NONE),
        ("task", f"{result.task} ({result.data})"),
        ("seed", NONE if result.is_imported else str(result.seed)),
        ("status", ", ended by ".join(filter(None, [result.status, ended_line(result)]))),
        ("success", why_ungraded(result) if not is_graded(result) else "yes" if result.success else "no"),
        (result.metric, f"{number(result.score)} (baseline {number(result.baseline)})"),
        ("improvement", percent(result.improvement, signed=True)),
        ("success above", _thresholds(result.success_at)),
        ("best step", _best(result)),
        ("cost", _cost(result)),
        ("claims", verdicts_line(verdicts) or NONE),
    ]
    measures = measure(steps)
    process = Text(" · ".join(f"{name} {value}" for name, value in measures.facts().items()), style="dim")
    troubles = [text for text in (result.error, result.invalid_submission, *result.integrity) if text]
    warnings = [Text(harmless(text), style="red") for text in troubles]
    return Panel(
        Group(_Facts(facts), *_origins(result), Text(), _kinds(measures.by_kind), process, *warnings),
        title=Text(harmless(result.run_id), style="bold"),
        title_align="left",
    )


@dataclass
class _Facts:
    """Names with values, two of them a row; in a narrow window one, so that none is broken or cut."""

    facts: Sequence[tuple[str, str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        beside = 1 if options.max_width < NARROW else 2
        grid = Table.grid(padding=(0, 3))
        for start in range(0, len(self.facts), beside):
            row = self.facts[start : start + beside]
            styled = ((harmless(text), style) for fact in row for text, style in zip(fact, ("dim", ""), strict=True))
            grid.add_row(*(Text(text, style=style, overflow="fold") for text, style in styled))
        yield grid


def _cost(result: RunResult) -> str:
    tokens = NONE if "tokens" in result.not_counted else f"{result.tokens:,}"
    seconds = None if "seconds" in result.not_counted else result.seconds
    return f"{money(result.cost)}, {tokens} tokens, {duration(seconds)}"


def _origins(result: RunResult) -> Iterator[Text]:
    """Where in its log an imported run has its figures; of a run that chose, which of its steps they are of."""
    for name, origin in (("score", result.score_from), ("baseline", result.baseline_from)):
        if origin:
            yield Text.assemble((f"{name} from  ", "dim"), harmless(origin))
    for name, line in (("submitted", submission_line(result)), ("transferred", transfer_line(result))):
        if line:
            yield Text.assemble((f"{name}  ", "dim"), harmless(line))


def _thresholds(at: Thresholds) -> str:
    return ", ".join(str(threshold) for threshold, above in at.items() if above) + " %" if any(at.values()) else NONE


def _best(result: RunResult) -> str:
    best = result.best
    return f"{best.step}: {number(best.score)}, {percent(best.improvement, signed=True)}" if best else NONE


def _kinds(uses: Sequence[KindUse]) -> Table:
    """Steps, time and tokens by kind of action."""
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("kind of action")
    for name in ("steps", "time", "tokens"):
        table.add_column(name, justify="right")
    timed = any(use.seconds for use in uses)
    for use in uses:
        seconds = duration(use.seconds if timed else None)
        table.add_row(use.kind, str(use.steps or ""), seconds, count(use.tokens) if use.tokens else "")
    return table


def claimed(claim: Claim) -> Text:
    """A claim on one line: its verdict, its words, and what decides."""
    sign, style = STYLES[claim.verdict]
    line = Text.assemble((f"{sign} {claim.verdict}", style), "  ", harmless(claim.quote))
    if claim.evidence is not None:
        line.append(f"  step {claim.evidence_step}: {harmless(claim.evidence)}", style="dim")
    elif claim.note:
        line.append(f"  {harmless(claim.note)}", style="dim")
    return line
