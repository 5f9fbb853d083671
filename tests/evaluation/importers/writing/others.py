"""What writes the short run of ``logs`` as further agents keep it; after what they wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.evaluation.importers.writing.editors import write_amp, write_cline, write_copilot, write_cursor
from tests.evaluation.importers.writing.frameworks import (
    write_agents_sdk,
    write_autogen,
    write_autogen_code,
    write_continue,
    write_langgraph,
    write_langsmith,
)
from tests.evaluation.importers.writing.goose import write_crush, write_goose, write_goose_database, write_goose_printed
from tests.evaluation.importers.writing.libraries import (
    write_ai_sdk,
    write_pydantic_ai,
    write_smolagents,
    write_smolagents_answers,
    write_smolagents_result,
)
from tests.evaluation.importers.writing.opencode import (
    write_opencode,
    write_opencode_database,
    write_opencode_files,
    write_opencode_printed,
)
from tests.evaluation.importers.writing.printed import write_claude_transcript, write_openhands_printed
from tests.evaluation.importers.writing.telemetry import (
    write_langfuse,
    write_openinference,
    write_otlp,
    write_otlp_messages,
)
from tests.evaluation.importers.writing.terminals import (
    write_claude_terminal,
    write_hook_messages,
    write_kimi,
    write_pi,
    write_pi_printed,
    write_qwen,
    write_qwen_printed,
)
from tests.evaluation.importers.writing.web_chats import write_chatgpt, write_claude_export

OTHER_WRITERS: dict[str, Callable[[Path], Path]] = {
    "opencode": write_opencode,
    "opencode, printed": write_opencode_printed,
    "opencode, files": write_opencode_files,
    "opencode, database": write_opencode_database,
    "goose": write_goose,
    "goose, printed": write_goose_printed,
    "goose, database": write_goose_database,
    "crush": write_crush,
    "smolagents": write_smolagents,
    "smolagents, result": write_smolagents_result,
    "smolagents, answers": write_smolagents_answers,
    "pydantic-ai": write_pydantic_ai,
    "ai sdk": write_ai_sdk,
    "amp": write_amp,
    "cursor": write_cursor,
    "copilot": write_copilot,
    "cline": write_cline,
    "pi": write_pi,
    "pi, printed": write_pi_printed,
    "qwen code": write_qwen,
    "qwen code, printed": write_qwen_printed,
    "kimi": write_kimi,
    "claude, terminal": write_claude_terminal,
    "claude, transcript": write_claude_transcript,
    "openhands, printed": write_openhands_printed,
    "claude, hook": write_hook_messages,
    "autogen": write_autogen,
    "autogen, code": write_autogen_code,
    "langgraph": write_langgraph,
    "continue": write_continue,
    "agents sdk, trace": write_agents_sdk,
    "langsmith": write_langsmith,
    "opentelemetry": write_otlp,
    "opentelemetry, messages": write_otlp_messages,
    "openinference": write_openinference,
    "langfuse": write_langfuse,
    "chatgpt": write_chatgpt,
    "claude, exported": write_claude_export,
}
