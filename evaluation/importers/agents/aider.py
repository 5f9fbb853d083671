"""Chat histories of aider (``.aider.chat.history.md``): a run a chat.

The history has what the model wrote, which edits were applied and which commands ran, but of most commands not what
they printed: nothing follows from what it does not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from environment.records import Action, Outcome
from evaluation.importers.chats import BEGUN, FileEdit, Passage, Speaker, edits_in, passages
from evaluation.importers.ending import Ending, broken_off, by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import load_text
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_MODEL = re.compile(r"^(?:Main model|Models?): ([^\s,]+)", re.MULTILINE)
_APPLIED = re.compile(r"^Applied edit to (.+)$", re.MULTILINE)
_RAN = re.compile(
    r"^Running (?P<command>.+)$\n?(?P<seen>(?:(?!Running |Applied |Commit |Add [^\n]*output to the chat).*\n?)*)",
    re.MULTILINE,
)
_ASKED_TO_RUN = re.compile(r"^(?:/(?:run|test)\s+|!)(?P<command>.+)", re.DOTALL)
_PRINTED = re.compile(r"\A(?P<seen>.*?)^Add [^\n]*output to the chat", re.MULTILINE | re.DOTALL)
_COUNTED = re.compile(r"^Added (\d+) lines? of output to the chat", re.MULTILINE)
_ADDED = re.compile(r"^Added (?!\d+ lines?\b)(\S+) to the chat", re.MULTILINE)
_TOKENS = re.compile(r"([\d.,]+)([kM]?) (?:sent|received)\b")
_COST = re.compile(r"\$([\d.]+) session")
_FAILED = re.compile(r"^(?:litellm\.)?(\w+(?:Error|Exception): [^\n]*)", re.MULTILINE)
_THOUSANDS = {"": 1, "k": 1_000, "M": 1_000_000}
_HEAD = 400


@dataclass
class _Chat:
    """One chat as far as it was read."""

    begun: str
    turns: Turns = field(default_factory=Turns)
    asked: list[str] = field(default_factory=list)
    said: str = ""
    told: list[str] = field(default_factory=list)
    command: str = ""
    error: str | None = None
    answers: int = 0

    def take(self, passage: Passage) -> None:
        """Take in what one speaker wrote."""
        if passage.speaker is Speaker.MODEL:
            self.finish()
            self.said, self.error = passage.text, None
        elif passage.speaker is Speaker.AIDER:
            self._told(passage.text)
        else:
            self.finish()
            found = _ASKED_TO_RUN.match(passage.text)
            self.command = found["command"].strip() if found else ""
            if not found and not passage.text.startswith("/"):
                self.asked.append(passage.text)

    def _told(self, words: str) -> None:
        """What aider says: of the answer before it, of the command that it was asked to run, and of itself."""
        self.told.append(words)
        failed = None if self.said else _FAILED.search(words)
        self.error = failed[1] if failed else self.error
        self._answered(words)
        if self.command:
            printed = _PRINTED.search(words)
            self._ran(self.command, printed["seen"] if printed else "", words)
            self.command = ""
        for found in _RAN.finditer(words):
            self._ran(found["command"], found["seen"], words[found.end() :])
        for file in _ADDED.findall(words):  # which the model then knows, and the history does not show
            self._ran(f"cat {file}", "", "")

    def finish(self) -> None:
        """What was said and not spoken of is an answer, too."""
        self._answered("")

    def _answered(self, words: str) -> None:
        if not self.said:
            return
        applied = _APPLIED.findall(words)
        edits, prose = edits_in(self.said, applied)
        self.said = ""
        self.answers += 1
        key = str(self.answers)
        self.turns.begin(key)
        self.turns.say("response", prose, key)
        for edit in edits:
            self._edited(edit, Outcome.OK if edit.file in applied else Outcome.FAILED, key)
        for file in dict.fromkeys(applied):
            if file not in {edit.file for edit in edits}:
                self._edited(FileEdit(file=file, patch=""), Outcome.OK, key)

    def _edited(self, edit: FileEdit, outcome: Outcome, key: str) -> None:
        call = self.turns.call(Action(name="edit", args={"file_path": edit.file, "patch": edit.patch}), key=key)
        call.outcome, call.answered = outcome, True
        call.seen = [f"Applied edit to {edit.file}" if outcome is Outcome.OK else "The edit was not applied."]

    def _ran(self, command: str, seen: str, behind: str) -> None:
        counted = _COUNTED.search(behind)
        missing = f"[output omitted: {counted[1]} lines]" if counted else "[output omitted]"
        call = self.turns.call(Action(name="bash", args={"command": command}))
        call.seen, call.answered = [seen.strip() or missing], True

    @property
    def log(self) -> str:
        """All that aider told."""
        return "\n".join(self.told)


def _read(found: Found) -> Iterator[RunLog]:
    chats: list[_Chat] = []
    for passage in passages(load_text(found.path)):
        if passage.speaker is Speaker.BEGIN:
            chats.append(_Chat(passage.text.removeprefix(BEGUN)))
        elif chats:
            chats[-1].take(passage)
    for chat in chats:
        chat.finish()
    answered = [chat for chat in chats if chat.turns.steps() or chat.error]
    if len(answered) < len(chats):
        found.notes.append(f"{len(chats) - len(answered)} of its chats hold no answer and are left out")
    for number, chat in enumerate(answered, 1):
        yield _log(found, chat, f"{found.source}#{number}" if len(answered) > 1 else found.source)


def _log(found: Found, chat: _Chat, source: str) -> RunLog:
    model, costs = _MODEL.search(chat.log), _COST.findall(chat.log)
    return RunLog(
        source=source,
        steps=chat.turns.steps(),
        task=_task(found.path),
        task_text="\n\n".join(chat.asked),
        model=model[1] if model else None,
        agent="aider",
        tokens=_tokens(chat.log),
        cost=float(costs[-1]) if costs else None,
        **span(None, chat.begun),
        **_ending(chat),
    )


def _task(path: Path) -> str:
    """The folder that the chat was about, in which aider leaves its history."""
    return path.resolve().parent.name or path.stem


def _tokens(told: str) -> int | None:
    lines = (line for line in told.splitlines() if line.startswith("Tokens: "))
    counts = (match for line in lines for match in _TOKENS.findall(line))
    return round(sum(float(number.replace(",", "")) * _THOUSANDS[unit] for number, unit in counts)) or None


def _ending(chat: _Chat) -> Ending:
    return broken_off(chat.error) if chat.error else by_last_step(chat.turns.steps(), is_over=True)


def _is_history(found: Found) -> bool:
    """Whether a file begins as a history does."""
    return not found.is_folder and load_text(found.path, _HEAD).lstrip().startswith(BEGUN)


AIDER = Importer(recognises=_is_history, read=_read, suffixes=(".md", ".txt"))
"""The format, as the registry names it."""
