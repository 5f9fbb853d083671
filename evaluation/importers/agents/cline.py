"""Conversations of Cline and Roo Code that call their tools by tags in what the model writes.

``api_conversation_history.json`` holds them as Anthropic's messages; results come back as texts of the user's. Those
that call tools by the provider's protocol are lists of messages as any other; sessions of Cline's command line stand in
``cline_sessions``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from environment.records import Outcome
from evaluation.importers.agents.cline_sessions import is_session, read_session
from evaluation.importers.ending import by_last_step
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import blocks
from evaluation.importers.parsing import mapping, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_TOOLS = (
    "execute_command|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|read_file|list_files"
    "|search_files|list_code_definition_names|use_mcp_tool|browser_action|ask_followup_question|update_todo_list"
)
_CALL = re.compile(rf"<(?P<tool>{_TOOLS})>(?P<given>.*?)(?:</(?P=tool)>|\Z)", re.DOTALL)
_ARGUMENT = re.compile(r"<(?P<name>\w+)>\n?(?P<value>.*?)\n?</(?P=name)>", re.DOTALL)
_ANSWER = re.compile(r"<attempt_completion>.*?<result>\s*(?P<said>.*?)\s*(?:</result>.*|\Z)", re.DOTALL)
_THOUGHT = re.compile(r"</?thinking>")
_RESULT = re.compile(r"\[\w+[^\n]{0,2000}?\] Result:\s*")
_AROUND = "<environment_details>"
_ASKED = re.compile(r"</?(?:task|user_message|feedback)>")
_EXITED = re.compile(r"\bExit code: (-?[1-9]\d*)")


def _messages(found: Found) -> list[dict[str, Any]]:
    data = found.json
    return [mapping(message) for message in data] if isinstance(data, list) else []


def _read(found: Found) -> Iterator[RunLog]:
    return read_session(found) if is_session(found) else _read_tags(found)


def _read_tags(found: Found) -> Iterator[RunLog]:
    turns, asked = Turns(), list[str]()
    for message in _messages(found):
        said = [text(block.get("text")) for block in blocks(message.get("content"))]
        if message.get("role") == "assistant":
            _wrote(turns, "\n".join(said))
        else:
            asked += _came_back(turns, said)
    steps = turns.steps()
    yield RunLog(
        source=found.source,
        steps=steps,
        task=found.path.parent.name if found.stem == "api_conversation_history" else found.stem,
        task_text="\n\n".join(asked),
        agent="cline",
        **by_last_step(steps),
    )


def _wrote(turns: Turns, said: str) -> None:
    """What the model wrote, and the tools that it called in it."""
    turns.begin()
    turns.say("response", _THOUGHT.sub("", _ANSWER.sub("", _CALL.sub("", said))).strip())
    for found in _CALL.finditer(said):
        given = {argument["name"]: argument["value"] for argument in _ARGUMENT.finditer(found["given"])}
        turns.call(tool_action(found["tool"], given))
    answer = _ANSWER.search(said)
    if answer:
        turns.say("final_answer", answer["said"])


def _came_back(turns: Turns, said: list[str]) -> list[str]:
    """Take in what the user's texts hold of results, each behind its heading; what the user asked."""
    asked: list[str] = []
    results: list[list[str]] = []
    for words in said:
        begins = _RESULT.match(words)
        if words.startswith(_AROUND):
            continue
        if begins:
            results.append([words[begins.end() :]])
        elif results:
            results[-1].append(words)
        elif words.strip():
            asked.append(_ASKED.sub("", words).strip())
    for shown in results:
        seen = "\n".join(filter(None, shown))
        turns.answer("", seen, Outcome.FAILED if _EXITED.search(seen) else None)
    return asked


def _recognises(found: Found) -> bool:
    if found.is_folder or found.has_lines:
        return False
    if is_session(found):
        return True
    messages = _messages(found)
    said = (text(message.get("content")) for message in messages[:40] if message.get("role") == "assistant")
    return any(_CALL.search(words) for words in said)


CLINE = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
