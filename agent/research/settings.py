"""Settings of the research agent: each of its parts can be switched off."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import Field

from agent.prompts.briefing import ProfiledSettings
from agent.prompts.transcript import fitting
from environment.records import Step


class ResearchSettings(ProfiledSettings):
    """Each switch takes away one part of the prompt and leaves the rest as it is."""

    reflection: bool = Field(default=True, description="the entry Reflection")
    plan: bool = Field(default=True, description="the entry Research Plan and Status")
    fact_check: bool = Field(default=True, description="the entry Fact Check")
    thought: bool = Field(default=True, description="the entry Thought")
    log: bool = Field(default=True, description="the Research Log with its summaries and retrieval")
    skills: bool = Field(default=True, description="composite skills besides the environment's actions")
    history: int | None = Field(
        default=None, ge=0, description="past steps in the prompt; default: as many as fit, in the paper's profile 3"
    )
    history_characters: int = Field(default=120_000, ge=1, description="of past steps, where no number is set")
    summary_blocks: int = Field(default=10, ge=1, description="blocks of a long observation that are summarised")
    repairs: int = Field(default=5, ge=0, description="attempts after an answer that cannot be read")

    def shown(self, steps: Sequence[Step], observed: Callable[[Step], str]) -> int:
        """How many of the past steps stand in the prompt."""
        if self.history is not None:
            return min(self.history, len(steps))
        return fitting(steps, self.history_characters, observed=observed) if self.is_todays else min(3, len(steps))
