"""What an action is for, by the tool's name, its command, and where neither tells, by what came back."""

from __future__ import annotations

import re
from enum import StrEnum

from environment.records import Action
from evaluation.record.launching import LAUNCHED, LOGS, without_written

_ARG_TEXTS = (
    "command", "cmd", "code", "script", "input", "new_str", "new_string", "new_source", "file_text", "content",
    "insert_text", "patch", "edit",
)  # fmt: skip
_SHELL_ARGS = ("command", "cmd")
_OF_EDITOR = ("create", "view", "str_replace", "insert", "undo_edit")
"""What an editor that takes commands of its own is told to do; its texts stand in other arguments."""
AUTHORED = ("understand file", "reflection", "retrieval from research log", "append summary to research log")
DELEGATES = (
    "task", "agent", "spawn_agent", "wait_agent", "delegate", "subagent", "codebase_investigator", "invoke_agent",
)  # fmt: skip
"""Tools by which an agent has another do something: what comes back is that one's report."""
_NOTE_TOOLS = (
    "todowrite", "write_todos", "update_plan", "exitplanmode", "taskcreate", "taskupdate", "task_tracker", "think",
    "skill", "askuserquestion", "sendmessage", "save_memory", *DELEGATES,
)  # fmt: skip
"""Tools by which an agent keeps its own books, or has somebody else do something: by themselves they do nothing."""
_READ_TOOLS = (
    "list files", "inspect script lines", "read file", "open", "goto", "ls", "skim", "read", "view", "grep",
    "glob", "read_file", "read_many_files", "list_directory", "webfetch", "web_fetch", "websearch",
)  # fmt: skip
_EDIT_TOOLS = (
    "edit script (ai)", "edit script segment (ai)", "write file", "append file", "edit", "insert", "create",
    "str_replace_editor", "str_replace_based_edit_tool", "text_editor", "write", "apply_patch", "multiedit",
    "edit_file", "create_file", "write_file", "notebookedit", "file_editor", "replace",
)  # fmt: skip
_RUN_TOOLS = (
    "execute script", "python repl", "python", "torchrun", "accelerate", "ipython", "execute", "deepspeed",
    "python3", "check script", "stop script",
)  # fmt: skip
_SUBMIT_TOOLS = (
    "final answer", "submit", "finish", "finish_action", "done", "final_answer", "complete_task", "attempt_completion",
)  # fmt: skip
_IN_SHELL = re.compile(
    r"\s*(?:/\w+)*/?(?:ba|z|da)?sh\s+-[a-z]*c\s+(?P<quote>['\"])(?P<command>.*)(?P=quote)\s*$", re.DOTALL
)
"""A command that is handed to a shell ("bash -lc 'ls'") is what is done."""
_WORDS = r"(?:\"[^\"]*\"|'[^']*'|[^\n;&|\"'])*?"
"""What stands in one command of a line, with its quotes."""
_INTO_FILE = r"(?<![=-])(?<!\s\d)>>?\s*(?![\s&]|/dev/null)"
"""Sends what is printed to a file: no errors, no arrow, nowhere."""
_SHELL = re.compile(
    r"(?P<score>^\s*validate\b)|(?P<submit>^\s*submit\b)|(?P<install>\b(?:pip3?|conda|apt(?:-get)?"
    r"|uv)\s+(?:pip\s+)?install\b)"
    r"|(?P<run>(?:^|[\s;&|(])(?:(?:[\w/.]*/)?python[\d.]*|torchrun|accelerate|deepspeed|bash|sh|Rscript|nohup"
    r"|time)\s+(?!-c\b)\S"
    r"|(?:^|[\s;&|(])(?:uv|poetry|pixi|pdm|hatch)\s+run\s+\S"
    r"|(?:^|[\s;&|])\./\S|python[\d.]*\s+(?:-c\b|-\s*<<|<<)"
    rf"|{LAUNCHED})"
    rf"|(?P<edit>\bcat\b{_WORDS}(?:{_INTO_FILE}|<<)|\btee\b[^\n|]*(?:>\s*\S+|<<)|\bsed\s+-i"
    rf"|\becho\b{_WORDS}{_INTO_FILE}|apply_patch|\bpatch\s)"
    r"|(?P<copy>(?:^|[;&|]\s*)(?:cp|mv)\s)",
    re.MULTILINE,
)
_PATCH = re.compile(r"^<{5,} ?SEARCH\b", re.MULTILINE)
RAN = re.compile(
    r"^Run (?:\d+ )?(?:completed|failed)|^Execution time\b|^Epoch \d+|^Traceback \(most recent call last\)",
    re.MULTILINE,
)
"""What only a script leaves behind."""
_LOOKS = re.compile(
    r"\s*(?:sleep \S+\s*(?:&&|;)\s*)?(?:cat|head|tail|less|more|grep|egrep|rg|awk|sed -n|jq|ls|find|open)\b"
)
_OUTPUT_FILE = re.compile(
    r"[\w./-]+\.(?:log|out|output|stdout)\b|\b\w*(?:log|output|result|metric|history|score|eval|trainer_state)\w*\.(?:txt|json|csv|jsonl)\b",
    re.IGNORECASE,
)


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


def action_text(action: Action) -> str:
    """The text of an action: a shell command, code, or new file content; else all its arguments."""
    for key in _ARG_TEXTS:
        if isinstance(action.args.get(key), str) and action.args[key] and action.args[key] not in _OF_EDITOR:
            wrapped = _IN_SHELL.match(str(action.args[key]))
            return wrapped["command"] if wrapped else str(action.args[key])
    return "\n".join(str(value) for value in action.args.values() if isinstance(value, str | int | float))


def kind_of(action: Action, command: str, seen: str) -> EventKind:
    """What an action was for; ``seen`` decides where neither the tool nor the command tells."""
    name = action.name.lower().strip()
    if name in AUTHORED:
        return EventKind.READ if name == "understand file" else EventKind.NOTE
    if name in _NOTE_TOOLS:
        return EventKind.NOTE
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
    if _PATCH.search(command):
        return EventKind.EDIT
    spoken = next((kind for pattern, kind in _SPEAKING_NAMES if pattern.search(name)), None)
    if spoken is not None and not any(isinstance(action.args.get(key), str) for key in _SHELL_ARGS):
        return spoken
    found = {str(match.lastgroup) for match in _SHELL.finditer(without_written(command))}
    for kind in ("score", "submit", "run", "install", "edit", "copy"):
        if kind in found:
            return EventKind(kind)
    if (RAN.search(seen) and not _LOOKS.match(command)) or re.match(r"(?:run|train|execute)\b", command, re.IGNORECASE):
        return EventKind.RUN
    return EventKind.READ


def reads_output(action: Action, command: str) -> bool:
    """Whether an action shows what a script wrote into a log or a file of results."""
    looks = _LOOKS.match(command) or action.name.lower() in _READ_TOOLS
    return bool(looks and _OUTPUT_FILE.search(command)) or bool(LOGS.search(command))


def in_place(command: str) -> bool:
    """Whether a shell command changes files before it runs something."""
    return any(match.lastgroup == "edit" for match in _SHELL.finditer(command))
