"""What a step did: one neutral event per action, whatever tool the agent had."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from environment.records import Action, Outcome
from evaluation.claims.log import Exchange

_ARG_FILES = ("save_name", "script_name", "file_name", "filename", "file_path", "path", "file", "destination")
_ARG_TEXTS = (
    "command",
    "cmd",
    "code",
    "script",
    "input",
    "new_str",
    "file_text",
    "content",
    "insert_text",
    "patch",
    "edit",
)
_SHELL_ARGS = ("command", "cmd")
_AUTHORED = ("understand file", "reflection", "retrieval from research log", "append summary to research log")
_READ_TOOLS = (
    "list files", "inspect script lines", "read file", "open", "goto", "ls", "skim", "read", "view", "grep",
    "glob",
)  # fmt: skip
_EDIT_TOOLS = (
    "edit script (ai)", "edit script segment (ai)", "write file", "append file", "edit", "insert", "create",
    "str_replace_editor", "str_replace_based_edit_tool", "text_editor", "write", "apply_patch", "multiedit",
    "edit_file", "create_file", "write_file", "notebookedit",
)  # fmt: skip
_RUN_TOOLS = (
    "execute script", "python repl", "python", "torchrun", "accelerate", "ipython", "execute", "deepspeed",
    "python3",
)  # fmt: skip
_SUBMIT_TOOLS = (
    "final answer", "submit", "finish", "finish_action", "done", "final_answer", "complete_task", "attempt_completion",
)  # fmt: skip
_SHELL = re.compile(
    r"(?P<score>^\s*validate\b)|(?P<submit>^\s*submit\b)|(?P<install>\b(?:pip3?|conda|apt(?:-get)?"
    r"|uv)\s+(?:pip\s+)?install\b)"
    r"|(?P<run>(?:^|[\s;&|(])(?:(?:[\w/.]*/)?python[\d.]*|torchrun|accelerate|deepspeed|bash|sh|Rscript|nohup"
    r"|time)\s+(?!-c\b)\S"
    r"|(?:^|[\s;&|])\./\S|python[\d.]*\s+(?:-c\b|-\s*<<|<<))"
    r"|(?P<edit>(?:cat|tee)\b[^\n|]*(?:>\s*\S+|<<)|\bsed\s+-i|\becho\b[^\n]*>\s*\S|apply_patch|\bpatch\s)"
    r"|(?P<copy>(?:^|[;&|]\s*)(?:cp|mv)\s)",
    re.MULTILINE,
)
_SCRIPT = re.compile(r"[\w./-]+\.(?:py|sh|R|ipynb)\b")
_FAILURES = re.compile(
    r"^.*(?:\bEnvError\b|^\s*[\w.]*(?:Error|Exception|Interrupt)\b:? ?|TIMED OUT|\btimed out after\b"
    r"|\b(?:script|file) \S+ does not exist|NOT been applied|command not found"
    r"|No such file or directory|CUDA out of memory|\bOutOfMemoryError|Segmentation fault|core dumped|non-zero exit"
    r"|[Ee]xit(?:ed with)?(?: code| status)?:? [1-9]\d*\b|\bKilled\b|introduced new syntax error|can't open file).*$",
    re.MULTILINE,
)
_TRACEBACK = re.compile(r"^\s*Traceback \(most recent call last\)", re.MULTILINE)
_TIMEOUT = re.compile(r"tim(?:ed|e)[ -]?out|timeout|exceeded.*time|time limit", re.IGNORECASE)
_DIFF = re.compile(r"^@@ .*$|^--- ?$\n^\+\+\+ ?$|[Hh]ere is the diff", re.MULTILINE)
_SHOWN_FILE = re.compile(r"\[File: (\S+) \(")
_MISSING = re.compile(r"does not exist|No such file|can't open file|not found", re.IGNORECASE)
_CUT = "[…]"
_LISTED = re.compile(r"^\s*(\d+):(.*)$", re.MULTILINE)
_EDIT_RANGE = re.compile(r"^\s*edit\s+(\d+):(\d+)")


class EventKind(StrEnum):
    """What an action is for."""

    READ = "read"
    EDIT = "edit"
    RUN = "run"
    SCORE = "score"
    COPY = "copy"
    UNDO = "undo"
    INSTALL = "install"
    SUBMIT = "submit"
    NOTE = "note"


_SPEAKING_NAMES: tuple[tuple[re.Pattern[str], EventKind], ...] = (
    (re.compile(r"(?:edit|write|create|insert|replace|patch|append)(?![a-z])", re.I), EventKind.EDIT),
    (re.compile(r"(?:run|exec|execute|python|repl|jupyter|notebook|interpreter|train)(?![a-z])", re.I), EventKind.RUN),
    (re.compile(r"(?:read|list|view|open|search|inspect|cat|find)(?![a-z])", re.I), EventKind.READ),
)
"""What a tool that nobody knows is for, by the words of its name; a shell is told by its command."""


@dataclass(frozen=True)
class Event:
    """One action, as far as claims can be about it.

    Attributes:
        step: The step it belongs to.
        kind: What it was for.
        outcome: How it ended.
        files: Files it names, the one written to first.
        added: Text it wrote into files.
        removed: Text it took out, where the log shows it.
        diffed: The log shows the whole difference.
        failure: The line that tells the failure, or "".
        timed_out: It was stopped by a time limit.
        exchange: The action and its observation.
    """

    step: int
    kind: EventKind
    outcome: Outcome
    files: tuple[str, ...]
    added: str
    removed: str
    diffed: bool
    failure: str
    timed_out: bool
    exchange: Exchange

    @property
    def succeeded(self) -> bool:
        """Whether it ended as meant."""
        return self.outcome is Outcome.OK

    @property
    def changed(self) -> bool:
        """Whether it changed a file; an edit whose shown difference is empty did not."""
        return self.succeeded and not (self.diffed and not self.added.strip() and not self.removed.strip())

    @property
    def is_missing(self) -> bool:
        """Whether it failed because what it names is not there."""
        return not self.succeeded and bool(_MISSING.search(self.failure))

    @property
    def is_cut(self) -> bool:
        """Whether the log left out part of what it wrote."""
        return _CUT in self.added or _CUT in self.command

    @property
    def rewrites(self) -> bool:
        """Whether it changed files that were there: an edit, or a shell command that edits before it runs."""
        return self.changed if self.kind is EventKind.EDIT else self.kind is EventKind.RUN and _in_place(self.command)

    @property
    def writes(self) -> bool:
        """Whether it wrote code: an edit that changed something, or a run of code given with it."""
        return self.changed if self.kind is EventKind.EDIT else self.kind is EventKind.RUN and bool(self.added)

    @property
    def command(self) -> str:
        """The action's text, as ``action_text`` gives it."""
        return action_text(self.exchange.action)

    @property
    def authored(self) -> bool:
        """Whether a model wrote the observation."""
        return self.exchange.authored or self.exchange.action.name.lower() in _AUTHORED

    @property
    def observation(self) -> str:
        """What came back."""
        return self.exchange.observation


def read_event(step: int, exchange: Exchange, listing: dict[int, str]) -> Event:
    """Say what an action was for and how it ended; ``listing`` is the file last shown, by line number."""
    action, seen = exchange.action, exchange.observation
    command = action_text(action)
    kind = _kind(action, command)
    failure = (
        _failure(kind, seen) if exchange.outcome in (None, Outcome.FAILED, Outcome.KILLED, Outcome.REFUSED) else ""
    )
    outcome = exchange.outcome or (Outcome.FAILED if failure else Outcome.OK)
    timed_out = outcome is Outcome.KILLED or bool(failure and _TIMEOUT.search(seen[-3000:]))
    added, removed, diffed = _change(kind, command, seen, listing, is_code=isinstance(action.args.get("code"), str))
    return Event(
        step, kind, outcome, _files(kind, action, command, seen), added, removed, diffed, failure, timed_out, exchange
    )


def action_text(action: Action) -> str:
    """The text of an action: a shell command, code, or new file content; else all its arguments."""
    for key in _ARG_TEXTS:
        if isinstance(action.args.get(key), str) and action.args[key]:
            return str(action.args[key])
    return "\n".join(str(value) for value in action.args.values() if isinstance(value, str | int | float))


def shown_lines(observation: str) -> dict[int, str]:
    """The numbered lines of a file listing, by line number."""
    return {int(number): text for number, text in _LISTED.findall(observation)}


def _kind(action: Action, command: str) -> EventKind:
    name = action.name.lower().strip()
    if name in _AUTHORED:
        return EventKind.READ if name == "understand file" else EventKind.NOTE
    if name == "undo edit script" or action.args.get("command") == "undo_edit":
        return EventKind.UNDO
    if name == "copy file":
        return EventKind.COPY
    if name in _SUBMIT_TOOLS:
        return EventKind.SUBMIT
    if name in ("validate", "score"):
        return EventKind.SCORE
    if name in _EDIT_TOOLS:
        return EventKind.READ if action.args.get("command") == "view" else EventKind.EDIT
    if name in _READ_TOOLS:
        return EventKind.READ
    if name in _RUN_TOOLS:
        return EventKind.RUN
    if not any(isinstance(action.args.get(key), str) for key in _SHELL_ARGS):
        spoken = next((kind for pattern, kind in _SPEAKING_NAMES if pattern.search(name)), None)
        if spoken is not None:
            return spoken
    found = {str(match.lastgroup) for match in _SHELL.finditer(command)}
    for kind in ("score", "submit", "run", "install", "edit", "copy"):
        if kind in found:
            return EventKind(kind)
    return EventKind.READ


def _failure(kind: EventKind, seen: str) -> str:
    if kind is EventKind.NOTE:
        return ""
    if kind is EventKind.READ:
        head = seen[:300]
        match = re.search(r"^.*(?:\bEnvError\b|No such file|not found|Error:).*$", head, re.MULTILINE)
        return match.group().strip() if match else ""
    matches = _FAILURES.findall(seen)
    if matches and (kind is not EventKind.RUN or _is_fatal(matches[-1], seen)):
        return str(matches[-1]).strip()
    trace = _TRACEBACK.search(seen)
    return trace.group().strip() if trace else ""


def _is_fatal(line: str, seen: str) -> bool:
    """Whether a failing line ended the script: it was stopped, or little follows its last traceback."""
    return bool(_TRACEBACK.search(seen)) or len(seen) - seen.rfind(line) - len(line) < 2000


def _change(
    kind: EventKind, command: str, seen: str, listing: dict[int, str], *, is_code: bool
) -> tuple[str, str, bool]:
    if kind is EventKind.UNDO:
        return "", "", False
    if kind is not EventKind.EDIT:
        is_written = is_code or "\n" in command or _in_place(command)
        return (command, "", False) if kind is EventKind.RUN and is_written else ("", "", False)
    if _DIFF.search(seen):
        body = seen[_DIFF.search(seen).start() :]  # type: ignore[union-attr]
        lines = [line for line in body.splitlines() if not re.match(r"(?:\+\+\+|---) ?\S*\s*$", line)]
        added = "\n".join(line[1:] for line in lines if line.startswith("+"))
        removed = "\n".join(line[1:] for line in lines if line.startswith("-"))
        return added, removed, _CUT not in seen
    span = _EDIT_RANGE.match(command)
    if span:
        removed = "\n".join(
            listing.get(number, "") for number in range(int(span[1]), min(int(span[2]), int(span[1]) + 2000) + 1)
        )
        return command.partition("\n")[2].replace("end_of_edit", ""), removed, False
    return command, "", False


def _in_place(command: str) -> bool:
    """Whether a shell command changes files before it runs something."""
    return any(match.lastgroup == "edit" for match in _SHELL.finditer(command))


def _files(kind: EventKind, action: Action, command: str, seen: str) -> tuple[str, ...]:
    named = [str(action.args[key]) for key in _ARG_FILES if isinstance(action.args.get(key), str)]
    if not named:
        shown = _SHOWN_FILE.search(seen[:400]) if kind is EventKind.EDIT else None
        named = (
            [shown[1]]
            if shown
            else _SCRIPT.findall(command.partition("\n")[0])
            or re.findall(r"[\w./-]+\.\w{2,5}\b", command.partition("\n")[0])
        )
    return tuple(dict.fromkeys(PurePosixPath(name).name for name in named if name))
