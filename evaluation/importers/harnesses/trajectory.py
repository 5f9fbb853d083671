"""What SWE-agent and its descendants write alike: steps, exit status, and what the model cost."""

from __future__ import annotations

import re
import shlex
from typing import Any, TypedDict

from environment.records import Action, EndedBy
from evaluation.importers.ending import Ending, broken_off, completed
from evaluation.importers.parsing import command_action, figure, mapping, text
from evaluation.record.log import Exchange, LogStep

_COMMAND = re.compile(r"```[^\n`]*\n.*?\n?```\s*", re.DOTALL)
_EDITOR = "str_replace_editor"
_LIMITS = {
    "cost": EndedBy.MONEY,
    "context": EndedBy.TOKENS,
    "max_steps": EndedBy.STEPS,
    "time": EndedBy.TIME,
}


class Spent(TypedDict):
    """Tokens and money."""

    tokens: int | None
    cost: float | None


def spent_of(stats: dict[str, Any]) -> Spent:
    """Tokens and money of the model; a free model whose tokens count is one whose price was not known."""
    sent, received = figure(stats.get("tokens_sent")), figure(stats.get("tokens_received"))
    cost = figure(stats.get("task_cost", stats.get("instance_cost")))
    tokens = int(sent + received) if sent is not None and received is not None else None
    return {"tokens": tokens, "cost": cost or None}


def ending_of(exit_status: str) -> Ending:
    """What an exit status says: submitted, out of a limit, or broken off by an error."""
    limit = next((by for word, by in _LIMITS.items() if word in exit_status), None)
    if exit_status.startswith("submitted") or limit or not exit_status:
        return completed(limit or (EndedBy.FINAL_ANSWER if exit_status else None))
    return broken_off(exit_status)


def step_of(step: dict[str, Any]) -> LogStep:
    """A step: its prose is the response without the fenced command."""
    response = text(step.get("response")) or text(step.get("thought"))
    prose = {"response": without_command(response)} if response.strip() else {}
    exchange = Exchange(action=_action(text(step.get("action")).strip()), observation=text(step.get("observation")))
    return LogStep(prose={name: said for name, said in prose.items() if said}, exchanges=(exchange,))


def without_command(response: str) -> str:
    """A response without its last fenced block, which is the command."""
    blocks = list(_COMMAND.finditer(response))
    if not blocks:
        return response.strip()
    last = blocks[-1]
    return (response[: last.start()] + response[last.end() :]).strip()


def messages_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages that passed between harness and model."""
    history = data.get("history")
    return [mapping(message) for message in history] if isinstance(history, list) else []


def _action(command: str) -> Action:
    """A command; the options of the editor that SWE-agent calls like one are its arguments."""
    if not command.startswith(_EDITOR):
        return command_action(command)
    try:
        words = shlex.split(command)[1:]
    except ValueError:
        return command_action(command)
    args: dict[str, Any] = dict(zip(("command", "path"), words[:2], strict=False))
    for option, value in zip(words[2::2], words[3::2], strict=False):
        args[option.lstrip("-")] = value
    return Action(name=_EDITOR, args=args)
