"""The short run of ``logs``, as opencode keeps it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written, written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.folder import BEGUN, ENDED, FOLDER, database
from tests.evaluation.importers.writing.lines import PROMPT


def opencode_parts() -> list[list[dict[str, Any]]]:
    """The parts of three answers."""
    state = {"status": "completed", "input": {"command": "python train.py", "description": "Run"}, "output": OUTPUT,
             "title": "Run", "metadata": {"output": OUTPUT, "exit": 0}}  # fmt: skip
    return [
        [{"type": "step-start"}, {"type": "text", "text": "I run it."},
         {"type": "tool", "callID": "c1", "tool": "bash", "state": state},
         {"type": "step-finish", "reason": "tool-calls", "cost": 0.1, "tokens": {"input": 100, "output": 20}}],
        [{"type": "text", "text": CLAIM}],
        [{"type": "reasoning", "text": "Now the answer."}, {"type": "text", "text": LIE}],
    ]  # fmt: skip


def opencode_session() -> dict[str, Any]:
    tokens = {"input": 100, "output": 20, "reasoning": 0, "cache": {"read": 0, "write": 0}}
    messages = [
        {
            "info": {"id": "msg_0", "sessionID": "ses_1", "role": "user", "time": {"created": BEGUN}},
            "parts": [
                {"type": "text", "text": PROMPT},
                {"type": "text", "text": "Called the Read tool", "synthetic": True},
            ],
        }
    ]
    for number, parts in enumerate(opencode_parts(), start=1):
        about = {"id": f"msg_{number}", "sessionID": "ses_1", "role": "assistant", "modelID": "model", "cost": 0.1,
                 "tokens": tokens, "path": {"cwd": FOLDER, "root": FOLDER}}  # fmt: skip
        messages.append({"info": about, "parts": parts})
    session = {"id": "ses_1", "directory": FOLDER, "title": "A run", "time": {"created": BEGUN, "updated": ENDED}}
    return {"info": session, "messages": messages}


def write_opencode(folder: Path) -> Path:
    return written(folder, "session.json", opencode_session())


def write_opencode_printed(folder: Path) -> Path:
    """What ``opencode run --format json`` prints."""
    names = {"step-start": "step_start", "step-finish": "step_finish", "tool": "tool_use"}
    lines = [
        {
            "type": names.get(part["type"], part["type"]),
            "timestamp": BEGUN + number,
            "sessionID": "ses_1",
            "part": {**part, "messageID": f"msg_{number}"},
        }
        for number, parts in enumerate(opencode_parts())
        for part in parts
    ]
    return written_lines(folder, "cifar10.jsonl", lines)


def write_opencode_files(folder: Path) -> Path:
    """The store with a file a message."""
    session = opencode_session()
    written(folder, "session/p1/ses_1.json", session["info"])
    for message in session["messages"]:
        about = message["info"]
        written(folder, f"message/ses_1/{about['id']}.json", about)
        for number, part in enumerate(message["parts"]):
            written(folder, f"part/{about['id']}/prt_{number}.json", part)
    return folder


def write_opencode_database(folder: Path) -> Path:
    session = opencode_session()
    messages = [(m["info"]["id"], "ses_1", BEGUN + n, json.dumps(m["info"])) for n, m in enumerate(session["messages"])]
    parts = [
        (f"prt_{n}", m["info"]["id"], json.dumps(part))
        for m in session["messages"]
        for n, part in enumerate(m["parts"])
    ]
    return database(
        folder,
        "opencode.db",
        {
            "session": ("id, directory, title, time_created, time_updated", [("ses_1", FOLDER, "A run", BEGUN, ENDED)]),
            "message": ("id, session_id, time_created, data", messages),
            "part": ("id, message_id, data", parts),
        },
    )
