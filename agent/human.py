"""A person at the terminal: the same actions, budgets and trajectory as any other agent."""

from __future__ import annotations

import json

from pydantic import JsonValue
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.prompt import Prompt
from rich.table import Table
from rich.text import Text

from agent.protocol import AgentContext, View
from agent.stateless import Stateless
from environment.actions.spec import ActionSpec
from environment.records import Action, Decision

_END_OF_TEXT = "."


class HumanAgent(Stateless):
    """Asks a person for a thought, an action and its arguments.

    Args:
        context: Settings and seed; a person needs none of them.
        console: Where the person reads and writes.
    """

    def __init__(self, context: AgentContext, console: Console | None = None) -> None:
        del context
        self._console = console or Console()

    def decide(self, view: View) -> Decision:
        """Show what came back, and ask what to do."""
        self._show(view)
        thought = Prompt.ask("What do you think? [dim](may be empty)[/dim]", console=self._console, default="")
        numbers = [str(i) for i in range(1, len(view.actions) + 1)]
        chosen = Prompt.ask("Which action?", console=self._console, choices=numbers, show_choices=False)
        spec = view.actions[int(chosen) - 1]
        args = {name: self._argument(spec, name, explanation) for name, explanation in spec.usage.items()}
        given: dict[str, JsonValue] = {name: value for name, value in args.items() if value is not None}
        return Decision(prose={"thought": thought} if thought else {}, action=Action(name=spec.name, args=given))

    def _show(self, view: View) -> None:
        if not view.steps:
            self._console.print(Panel(Markdown(view.instruction), title="The task"))
        else:
            text = view.steps[-1].effect.observation.text
            self._console.print(Panel(Text(text), title=f"Observation of step {len(view.steps) - 1}"))
        left = "" if view.budget.steps is None else f" of {view.budget.steps}"
        table = Table("", "Action", "What it does", title=f"Step {len(view.steps)}{left}")
        for i, spec in enumerate(view.actions, 1):
            table.add_row(str(i), spec.name, spec.description)
        self._console.print(table)

    def _argument(self, spec: ActionSpec, name: str, explanation: str) -> JsonValue:
        """One argument; what the schema calls no string is read as JSON, a text may take several lines."""
        schema = _property(spec, name)
        if "content" in name or "command" in name:
            self._console.print(
                f"{name}: {explanation} (end with a line that holds only '{_END_OF_TEXT}')", markup=False
            )
            return self._lines()
        required = name in _required(spec)
        question = f"{name} [dim]({explanation})[/dim]"
        typed = (
            Prompt.ask(question, console=self._console)
            if required
            else Prompt.ask(question, console=self._console, default="")
        )
        if not typed and not required:
            return None
        return typed if schema.get("type") == "string" else _json_or_text(typed)

    def _lines(self) -> str:
        lines: list[str] = []
        while (line := self._console.input()) != _END_OF_TEXT:
            lines.append(line)
        return "\n".join(lines) + "\n"


def _property(spec: ActionSpec, name: str) -> dict[str, object]:
    properties = spec.input_schema.get("properties")
    found = properties.get(name) if isinstance(properties, dict) else None
    return found if isinstance(found, dict) else {}


def _required(spec: ActionSpec) -> list[object]:
    required = spec.input_schema.get("required")
    return required if isinstance(required, list) else []


def _json_or_text(typed: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(typed)
    except json.JSONDecodeError:
        return typed
    return value
