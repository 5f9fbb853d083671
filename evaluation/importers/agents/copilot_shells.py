"""Shells of Copilot's command line: which command goes on in the background, and how it ended."""

from __future__ import annotations

import re
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.parsing import figure, mapping, text
from evaluation.importers.results import outcome_of
from evaluation.importers.turns import Call, Turns
from evaluation.record.kinds import action_text

_GOES_ON = re.compile(
    r"<command (?:started in (?:detached )?background with (?:shellId|sessionId): (?P<started>[^>\s]+)>"
    r"|with (?:shellId|sessionId|id): (?P<running>\S+) is still running)"
)
_ENDED = re.compile(r"<(?:(?:command with )?(?:\w*[iI]d): \S+ completed|exited) with exit code (-?\d+)>\s*$")
_NAMES = ("shellId", "sessionId")


class Shells:
    """The shells of a session, by the names by which they are asked for again."""

    def __init__(self) -> None:
        self._started: dict[str, Call] = {}

    def named(self, action: Action) -> Action:
        """A call; one that looks at a command that goes on, with that command's words."""
        started = next((call for name in _NAMES if (call := self._of(action.args.get(name)))), None)
        if started is None or "command" in action.args:
            return action
        return Action(name=action.name, args={**action.args, "command": action_text(started.action)})

    def ended(self, call: Call, seen: str) -> None:
        """Take in what came back for a call: whether its command goes on, or with which code it ended."""
        if found := _GOES_ON.search(seen):
            call.running = True
            self._started.setdefault(found["started"] or found["running"], call)
        elif (code := _ENDED.search(seen[-200:])) and call.outcome is None:
            call.outcome = outcome_of(float(code[1]))

    def notice(self, turns: Turns, data: dict[str, Any]) -> None:
        """A command in the background ended: that is an event of its own."""
        about = mapping(data.get("kind"))
        started = self._of(about.get("shellId")) if about.get("type") == "shell_completed" else None
        if started:
            call = turns.call(Action(name="notification", args={"command": action_text(started.action)}))
            call.seen, call.answered = [text(data.get("content"))], True
            call.outcome = Outcome.FAILED if figure(about.get("exitCode")) else Outcome.OK

    def _of(self, name: object) -> Call | None:
        return self._started.get(text(name))
