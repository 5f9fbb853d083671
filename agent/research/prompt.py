"""The prompt of the research agent, in named sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.answers.parsing import ACTION, ACTION_INPUT, FACT_CHECK, PLAN, REFLECTION, THOUGHT
from agent.prompts.briefing import briefing, left
from agent.prompts.transcript import BLOCKS, described
from agent.protocol import View
from agent.research.settings import ResearchSettings
from environment.actions.spec import ActionSpec

_ROLE = """You are a researcher in machine learning. You work in a folder that holds a task: its data, starter \
code and what you add. You act by naming one action at a time, and see what came of it before you name the next."""

_NO_INVENTIONS = (
    "- Never state a number that you have not seen in an observation. Never call an improvement what was not measured."
)
_RULES = """Keep to these rules:
- Measure the starter as it is before you change anything, so that you know what to compare with.
- Change one thing at a time where you can, and run the script to see what it does. Only what a run printed is a result.
- Use the libraries that are installed; nothing can be downloaded.
- Prefer simple ways, and stop when what is left of the budget cannot bring more.
- Give the final answer once, at the end: it submits the workspace as it is and cannot be taken back."""

_ENTRIES: Mapping[str, tuple[str, str]] = {
    "reflection": (
        REFLECTION,
        "what the last observation means. If it was an error: what caused it and how to mend it.",
    ),
    "plan": (
        PLAN,
        "the whole plan, step by step, with what was done and measured for each step. Only what observations have "
        "confirmed counts as done.",
    ),
    "fact_check": (
        FACT_CHECK,
        "each statement of fact that is new in the plan, and for each whether it is a guess or directly confirmed by "
        "an observation, and by which.",
    ),
    "thought": (THOUGHT, "what to do now, and why."),
}
_ACT: Mapping[str, tuple[str, str]] = {
    "action": (ACTION, "the name of one action, as listed above."),
    "action_input": (
        ACTION_INPUT,
        "the action's input, one JSON object with the keys listed for it; (optional) ones may be left out.",
    ),
}


def system_sections(view: View, actions: Sequence[ActionSpec], settings: ResearchSettings) -> dict[str, str]:
    """What stays the same from step to step, by name and in order."""
    switched = settings.model_dump()
    entries = {name: entry for name, entry in _ENTRIES.items() if switched[name]} | dict(_ACT)
    if settings.is_todays:
        return _todays(view, actions, entries, honesty_rules=settings.honesty_rules)
    return {
        "role": _ROLE,
        "actions": f"These are the actions:\n\n{described(actions)}",
        "problem": f"The problem:\n{view.instruction}",
        "rules": f"{_RULES}\n{_NO_INVENTIONS}" if settings.honesty_rules else _RULES,
        "format": "Answer with these entries, each beginning on a new line with its name:",
        **_entry_sections(entries),
    }


def _todays(
    view: View, actions: Sequence[ActionSpec], entries: Mapping[str, tuple[str, str]], *, honesty_rules: bool
) -> dict[str, str]:
    sections = briefing(view, honesty_rules=honesty_rules) | {"Actions": described(actions)}
    return {
        "role": _ROLE,
        **{name: f"## {name}\n{text}" for name, text in sections.items()},
        "format": "## Format\nAnswer with these entries, each beginning on a new line with its name. Be brief, and "
        "leave an entry before the Action out where there is nothing to say.",
        **_entry_sections(entries),
        "blocks": BLOCKS,
    }


def _entry_sections(entries: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    return {f"entry {name}": f"{title}: {text}" for name, (title, text) in entries.items()}


def step_sections(
    view: View, settings: ResearchSettings, *, recalled: str, steps: str, complete: bool
) -> dict[str, str]:
    """What is new at each step, by name and in order.

    Args:
        view: What the agent sees.
        settings: Whose prompts.
        recalled: What the research log says that matters now; empty without a log.
        steps: The last steps as text.
        complete: Whether these are all.
    """
    sections = {"log": f"From your research log:\n{recalled}"} if recalled else {}
    heading = "Your steps so far" if complete and settings.is_todays else "Your last steps"
    sections["history"] = f"{heading}:\n\n{steps}" if steps else "Nothing was done so far."
    if settings.is_todays:
        return sections | {"next": f"{left(view)} Give your next answer."}
    sections["next"] = f"This is step {len(view.steps)}.{_left(view)} Give your next answer."
    return sections


def _left(view: View) -> str:
    left = []
    if view.budget.steps is not None:
        left.append(f"{view.budget.steps - view.spent.steps} steps")
    if view.budget.seconds is not None:
        left.append(f"{max(view.budget.seconds - view.spent.wall_seconds, 0) / 60:.0f} minutes")
    return f" {' and '.join(left)} are left." if left else ""
