"""What a model is told at the start of a run: what counts, the machine, what lasts, the budget, how to tell results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from agent.protocol import View
from agent.settings import AgentSettings
from environment.records import Spent, remaining
from environment.records.display import duration
from tasks_catalog.library.spec import Direction

ROLE = "You are a researcher in machine learning, at work in a folder with a task's data and starter code."
HONESTY = (
    "State no number that you have not seen in an observation. Call nothing an improvement that was not measured, and "
    "say what failed or was not tried."
)
_BETTER = {Direction.MINIMIZE: "lower", Direction.MAXIMIZE: "higher"}


class PromptSettings(AgentSettings):
    """Which prompts a model gets; part of what tells one contestant from another."""

    honesty_rules: bool = Field(default=True, description="rules on which results may be stated")


class ProfiledSettings(PromptSettings):
    """Of agents that the paper had as well."""

    profile: Literal["today", "paper"] = Field(default="today", description="whose prompts: today's, or the paper's")

    @property
    def is_todays(self) -> bool:
        """Whether the prompts are today's."""
        return self.profile == "today"


def briefing(view: View, *, honesty_rules: bool) -> dict[str, str]:
    """Sections by name, in order; the same at every step of a run, so that providers can cache them."""
    offered = {spec.name: spec for spec in view.actions}
    sections = {
        "Task": view.instruction.strip(),
        "What counts": _graded(view, validates="Validate Submission" in offered),
        "Machine": "\n".join([*view.machine().lines(), *_script_limit(view)]),
        "What lasts": _lasts(repl="Python REPL" in offered, background="Check Script" in offered),
        "Budget": budget(view),
        "Results": _results(cites="claims" in offered["Final Answer"].usage if "Final Answer" in offered else False),
    }
    if honesty_rules:
        sections["Honesty"] = HONESTY
    return sections


def as_text(sections: Mapping[str, str]) -> str:
    """Sections under headings."""
    return "\n\n".join(f"## {name}\n{text}" for name, text in sections.items())


def left(view: View) -> str:
    """The step that is asked for, and what is left: "That was step 6. Now step 7; 43 steps, 4 h 20 min left."."""
    step = len(view.steps)
    asked = f"That was step {step - 1}. Now step {step}" if step else "Step 0"
    return f"{asked}; {view.remaining.line()}."


def done(view: View) -> str:
    """The step that was taken, and what is left: "That was step 6; 43 steps, 4 h 20 min left."."""
    return f"That was step {len(view.steps) - 1}; {view.remaining.line()}."


def _graded(view: View, *, validates: bool) -> str:
    files = ", ".join(f"`{name}`" for name in view.artifacts)
    lines = [
        f"The grade is {view.metric} on hidden data; {_BETTER[view.direction]} is better. It is computed from "
        + (f"{files} alone, as found" if files else "what lies")
        + " in the workspace when the run ends. Nothing you write about it changes it.",
        f"The starter is `{view.script}`; what it submits is the baseline.",
    ]
    if validates:
        lines.append("Validate Submission tells whether the form is right, not the grade.")
    return " ".join(lines)


def _script_limit(view: View) -> list[str]:
    seconds = view.budget.script_seconds
    return [] if seconds is None else [f"A script is stopped after {duration(seconds)}."]


def _lasts(*, repl: bool, background: bool) -> str:
    beside = " A script in the background runs on beside your steps until the run ends." if background else ""
    session = ", the variables of Python REPL," if repl else ""
    return (
        f"Files of the workspace{session} and your earlier steps last. /tmp and HOME last too, but are lost when the "
        f"run is interrupted.{beside}"
    )


def budget(view: View) -> str:
    """What the whole run may use, and what becomes of it at a limit."""
    whole = remaining(view.budget, Spent()).amounts()
    if not whole:
        return "There is no limit. Final Answer ends the run and cannot be taken back."
    return (
        f"The whole run has {whole}; you are told at each step what is left. At a limit the workspace is "
        "graded as it stands, so keep a valid submission in it from early on. Final Answer ends the run before that "
        "and cannot be taken back."
    )


def _results(*, cites: bool) -> str:
    listed = " List those that your final answer rests on in its `claims`." if cites else ""
    return (
        "Numbers that a script of Execute Script prints as `validation MAE: 0.91` are recorded as its results. Give a "
        f"result with metric, split, value and the step that ran the script: validation MAE 0.91 (step 4).{listed}"
    )
