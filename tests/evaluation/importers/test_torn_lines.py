"""Behind a line that is torn anything may have been run: no reader of JSON lines lets a statement be accused there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.importers.logs import LIE, write_neutral
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.search_logs import write_kiro_events
from tests.evaluation.importers.writing.claude import claude_lines, write_claude_code
from tests.evaluation.importers.writing.codex import write_codex, write_codex_printed
from tests.evaluation.importers.writing.editors import write_copilot, write_cursor
from tests.evaluation.importers.writing.gemini import write_gemini, write_gemini_printed
from tests.evaluation.importers.writing.lines import write_lines
from tests.evaluation.importers.writing.opencode import write_opencode_printed
from tests.evaluation.importers.writing.openhands import write_openhands_sdk
from tests.evaluation.importers.writing.terminals import write_kimi, write_pi, write_qwen, write_qwen_printed


def write_openhands_lines(folder: Path) -> Path:
    """The events of a conversation in one file."""
    events = map(json.loads, (file.read_text() for file in sorted(write_openhands_sdk(folder).glob("events/*.json"))))
    return write_lines(folder / "events.jsonl", events)


WRITERS = [
    write_claude_code,
    write_codex,
    write_codex_printed,
    write_copilot,
    write_cursor,
    write_gemini,
    write_gemini_printed,
    write_kimi,
    write_kiro_events,
    write_neutral,
    write_opencode_printed,
    write_openhands_lines,
    write_pi,
    write_qwen,
    write_qwen_printed,
]


def _accused(log: Path) -> bool:
    return any(claim.verdict.is_problem for claim in audit(read_one(log)) if "93.1" in claim.quote)


@pytest.mark.parametrize("torn", ['{"type": "assis', "[1]", "\x00\x00"])
@pytest.mark.parametrize("write", WRITERS)
def test_what_stands_behind_a_torn_line_is_not_accused(
    write: Callable[[Path], Path], torn: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "log")
    file = path if path.is_file() else next(path.rglob("*.jsonl"))
    assert _accused(path)
    lines = file.read_text().splitlines()
    lies = next(number for number, line in enumerate(lines) if LIE in line)
    file.write_text("\n".join([*lines[:lies], torn, *lines[lies:]]) + "\n")
    assert not _accused(path)


def test_an_event_of_a_folder_that_is_torn_is_a_gap_too(tmp_path: Path) -> None:
    conversation = write_openhands_sdk(tmp_path)
    assert _accused(conversation)
    events = sorted(conversation.glob("events/*.json"))
    before = next(n for n, file in enumerate(events) if LIE in file.read_text()) - 1
    events[before].write_text('{"kind": "Obs')
    assert not _accused(conversation)


def test_a_torn_line_of_a_subagent_is_a_gap_in_what_it_did(tmp_path: Path) -> None:
    path = write_claude_code(tmp_path)
    lines = path.read_text().splitlines()
    own = path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    own.parent.mkdir(parents=True)
    own.write_text("\n".join(lines) + "\n")
    write_lines(path, claude_lines()[:2])
    assert _accused(path)
    lies = next(number for number, line in enumerate(lines) if LIE in line)
    own.write_text("\n".join([*lines[:lies], '{"type', *lines[lies:]]) + "\n")
    assert not _accused(path)
