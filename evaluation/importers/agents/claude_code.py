"""Sessions of Claude Code: the CLI's own JSON lines, its ``stream-json`` output, and lists of its SDK's messages.

What subagents did lies in lines of the same file or in files beside it; it follows the step that called them. A
command that went on in the background is shown as unfinished, and what is read of it later as its output.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from environment.records import Action, EndedBy, Outcome
from evaluation.importers.agents.claude_lines import (
    QUIET,
    belongs_to_session,
    is_session,
    kind_of,
    messages_of,
    resumed_in,
    subagents,
)
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, completed, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import assistant, blocks, is_result, result
from evaluation.importers.parsing import figure, mapping, text
from evaluation.importers.turns import Call, Turns
from evaluation.record.log import RunLog

_STARTED = re.compile(r"running in (?:the )?background with ID: (\w+)")
_NOTICE = re.compile(r"<task-id>(?P<id>\w+)</task-id>.*?<summary>(?P<summary>.*?)</summary>", re.DOTALL)
_TASK_FILE = re.compile(r"tasks[/\\](\w+)\.output$")
_WORKFLOW = re.compile(r"\bwf_[\w-]+")
_NUMBERED = re.compile(r"^ *\d+[→\t]", re.MULTILINE)
_BY_HARNESS = ("<command-", "<local-command", "<system-reminder>", "<task-notification>", "Caveat:")
_REJECTED = ("The user doesn't want to proceed", "Permission to use", "Permission for this")
_INTERRUPTED = "[Request interrupted by user"
_CONTINUED = "This session is being continued from a previous conversation"
_AGENTS = ("Task", "Agent")
_COUNTED = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
_LIMITS = {"error_max_turns": EndedBy.STEPS, "error_max_budget_usd": EndedBy.MONEY}


@dataclass
class Session:
    """A session as far as it was read; whether its results say that they are errors."""

    tells_errors: bool = True
    turns: Turns = field(default_factory=Turns)
    asked: list[str] = field(default_factory=list)
    others: dict[str, Session] = field(default_factory=dict)
    callers: dict[str, str] = field(default_factory=dict)
    tasks: dict[str, Call] = field(default_factory=dict)
    reports: dict[str, Call] = field(default_factory=dict)
    usage: dict[str, int] = field(default_factory=dict)
    unknown: Counter[str] = field(default_factory=Counter)
    first: str = ""
    last: str = ""
    folder: str = ""
    model: str | None = None
    ended: dict[str, Any] = field(default_factory=dict)
    spent: dict[str, Any] = field(default_factory=dict)
    error: str | None = None

    def take(self, line: dict[str, Any]) -> None:
        """Take in one line or message."""
        other = text(line.get("parent_tool_use_id")) or (text(line.get("agentId")) if line.get("isSidechain") else "")
        if other or line.get("isSidechain"):
            self.others.setdefault(other, Session()).take(
                {name: value for name, value in line.items() if name not in ("parent_tool_use_id", "isSidechain")}
            )
            return
        self.first, self.last = self.first or text(line.get("timestamp")), text(line.get("timestamp")) or self.last
        self.folder = self.folder or text(line.get("cwd") or mapping(line.get("data")).get("cwd"))
        kind = kind_of(line)
        message = mapping(line.get("message")) or line
        if kind == "assistant":
            self._assistant(line, message)
        elif kind == "user":
            self._user(line, message)
        elif kind == "result":
            self.ended = line
        elif kind == "cost-state":
            self.spent = line
        elif kind not in QUIET:
            self.unknown[kind or "without a kind"] += 1
        self._notice(line)

    def _assistant(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        if line.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            self.error = text(message.get("content"))
            return
        self.error = None
        self.model = self.model or text(message.get("model")) or None
        key = text(message.get("id") or line.get("uuid")) or None
        usage = mapping(message.get("usage"))
        self.usage[key or str(len(self.usage))] = sum(
            int(count) for name, value in usage.items() if name.endswith("_tokens") and (count := figure(value))
        )
        assistant(self.turns, message, key)
        for block in blocks(message.get("content")):
            call = self.turns.find(text(block.get("id")))
            if call:
                self._continues(call)

    def _continues(self, call: Call) -> None:
        """Give a call that looks after a background command that command's words."""
        given = call.action.args
        found = _TASK_FILE.search(text(given.get("file_path")))
        started = self.tasks.get(found[1] if found else text(given.get("task_id") or given.get("bash_id")))
        if started:
            others = {name: value for name, value in given.items() if name != "file_path"}
            args = {"command": started.action.args.get("command"), **others}
            call.action = Action(name="TaskOutput" if found else call.action.name, args=args)

    def _user(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        said = text(message.get("content"))
        if line.get("isCompactSummary") or said.startswith(_CONTINUED):
            if not self.turns.has_begun:
                self.turns.hide()  # what it sums up was done in another session
            return
        if line.get("isMeta"):
            return
        for block in blocks(message.get("content")):
            if is_result(block):
                result(self.turns, block)
                self._answered(text(block.get("tool_use_id")), line, block)
            else:
                said = text(block.get("text"))
                if said.startswith(_INTERRUPTED):
                    self.error = said
                elif said and not said.startswith(_BY_HARNESS):
                    self.asked.append(said)

    def _answered(self, call_id: str, line: dict[str, Any], block: dict[str, Any]) -> None:
        """What the line of a result says beside it."""
        call, about = self.turns.find(call_id), mapping(line.get("toolUseResult") or line.get("tool_use_result"))
        if call is None:
            return
        seen = text(block.get("content"))
        if call.action.name == "Read":
            call.seen = [_NUMBERED.sub("", seen)]
        if call.outcome is Outcome.FAILED and seen.startswith(_REJECTED):
            call.outcome = Outcome.REFUSED
        elif about.get("interrupted") is True or "Command timed out" in seen[:200]:
            call.outcome = Outcome.KILLED
        elif self.tells_errors:
            call.outcome = call.outcome or Outcome.OK
        started = text(about.get("backgroundTaskId")) or (found[1] if (found := _STARTED.search(seen[:500])) else "")
        if started:
            call.running = True
            self.tasks[started] = call
        elif "<status>running</status>" in seen:
            call.running = True
        elif (code := re.search(r"<exit_code>(\d+)</exit_code>", seen)) and code[1] != "0":
            call.outcome = Outcome.FAILED
        if about.get("status") == "async_launched":
            self.tasks[text(about.get("agentId"))] = call
        for other in (text(about.get("agentId")), *_WORKFLOW.findall(seen[:2_000])):
            self.callers.setdefault(other, call_id)

    def _notice(self, line: dict[str, Any]) -> None:
        """A background command or another agent ended: that is an event of its own."""
        content = mapping(line.get("message")).get("content") or line.get("content")
        prompt = text(mapping(line.get("attachment")).get("prompt") or content)
        found = _NOTICE.search(prompt) if "<task-notification>" in prompt[:200] else None
        started = self.tasks.pop(found["id"], None) if found else None
        if started and found and started.action.name in _AGENTS:
            reported = re.search(r"<result>(.*?)</result>", prompt, re.DOTALL)
            ended = self.turns.call(started.action)
            ended.seen, ended.answered = [reported[1] if reported else found["summary"]], True
            self.reports.setdefault(found["id"], ended)
        elif started and found:
            failed = "exit code 0" not in found["summary"]
            ended = self.turns.call(Action(name="notification", args={"command": started.action.args.get("command")}))
            ended.seen, ended.answered = [found["summary"]], True
            ended.outcome = Outcome.FAILED if failed else Outcome.OK

    def miss(self) -> None:
        """Lines are damaged: whoever goes on, anything may have been done there."""
        for one in (self, *self.others.values()):
            one.turns.miss()

    def nest(self) -> None:
        """Put what other agents did behind the calls that started them."""
        for name, other in self.others.items():
            call = self.turns.find(name) or self.turns.find(self.callers.get(name, ""))
            other.nest()
            if name in self.reports:
                self.reports[name].authored = True
            if call:
                call.nested, call.authored = call.nested + other.turns.steps(), True
            else:
                self.turns.call(Action(name="Agent")).nested = other.turns.steps()


def _read(found: Found) -> Iterator[RunLog]:
    if belongs_to_session(found.path):
        return
    longer = resumed_in(found.path) if found.has_lines else None
    if longer:
        found.notes.append(f"is left out: {longer.name} resumed it and holds all of it")
        return
    session = Session()
    yield log_of(found, found.lines(session.miss) if found.has_lines else messages_of(found.json), session)
    found.used.append(found.path.with_suffix(""))


def log_of(found: Found, lines: Iterable[dict[str, Any]], session: Session) -> RunLog:
    """The session of which a file holds the lines or messages, with the subagents beside it."""
    for line in lines:
        session.take(line)
    for name, file in subagents(found.path):
        other = session.others.setdefault(name, Session())
        for line in Found(file, file.name).lines(other.miss):
            other.take({key: value for key, value in line.items() if key != "isSidechain"})
    session.nest()
    found.pass_over(session.unknown)
    return _log(found, session)


def _log(found: Found, session: Session) -> RunLog:
    milliseconds = figure(session.ended.get("duration_ms"))
    return RunLog(
        source=found.source,
        steps=session.turns.steps(),
        task=Path(session.folder).name or found.stem,
        task_text="\n\n".join(session.asked),
        model=session.model,
        agent="claude-code",
        tokens=_tokens(session),
        cost=_cost(session),
        **span(session.first, session.last, milliseconds / 1000 if milliseconds else None),
        **_ending(session),
    )


def _cost(session: Session) -> float | None:
    """What the session says that it cost, unless it did not know the price of a model."""
    known = None if session.spent.get("hasUnknownModelCost") else figure(session.spent.get("totalCostUSD"))
    return figure(session.ended.get("total_cost_usd", known))


def _tokens(session: Session) -> int | None:
    """Of all models by the session's own sum, else of all answers, those of subagents too."""
    of_answers = sum(sum(one.usage.values()) for one in (session, *session.others.values()))
    return _summed(session.ended) or max(of_answers, _summed(session.spent)) or None


def _summed(told: dict[str, Any]) -> int:
    models = mapping(told.get("modelUsage")).values()
    counts = [count for of_model in models for name, count in mapping(of_model).items() if name in _COUNTED]
    return sum(int(count) for count in map(figure, counts) if count)


def _ending(session: Session) -> Ending:
    kind = text(session.ended.get("subtype"))
    if kind in _LIMITS:
        return completed(_LIMITS[kind])
    if session.ended.get("is_error") is True:
        return broken_off(text(session.ended.get("result") or session.ended.get("errors") or session.error) or kind)
    if session.error:
        return INTERRUPTED if session.error.startswith(_INTERRUPTED) else broken_off(session.error)
    return by_last_step(session.turns.steps(), is_over=bool(session.ended))


CLAUDE_CODE = Importer(recognises=is_session, read=_read)
"""The format, as the registry names it."""
