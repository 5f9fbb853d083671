"""Action only: names an action without a word of thought."""

from __future__ import annotations

from agent.entries import EntryAgent, EntrySettings
from agent.protocol import AgentContext

_ENTRIES = (
    "Action: the name of one action",
    "Action Input: its input, one JSON object with the keys listed for it; (optional) ones may be left out",
)


class ActAgent(EntryAgent):
    """Acts on the last steps alone."""

    def __init__(self, context: AgentContext) -> None:
        super().__init__("act", context, EntrySettings, _ENTRIES)
