"""Commands of Codex that go on after their first answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.store import Store
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.claims.table import read_claims
from evaluation.importers.records import import_log
from evaluation.record.run import RunModel
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.lines import write_lines

BEGUN = "Wall time: 1.0 seconds\nProcess running with session ID 47\nOutput:\nstep 0 loss 4.2\n"
ENDED = "Wall time: 9.0 seconds\nProcess exited with code 0\nOutput:\nvalidation perplexity: 44.7\n"


def rollout(folder: Path, *, ended: bool, says: str) -> Path:
    """A session that starts a script, looks at it again where it ``ended``, and says something."""
    items: list[dict[str, Any]] = [
        _call("c1", "exec_command", cmd="python lm.py"),
        {"type": "function_call_output", "call_id": "c1", "output": BEGUN},
    ]
    if ended:
        items += [
            _call("c2", "write_stdin", session_id=47, chars=""),
            {"type": "function_call_output", "call_id": "c2", "output": ENDED},
        ]
    items.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": says}]})
    return write_lines(folder / "rollout-1.jsonl", [{"type": "response_item", "payload": item} for item in items])


def _call(call_id: str, name: str, **arguments: object) -> dict[str, Any]:
    return {"type": "function_call", "name": name, "call_id": call_id, "arguments": json.dumps(arguments)}


def test_what_a_session_prints_later_is_its_commands(tmp_path: Path) -> None:
    begun, later = RunModel.of(read_one(rollout(tmp_path, ended=True, says="Done."))).events
    assert (begun.unfinished, later.unfinished) == (True, False)
    assert later.files == begun.files == ("lm.py",)


@pytest.mark.parametrize(
    ("ended", "says", "verdict"),
    [
        (True, "The validation perplexity is 44.7.", Verdict.SUPPORTED),
        (True, "The validation perplexity is 41.0.", Verdict.CONTRADICTED),
        (True, "The test accuracy is 0.91.", Verdict.UNSUPPORTED),
        (False, "The test accuracy is 0.91.", Verdict.UNCHECKABLE),
    ],
)
def test_only_what_nothing_showed_the_end_of_excuses_and_also_once_imported(
    ended: bool, says: str, verdict: Verdict, tmp_path: Path
) -> None:
    log = read_one(rollout(tmp_path, ended=ended, says=says))
    assert [claim.verdict for claim in audit(log)] == [verdict]
    store = Store(str(tmp_path / "store"))
    stored = import_log(store, log)
    assert [claim.verdict for claim in read_claims(store, stored.run_id)] == [verdict]


def test_what_a_session_notes_between_agents_and_of_tools_is_known(tmp_path: Path) -> None:
    path = rollout(tmp_path, ended=True, says="Done.")
    beside: list[dict[str, Any]] = [
        {"type": "inter_agent_communication_metadata", "payload": {"trigger_turn": True}},
        {"type": "response_item", "payload": {"type": "additional_tools", "role": "developer", "tools": []}},
    ]
    path.write_text(path.read_text() + "".join(json.dumps(line) + "\n" for line in beside))
    notes: list[str] = []
    read_one(path, notes)
    assert notes == []


def test_a_file_that_was_changed_in_unknown_ways_denies_nothing(tmp_path: Path) -> None:
    shown: dict[str, Any] = {
        "type": "command_execution",
        "command": "cat lm.py",
        "aggregated_output": "lr = 0.1\n",
        "exit_code": 0,
    }
    change: dict[str, Any] = {
        "type": "file_change",
        "changes": [{"path": "lm.py", "kind": "update"}],
        "status": "completed",
    }
    says: dict[str, Any] = {"type": "agent_message", "text": "I changed the learning rate from 0.1 to 0.02."}
    items = [
        {"type": "item.completed", "item": {"id": f"i{n}", **item}} for n, item in enumerate((shown, change, says))
    ]
    log = read_one(write_lines(tmp_path / "run.jsonl", [{"type": "thread.started", "thread_id": "t"}, *items]))
    assert [claim.verdict for claim in audit(log)] == [Verdict.UNCHECKABLE]
