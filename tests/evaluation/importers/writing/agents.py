"""What writes the short run of ``logs`` as a coding agent records it; written after what the tools themselves wrote."""

from __future__ import annotations

from tests.evaluation.importers.writing.chats import write_langchain, write_messages, write_response_items
from tests.evaluation.importers.writing.claude import write_claude_code, write_claude_sdk
from tests.evaluation.importers.writing.codex import write_codex, write_codex_printed, write_codex_told
from tests.evaluation.importers.writing.gemini import write_gemini, write_gemini_json, write_gemini_printed
from tests.evaluation.importers.writing.openhands import (
    write_mini_swe_agent,
    write_openhands,
    write_openhands_output,
    write_openhands_sdk,
)

AGENT_WRITERS = {
    "claude code": write_claude_code,
    "claude sdk": write_claude_sdk,
    "messages": write_messages,
    "langchain": write_langchain,
    "response items": write_response_items,
    "codex": write_codex,
    "codex told": write_codex_told,
    "codex printed": write_codex_printed,
    "gemini": write_gemini,
    "gemini json": write_gemini_json,
    "gemini printed": write_gemini_printed,
    "openhands": write_openhands,
    "openhands output": write_openhands_output,
    "openhands sdk": write_openhands_sdk,
    "mini-swe-agent": write_mini_swe_agent,
}
