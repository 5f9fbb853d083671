"""A trajectory in the terminal: what was written, done and seen, with the verdicts on what was claimed.

All text of agents and scripts passes through ``harmless`` and reaches the terminal as plain text, so
that neither escape sequences nor Rich's own markup in it can act.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from environment.journal.entries import Journal
from environment.records import Outcome, Step, TrainingRun
from environment.records.display import (
    card_use,
    duration,
    latest_metrics,
    number,
    script_ending,
    shares,
)
from environment.store import Store
from evaluation.claims.claim import Claim
from evaluation.head import STYLES, claimed, harmless, head
from evaluation.report.changes import FileChange
from evaluation.report.collect import read_run
from evaluation.report.model import ReportRun

LONGEST_TEXT = 4_000
DIFF_HEAD = 3  # lines of a diff before its content


def render(journal: Journal, steps: Sequence[Step], store: Store) -> RenderableType:
    """The steps of a run, with the run's figures above them.

    Args:
        journal: The run's.
        steps: The steps to show, some or all of the run's.
        store: Where the run lies.
    """
    run = read_run(store, journal.run_id, journal=journal)
    cut = len(steps) > 1
    return Group(head(run.result, run.steps, run.claims), *(part for step in steps for part in _step(step, run, cut)))


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
