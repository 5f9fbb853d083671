"""A person at the terminal: the same actions, budgets and trajectory as any other agent."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click
from pydantic import JsonValue
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.prompt import Prompt
from rich.table import Table
from rich.text import Text

from agent.errors import AgentError
from agent.protocol import AgentContext, View
from agent.stateless import Stateless
from environment.actions.spec import ActionSpec
from environment.records import Action, Decision

_END_OF_TEXT, _EDITOR, _EXPLAIN = ".", ":e", "?"


class HumanAgent(Stateless):
    """Asks a person for a thought, an action and its arguments.

    Args:
        context: Settings and seed; a person needs none of them.
        console: Where the person reads and writes.
    """

    def __init__(self, context: AgentContext, console: Console | None = None) -> None:
        del context
        self._console = console or Console(markup=False, emoji=False)
        self._has_explained = False

    def decide(self, view: View) -> Decision:
        """Show what came back, and ask what to do.

        Raises:
            AgentError: Nobody can answer.
        """
        self._show(view)
        try:
            return self._decided(view)
        except EOFError as error:
            raise AgentError("Nobody can answer: standard input has ended", hint="Go on at a terminal.") from error

    def _decided(self, view: View) -> Decision:
        thought = self._asked("What do you think?", "may be empty", may_be_empty=True)
        spec = self._chosen(view.actions)
        args = {name: self._argument(spec, name, explanation) for name, explanation in spec.usage.items()}
        given: dict[str, JsonValue] = {name: value for name, value in args.items() if value is not None}
        return Decision(prose={"thought": thought} if thought else {}, action=Action(name=spec.name, args=given))

    def _chosen(self, actions: Sequence[ActionSpec]) -> ActionSpec:
        """The action that is typed: its number, its name, or as much of it as tells it from the others."""
        while True:
            typed = self._asked("Which action?").strip().lower()
            numbered = {str(i): spec for i, spec in enumerate(actions, 1)}
            named = {spec.name.lower(): spec for spec in actions}
            begun = [spec for name, spec in named.items() if typed and name.startswith(typed)]
            if spec := numbered.get(typed) or named.get(typed) or (begun[0] if len(begun) == 1 else None):
                return spec
            if typed == _EXPLAIN:
                self._explain(actions)
            else:
                self._console.print("Type the number or the name of one of the actions above.", style="red")

    def _explain(self, actions: Sequence[ActionSpec]) -> None:
        table = Table("", "Action", "What it does")
        for i, spec in enumerate(actions, 1):
            table.add_row(str(i), spec.name, spec.description)
        self._console.print(table)
        self._has_explained = True

    def _show(self, view: View) -> None:
        if not view.steps:
            self._console.print(Panel(Markdown(view.instruction), title="The task"))
        else:
            text = view.steps[-1].effect.observation.text
            self._console.print(Panel(Text(text), title=f"Observation of step {len(view.steps) - 1}"))
        left = "" if view.budget.steps is None else f" of {view.budget.steps}"
        self._console.rule(f"Step {len(view.steps)}{left}")
        if self._has_explained:
            names = "  ".join(f"{i} {spec.name}" for i, spec in enumerate(view.actions, 1))
            self._console.print(Text(f"{names}  {_EXPLAIN} what they do", style="dim"))
        else:
            self._explain(view.actions)

    def _argument(self, spec: ActionSpec, name: str, explanation: str) -> JsonValue:
        """One argument; what the schema calls no string is read as JSON, a text may take several lines."""
        schema = _property(spec, name)
        if "content" in name or "command" in name:
            self._console.print(
                f"{name}: {explanation} (end with a line that holds only '{_END_OF_TEXT}'; "
                f"'{_EDITOR}' as the first line opens $EDITOR)"
            )
            return self._lines()
        required = name in _required(spec)
        typed = self._asked(name, explanation, may_be_empty=not required)
        if not typed and not required:
            return None
        return typed if schema.get("type") == "string" else _json_or_text(typed)

    def _asked(self, question: str, note: str = "", *, may_be_empty: bool = False) -> str:
        prompt = Text.assemble(question, (f" ({note})" if note else "", "dim"))
        if may_be_empty:
            return Prompt.ask(prompt, console=self._console, default="", show_default=False)
        return Prompt.ask(prompt, console=self._console)

    def _lines(self) -> str:
        lines: list[str] = []
        while (line := self._console.input()) != _END_OF_TEXT:
            if line != _EDITOR or lines:
                lines.append(line)
            elif (text := self._edited()) is not None:
                return text
        return "\n".join(lines) + "\n"

    def _edited(self) -> str | None:
        """What the person wrote in the editor; ``None`` where it failed, which is no reason to end the run."""
        try:
            return click.edit("", require_save=False) or ""
        except click.ClickException as error:
            said = f"{error.format_message()}. Write the text here, or '{_EDITOR}' to try again."
            self._console.print(Text(said, style="red"))
            return None


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
