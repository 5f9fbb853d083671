"""Sessions of Cline's command line, whose calls hold several commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from environment.records import Outcome, RunStatus
from evaluation.claims.claim import Verdict
from tests.evaluation.importers.files import written
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.reading import read_one, verdicts
from tests.evaluation.importers.writing.claude import call_block, result_block, text_block

BEGUN = 1_767_225_600_000


def _session(folder: Path, *messages: dict[str, Any], **manifest: Any) -> Path:
    spent = {"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 0, "cost": 0.125}
    lines = [
        {"id": f"m{n}", "ts": BEGUN + 1000 * n, **message}
        | ({"modelInfo": {"id": "model"}, "metrics": spent} if message["role"] == "assistant" else {})
        for n, message in enumerate(messages)
    ]
    held = {"version": 1, "updated_at": "2026-01-01T00:00:09Z", "agent": "lead", "sessionId": "s1", "messages": lines}
    about = {"version": 1, "session_id": "s1", "cwd": "/work/cifar10", "status": "completed", **manifest}
    written(folder / "s1", "s1.json", about)
    written(folder / "s1", "s1.messages.json", held)
    return folder


def _user(*content: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def _agent(*content: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content)}


def test_each_command_of_a_call_has_its_own_result(tmp_path: Path) -> None:
    commands = ["python train.py", {"command": "python", "args": ["test.py", "a b"]}]
    came: Any = [
        {"query": "python train.py", "result": OUTPUT, "success": True, "duration": 3},
        {"query": "python test.py", "result": "", "error": "KeyError: 'x'", "success": False},
    ]
    notes: list[str] = []
    log = read_one(
        _session(
            tmp_path,
            _user(text_block("Train.")),
            _agent(text_block("I run it."), call_block("c1", "run_commands", commands=commands)),
            _user({**result_block("c1", ""), "name": "run_commands", "content": came}),
            _agent(call_block("c2", "editor", path="train.py", old_text="lr = 1", new_text="lr = 2")),
            _user({**result_block("c2", ""), "content": [{"query": "edit:train.py", "result": "ok", "success": True}]}),
            _agent(call_block("c3", "submit_and_exit", summary=f"{CLAIM}\n\n{LIE}", verified=True)),
        ),
        notes,
    )
    ran, failed, edited, submitted = (each for step in log.steps for each in step.exchanges)
    assert (ran.action.args["command"], ran.observation, ran.outcome) == ("python train.py", OUTPUT, Outcome.OK)
    assert (failed.action.args["command"], failed.observation) == ("python test.py 'a b'", "KeyError: 'x'")
    assert failed.outcome is Outcome.FAILED
    assert (edited.action.name, edited.action.args["new_string"]) == ("edit", "lr = 2")
    assert submitted.action.name == "submit"
    assert (log.task, log.model, log.tokens, log.cost, log.seconds) == ("cifar10", "model", 360, 0.375, 5)
    assert (log.status, notes) == (RunStatus.COMPLETED, [])
    found = verdicts(log)
    assert found[CLAIM] is Verdict.SUPPORTED
    assert found[LIE].is_problem


def test_how_a_session_ended_stands_beside_it(tmp_path: Path) -> None:
    said = (_user(text_block("Train.")), _agent(text_block("I begin.")))
    assert read_one(_session(tmp_path / "a", *said, status="cancelled")).status is RunStatus.INTERRUPTED
    assert read_one(_session(tmp_path / "b", *said, status="failed")).status is RunStatus.INFRASTRUCTURE
    alone = _session(tmp_path / "c", *said)
    (alone / "s1" / "s1.json").write_text(json.dumps([]))
    assert read_one(alone / "s1" / "s1.messages.json").task == "s1"
