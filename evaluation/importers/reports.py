"""What an agent reports besides its messages: documents that it writes into files, and the answer that it hands in.

Both are its claims as its messages are, and stand with the prose of the step that wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from environment.records import Action
from evaluation.record.kinds import EventKind, action_text, kind_of
from evaluation.record.log import Exchange, LogStep, RunLog

_DOCUMENT = re.compile(
    r"\.(?:md|markdown|rst|tex|adoc)$|^readme\b"
    r"|(?:report|result|note|summar|analys|finding|conclusion|paper|abstract)\w*\.txt$",
    re.IGNORECASE,
)
_NOT_OF_RESULTS = re.compile(r"^(?:claude|agents|gemini|plan|todo|program|task|instructions?)\.md$", re.IGNORECASE)
_FILES = ("file_path", "path", "file_name", "filename", "file", "save_name")
_TEXTS = ("content", "file_text", "new_string", "new_str", "insert_text", "text")
_ANSWERS = ("final_answer", "answer", "message", "result", "summary", "output")
_HERE = re.compile(
    r"^(?P<line>[^\n]*<<-?[ \t]*['\"]?(?P<end>\w+)['\"]?[^\n]*)\n(?P<text>.*?)^\t*(?P=end)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_TARGET = re.compile(r"\b(?:cat|tee)\b.*?(?:>>?|\btee(?:[ \t]+-a)?)[ \t]*['\"]?(?P<file>[\w./~-]+)")
_PATCHED = re.compile(
    r"^\*\*\* (?:Add|Update) File: (?P<file>\S+)$\n(?P<text>.*?)(?=^\*\*\* (?!End of File)|\Z)",
    re.MULTILINE | re.DOTALL,
)


def with_reports(log: RunLog) -> RunLog:
    """The log, with what the agent reported as prose."""
    steps = tuple(_with_reports(step) for step in log.steps)
    return log if steps == log.steps else log.model_copy(update={"steps": steps})


def _with_reports(step: LogStep) -> LogStep:
    said = {name: words for exchange in step.exchanges for name, words in _reported(exchange)}
    new = {name: words for name, words in said.items() if name not in step.prose and words.strip()}
    return step.model_copy(update={"prose": {**step.prose, **new}}) if new else step


def is_report(name: str) -> bool:
    """Whether a file of this name holds what its writer reports, and no instructions."""
    return bool(_DOCUMENT.search(name)) and not _NOT_OF_RESULTS.match(name)


def _reported(exchange: Exchange) -> Iterator[tuple[str, str]]:
    """The documents that an action wrote, and the answer that it gave, each under the name of its prose."""
    action = exchange.action
    for file, words in _written(action):
        name = PurePosixPath(file).name
        if is_report(name):
            yield f"report: {name}", words
    if kind_of(action, action_text(action), "") is EventKind.SUBMIT:
        answers = (action.args.get(name) for name in _ANSWERS)
        yield "final_answer", next((words for words in answers if isinstance(words, str)), "")


def _written(action: Action) -> Iterator[tuple[str, str]]:
    """Files that an action writes, with their new text: by a tool, a patch, or a shell's here document."""
    file = next((value for name in _FILES if isinstance(value := action.args.get(name), str)), "")
    edits = action.args.get("edits")
    given = (
        [action.args, *(edit for edit in edits if isinstance(edit, dict))] if isinstance(edits, list) else [action.args]
    )
    for args in given if file else ():
        yield file, next((value for name in _TEXTS if isinstance(value := args.get(name), str)), "")
    command = action_text(action)
    for found in _PATCHED.finditer(command):
        added = [line[1:] for line in found["text"].splitlines() if line.startswith("+")]
        yield found["file"], "\n".join(added)
    for found in _HERE.finditer(command) if "<<" in command else ():
        target = _TARGET.search(found["line"])
        if target:
            yield target["file"], found["text"]
