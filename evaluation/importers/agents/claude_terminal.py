"""Conversations with Claude Code as its terminal shows them: what ``/export`` writes, and what people copy out of it.

The terminal shortens long outputs and commands, and folds whole calls into a line: nothing follows from what it does
not show. What an export lacks (ids, times, tokens) stays empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from pathlib import PurePath
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.agents.terminal_lines import unwrapped, width_of
from evaluation.importers.ending import by_last_step
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import load_text
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_HEAD = 1 << 18
"""Bytes in which an agent's call and its answer must stand for a file to be such a conversation."""
_CALL = re.compile(r"(?P<tool>[A-Z]\w*|[\w.: -]+ \(MCP\))\((?P<given>.*)\)(?: timeout: [^\n]*)?", re.DOTALL)
_FOLDED = re.compile(r"^.*\(ctrl\+\w to \w+[^)\n]*\)\s*$\n?", re.MULTILINE)
"""A line that stands for calls which are not shown."""
_NOTICE = re.compile(
    r'(?:Background command|Task|Agent) "(?P<title>[^"]+)" (?P<ended>(?:completed|failed|was) ?[^\n]*)'
)
_ENDED_WELL = re.compile(r"completed(?! [^\n]*exit code [1-9])")
_WITHIN = "\n    "
"""Begins each further line of what a call was given."""
_LOOKS_AFTER = re.compile(r"(?:Task ?Output|Bash ?Output)\b")
_IN_BACKGROUND = re.compile(r"Running in the background|running in background with ID")
_FAILED = re.compile(r"(?:Error\b|Interrupted\b)")
_MODEL = re.compile(r"\b(?:Opus|Sonnet|Haiku) \d[\d.]*")
_FOLDER = re.compile(r"(?:^|\s)(?P<folder>[~/][\w./~-]+)\s*│?\s*$", re.MULTILINE)
_AGENTS = ("Task", "Agent", "Explore", "Plan")
_TOOLS = {"Update": "Edit", "Create": "Write", "Search": "Grep"}
"""What the terminal calls a tool, where its name is another."""
_TAKES = {"Bash": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path", "Grep": "pattern"}
_INPUT = "input"


class _Mark(StrEnum):
    """What begins a passage."""

    AGENT = "agent"
    CALL = "call"
    USER = "user"
    ANSWER = "answer"
    NOBODY = "nobody"


_BEGINS = re.compile(r"(?P<agent>[⏺●] )|(?P<user>[>❯] )|(?P<answer> +⎿ *)|(?P<nobody>\S)")


def _passages(lines: Iterable[str]) -> Iterator[tuple[_Mark, str]]:
    """Passage by passage, without marks and the columns that they stand in; what is answered was a call."""
    before: tuple[_Mark, str] | None = None
    for mark, said in _marked(lines):
        if before:
            is_call = before[0] is _Mark.AGENT and (mark is _Mark.ANSWER or _CALL.fullmatch(before[1]))
            yield _Mark.CALL if is_call else before[0], before[1]
        before = mark, said
    if before:
        yield before


def _marked(lines: Iterable[str]) -> Iterator[tuple[_Mark, str]]:
    mark, said, margin = _Mark.NOBODY, list[str](), 0
    for line in lines:
        begun = _BEGINS.match(line)
        if begun:
            yield mark, "\n".join(said).strip()
            mark = _Mark(str(begun.lastgroup))
            margin = begun.end() if mark is not _Mark.NOBODY else 0
            said = [line[margin:].rstrip()]
        else:
            said.append(_dedented(line, margin))
    yield mark, "\n".join(said).strip()


def _dedented(line: str, margin: int) -> str:
    blank = len(list(takewhile(str.isspace, line)))
    return line[min(blank, margin) :].rstrip()


@dataclass
class _Conversation:
    """A conversation as far as it was read."""

    turns: Turns = field(default_factory=Turns)
    asked: list[str] = field(default_factory=list)
    head: str = ""

    def take(self, mark: _Mark, said: str) -> None:
        """Take in one passage."""
        if mark is _Mark.USER:
            self.asked.append(said)
        elif mark is _Mark.ANSWER and self.turns.waits:
            self._answered(said)
        elif mark is _Mark.CALL:
            self._called(said)
        elif mark is _Mark.AGENT:
            self._said(said)
        elif not self.asked:
            self.head += f"{said}\n"

    def _called(self, said: str) -> None:
        called = _CALL.fullmatch(said.replace(_WITHIN, "\n"))
        tool, given = called.group("tool", "given") if called else (said, "")
        tool = _TOOLS.get(tool, tool)
        asked = {_TAKES.get(tool, _INPUT): given}
        if _LOOKS_AFTER.match(said):
            tool, asked = "TaskOutput", self._started
        self.turns.call(Action(name=tool, args=asked))

    @property
    def _started(self) -> dict[str, Any]:
        """What was asked of the last command that went on in the background."""
        running = [call for call in self.turns.calls_of(["bash"]) if call.running]
        return running[-1].action.args if running else {}

    def _said(self, said: str) -> None:
        notice = _NOTICE.match(said)
        if notice:
            self.turns.hide(notice["title"], Outcome.OK if _ENDED_WELL.match(notice["ended"]) else Outcome.FAILED)
            said = said[notice.end() :].strip()
        words = _FOLDED.sub("", said).strip()
        if words != said:
            self.turns.hide()
        self.turns.say("response", words)

    def _answered(self, seen: str) -> None:
        running = _IN_BACKGROUND.match(seen) is not None
        call = self.turns.answer("", seen, Outcome.FAILED if _FAILED.match(seen) else None, running=running)
        call.authored = call.action.name in _AGENTS


def _read(found: Found) -> Iterator[RunLog]:
    conversation = _Conversation()
    passages = list(_passages(load_text(found.path).splitlines()))
    if passages[0] == (_Mark.NOBODY, ""):  # without the terminal's first lines it is a part of a longer one
        conversation.turns.hide()
    width = width_of(said for mark, said in passages if mark is _Mark.AGENT)
    for mark, said in passages:
        is_wrapped = mark in (_Mark.AGENT, _Mark.CALL)
        conversation.take(mark, unwrapped(said, width) if is_wrapped else said)
    steps = conversation.turns.steps()
    model, folder = _MODEL.search(conversation.head), _FOLDER.search(conversation.head)
    yield RunLog(
        source=found.source,
        steps=steps,
        task=PurePath(folder["folder"]).name if folder else found.stem,
        task_text="\n\n".join(conversation.asked),
        model=model[0] if model else None,
        agent="claude-code",
        **by_last_step(steps),
    )


def _is_conversation(found: Found) -> bool:
    """Whether an agent called something in it and was answered."""
    head = "" if found.is_folder else load_text(found.path, _HEAD)
    if "⎿" not in head:
        return False
    marks = {mark for mark, said in _passages(head.splitlines()) if said}
    return {_Mark.CALL, _Mark.ANSWER} <= marks


CLAUDE_TERMINAL = Importer(recognises=_is_conversation, read=_read, suffixes=(".txt", ".md"))
"""The format, as the registry names it."""
