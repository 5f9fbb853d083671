"""The texts and tables of a run's page in Prefect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from environment.records import RunResult, Step
from environment.records.display import duration, ended_line, money, number, percent, submission_line, transfer_line
from evaluation.claims.claim import Claim, verdicts_line
from flows.names import action_label
from flows.outcomes import best_line, success_of
from flows.run.telling import effect_line
from flows.text import plain_markdown

SHOWN_STEPS = 20
SHOWN_CLAIMS = 10
LONGEST_ANSWER = 1_500


def step_table(steps: Sequence[Step]) -> str:
    """The latest of some steps, a row each."""
    rows = [
        f"| {step.n} | {plain_markdown(action_label(step.decision.action))} | "
        f"{plain_markdown(effect_line(step.effect))} | {_times(step)} |"
        for step in steps[-SHOWN_STEPS:]
    ]
    return "\n".join(["| step | action | result | model | carried out |", "| --- | --- | --- | --- | --- |", *rows])


def result_page(result: RunResult, links: Mapping[str, str], answer: str, claims: Sequence[Claim]) -> str:
    """Who did what, where the rest lies, all figures, the final answer, and what of it is not true.

    The result in a line is the artifact's description, which Prefect shows above it.

    Args:
        result: The run's.
        links: Addresses of other pages, by name.
        answer: The final answer, as the agent wrote it.
        claims: All claims of the run.
    """
    whose = f"**{plain_markdown(result.agent)}** on **{plain_markdown(result.task)}**"
    false = [claim for claim in claims if claim.verdict.is_problem]
    parts = [
        f"{whose}, {result.data} data, seed {result.seed}",
        " · ".join(_link(name, address) for name, address in links.items()),
        "\n".join(["| figure | value |", "| --- | --- |", *_figure_rows(result)]),
        f"### Final answer\n\n> {plain_markdown(_cut(answer))}" if answer else "",
        "\n".join(["### What does not stand up", "", *map(_claim_line, false[:SHOWN_CLAIMS])]) if false else "",
        f"{len(false) - SHOWN_CLAIMS} more stand in the report." if len(false) > SHOWN_CLAIMS else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _link(name: str, address: str) -> str:
    """A link, or an address to copy: browsers open no file from a page of a server."""
    return f"{name}: `{address}`" if address.startswith("file:") else f"[{name}]({address})"


def _claim_line(claim: Claim) -> str:
    seen = f"; step {claim.evidence_step}: {plain_markdown(claim.evidence)}" if claim.evidence else ""
    why = plain_markdown(claim.note)
    return f"- **{claim.verdict}**, step {claim.step}: “{plain_markdown(claim.quote)}” ({why}{seen})"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]} …"


def _figure_rows(result: RunResult) -> list[str]:
    return [f"| {name} | {plain_markdown(value)} |" for name, value in _figures(result).items()]


def _figures(result: RunResult) -> dict[str, str]:
    figures = {
        "status": result.status.value,
        "ended by": ended_line(result),
        f"score ({result.metric})": number(result.score),
        "baseline": number(result.baseline),
        "reference": number(result.reference),
        "improvement": percent(result.improvement, signed=True),
        "success": success_of(result),
        "submitted": submission_line(result),
        "transferred": transfer_line(result),
        "best step": best_line(result),
        "steps": str(result.steps),
        "training runs": str(result.training_runs),
        "claims": verdicts_line(result.claims),
        "cost": "unknown" if result.cost is None else money(result.cost),
        "time": duration(result.seconds),
        "error": result.error or result.invalid_submission or "",
    }
    return {name: value for name, value in figures.items() if value}


def _times(step: Step) -> str:
    model = sum(call.seconds + call.waited_seconds for call in step.calls)
    return f"{duration(model)} | {duration(step.effect.seconds)}"
