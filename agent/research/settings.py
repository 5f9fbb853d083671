"""Settings of the research agent: each of its parts can be switched off."""

from __future__ import annotations

from pydantic import Field

from agent.settings import AgentSettings


class ResearchSettings(AgentSettings):
    """Each switch takes away one part of the prompt and leaves the rest as it is."""

    reflection: bool = Field(default=True, description="the entry Reflection")
    plan: bool = Field(default=True, description="the entry Research Plan and Status")
    fact_check: bool = Field(default=True, description="the entry Fact Check")
    thought: bool = Field(default=True, description="the entry Thought")
    log: bool = Field(default=True, description="the Research Log with its summaries and retrieval")
    skills: bool = Field(default=True, description="composite skills besides the environment's actions")
    history: int = Field(default=3, ge=0, description="past steps in the prompt")
    summary_blocks: int = Field(default=10, ge=1, description="blocks of a long observation that are summarised")
    repairs: int = Field(default=5, ge=0, description="attempts after an answer that cannot be read")
