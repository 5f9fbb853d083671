"""The same decision in the words of each agent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.agent.llm_server import Reply

LLM_AGENTS = ("research", "react", "act", "tools", "autogpt")
Plan = Sequence[tuple[str, dict[str, Any]]]


def entries(action: str, args: dict[str, Any], *, prose: str = "Thought: Go on.\n") -> str:
    return f"{prose}Action: {action}\nAction Input: {json.dumps(args)}"


def says(agent: str, action: str, args: dict[str, Any]) -> Reply:
    """How an agent's model asks for an action."""
    match agent:
        case "research":
            prose = "Reflection: r\nResearch Plan and Status: p\nFact Check: f\nThought: The mae counts.\n"
            return Reply(entries(action, args, prose=prose))
        case "react":
            return Reply(entries(action, args))
        case "act":
            return Reply(entries(action, args, prose=""))
        case "autogpt":
            thoughts = {"text": "t", "reasoning": "r", "plan": ["a", "b"], "criticism": "c", "speak": "s"}
            return Reply(json.dumps({"thoughts": thoughts, "command": {"name": action, "args": args}}))
        case _:
            name = action.lower().replace(" (ai)", "_ai").replace(" ", "_")
            return Reply("I call it.", tools=[(name, args)])


class Scripted:
    """Gives the planned answers to the prompts that ask for a decision, and a fixed one to all others."""

    def __init__(self, replies: Sequence[Reply], other: str = "noted") -> None:
        self._replies = iter(replies)
        self._other = other

    def __call__(self, body: dict[str, Any]) -> Reply:
        if is_decision(body):
            return next(self._replies, Reply(status=400, error=("invalid_request_error", "the script is over")))
        return Reply(self._other)


def is_decision(body: dict[str, Any]) -> bool:
    """Whether a request asks for an action: it has tools, or a system message."""
    return bool(body.get("tools") or body.get("system") or body["messages"][0]["role"] in ("system", "developer"))
