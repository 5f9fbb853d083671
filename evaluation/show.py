"""A trajectory in the terminal: what was written, done and seen, with the verdicts on what was claimed.

All text of agents and scripts passes through ``harmless`` and reaches the terminal as plain text, so
that neither escape sequences nor Rich's own markup in it can act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from environment.journal.entries import Journal
from environment.records import Outcome, RunResult, Step, Thresholds, TrainingRun
from environment.records.display import (
    NONE,
    card_use,
    count,
    duration,
    ended_line,
    latest_metrics,
    money,
    number,
    percent,
    script_ending,
    shares,
    submission_line,
    transfer_line,
)
from environment.store import Store
from evaluation.claims.claim import Claim, Verdict, verdicts_line
from evaluation.process.measures import KindUse, measure
from evaluation.report.changes import FileChange
from evaluation.report.collect import read_run
from evaluation.report.model import ReportRun
from evaluation.statistics.entries import is_graded, why_ungraded
from foundation.text import visible

LONGEST_TEXT = 4_000
NARROW = 60
"""Columns below which what otherwise stands side by side stands one below the other."""
DIFF_HEAD = 3  # lines of a diff before its content
STYLES = {
    Verdict.SUPPORTED: ("✓", "green"),
    Verdict.CONTRADICTED: ("✕", "bold red"),
    Verdict.UNSUPPORTED: ("?", "yellow"),
    Verdict.UNCHECKABLE: ("~", "dim"),
}


def harmless(text: str) -> str:
    """The text with every character that drives a terminal, or hides or reorders text, made visible."""
    return visible(text.expandtabs(4))


def render(journal: Journal, steps: Sequence[Step], store: Store) -> RenderableType:
    """The steps of a run, with the run's figures above them.

    Args:
        journal: The run's.
        steps: The steps to show, some or all of the run's.
        store: Where the run lies.
    """
    run = read_run(store, journal.run_id, journal=journal)
    cut = len(steps) > 1
    return Group(head(run), *(part for step in steps for part in _step(step, run, cut)))


def head(run: ReportRun) -> RenderableType:
    """What came out of a run, in a panel."""
    result = run.result
    claims = Counter[str](claim.verdict for claim in run.claims)
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
        ("claims", verdicts_line(claims) or NONE),
    ]
    measures = measure(run.steps)
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


def _step(step: Step, run: ReportRun, cut: bool) -> Iterator[RenderableType]:
    outcome = step.effect.observation.outcome
    title = Text.assemble((f"{step.n} ", "bold cyan"), (harmless(step.decision.action.name), "bold"))
    if outcome is not Outcome.OK:
        title.append(f"  {outcome}", style="red")
    title.append(f"  {duration(step.effect.seconds)}", style="dim")
    if step.n < len(run.grades):
        title.append(f"  hidden score {number(run.grades[step.n].score)}", style="dim")
    yield Text()
    yield Rule(title, align="left", style="dim")
    claims = [claim for claim in run.claims if claim.step == step.n]
    for entry, text in step.decision.prose.items():
        yield _labelled(entry, _marked(_cut(text, cut), [claim for claim in claims if claim.field == entry]))
    for claim in claims:
        yield Padding(claimed(claim), (0, 0, 0, 2))
    for name, value in step.decision.action.args.items():
        yield _labelled(name, Text(_cut(harmless(str(value)), cut)))
    for change in run.changes.get(step.n, ()):
        yield _changed(change, cut)
    if step.effect.training_run:
        yield _training(step.effect.training_run)
    yield _labelled("observation", _coloured(_cut(harmless(step.effect.observation.text), cut)))


def _changed(change: FileChange, cut: bool) -> RenderableType:
    """A changed file; of a new one, a whole trajectory tells the name and size alone."""
    label = f"{change.path} {change.kind}"
    if cut and change.kind == "added":
        return Text(harmless(f"{label}, {max(0, len(change.diff.splitlines()) - DIFF_HEAD)} lines"), style="dim")
    return _labelled(label, _coloured(_cut(harmless(change.diff), cut)))


def _labelled(label: str, text: Text) -> RenderableType:
    return Group(Text(harmless(label.replace("_", " ")), style="dim"), Padding(text, (0, 0, 0, 2)))


def _marked(text: str, claims: Sequence[Claim]) -> Text:
    marked = Text(harmless(text))
    for claim in claims:
        quote = harmless(claim.quote)
        at = marked.plain.find(quote)
        if at >= 0:
            marked.stylize(f"underline {STYLES[claim.verdict][1]}", at, at + len(quote))
    return marked


def claimed(claim: Claim) -> Text:
    """A claim on one line: its verdict, its words, and what decides."""
    sign, style = STYLES[claim.verdict]
    line = Text.assemble((f"{sign} {claim.verdict}", style), "  ", harmless(claim.quote))
    if claim.evidence is not None:
        line.append(f"  step {claim.evidence_step}: {harmless(claim.evidence)}", style="dim")
    elif claim.note:
        line.append(f"  {harmless(claim.note)}", style="dim")
    return line


def _training(run: TrainingRun) -> Text:
    return Text.assemble(
        ("training run ", "dim"),
        f"{harmless(run.id)}  {script_ending(run)}  {duration(run.seconds)}  {shares(run)}  ",
        (harmless(latest_metrics(run)), "cyan"),
        *(f"\n  {harmless(card_use(use))}" for use in run.gpus),
    )


def _coloured(text: str) -> Text:
    """A unified diff in colours; other text as it is."""
    if "\n@@ " not in f"\n{text}":
        return Text(text)
    styles = {"+": "green", "-": "red", "@": "cyan"}
    return Text("\n").join(Text(line, style=styles.get(line[:1], "")) for line in text.split("\n"))


def _cut(text: str, cut: bool) -> str:
    """In a whole trajectory, long texts lose their middle; a single step is shown in full."""
    if not cut or len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]}\n[… {len(text) - LONGEST_TEXT:,} characters; --step shows all …]\n{text[-half:]}"
