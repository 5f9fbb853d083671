"""Another coding agent's own command line, at work in the sandbox: its model calls go through the run's gateway."""

from __future__ import annotations

from pydantic import Field

from agent.commands import final_answer, write_file
from agent.errors import AgentSettingsError
from agent.prompts.briefing import PromptSettings, as_text, briefing, left
from agent.protocol import AgentContext, View
from agent.settings import read_settings
from agent.stateless import Stateless
from environment.records import Action, Decision

PROMPT = "PROMPT.md"
"""Where the command finds its task in the workspace."""
_SAID = 2_000
"""Characters of what it printed last that become the final answer."""


class CliSettings(PromptSettings):
    """Settings of ``cli``."""

    command: str = Field(description=f"its command line for sh, run in the workspace; the task lies in {PROMPT}")
    turns: int = Field(default=1, ge=1, description="how often it is run, before the workspace is submitted")


class CliAgent(Stateless):
    """One step a turn: what the command does within it is its own business, its model calls are the run's."""

    def __init__(self, context: AgentContext) -> None:
        self._settings = read_settings(CliSettings, "cli", context.settings)

    def decide(self, view: View) -> Decision:
        """Write the task down, run the command, submit.

        Raises:
            AgentSettingsError: The run offers no models inside the sandbox.
        """
        taken = len(view.steps)
        if taken > self._settings.turns:
            said = view.steps[-1].effect.observation.text[-_SAID:]
            return Decision(action=final_answer(said))
        if not view.machine().models:
            raise AgentSettingsError("the agent cli needs models inside the sandbox", hint="add --gateway")
        if taken == 0:
            told = as_text(briefing(view, honesty_rules=self._settings.honesty_rules))
            return Decision(action=write_file(PROMPT, f"{told}\n\n{left(view)}\n"))
        return Decision(action=Action(name="Run Shell Command", args={"command": self._settings.command}))
