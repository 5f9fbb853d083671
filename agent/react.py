"""ReAct: a thought, an action and what came of it, again and again."""

from __future__ import annotations

from pydantic import Field

from agent.entries import EntryAgent, EntrySettings
from agent.protocol import AgentContext

_ENTRIES = (
    "Thought: think about what to do next",
    "Action: the name of one action",
    "Action Input: its input, one JSON object with the keys listed for it; (optional) ones may be left out",
)


class ReactSettings(EntrySettings):
    """All steps stay in the prompt, as in LangChain's zero-shot agent, until it grows too long."""

    history: int = Field(default=1_000, ge=0, description="past steps in the prompt")


class ReactAgent(EntryAgent):
    """Thinks before it acts, with everything so far before its eyes."""

    def __init__(self, context: AgentContext) -> None:
        super().__init__("react", context, ReactSettings, _ENTRIES)
