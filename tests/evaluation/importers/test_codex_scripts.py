"""Codex's tools called by scripts: each call is its own, with what came back for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from environment.records import Outcome
from evaluation.importers.agents.codex_scripts import ScriptCall, calls_in
from evaluation.record.kinds import EventKind
from evaluation.record.log import Exchange
from evaluation.record.run import RunModel
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.lines import write_lines

HEAD = "Script completed\nWall time 3.1 seconds\nOutput:\n"
PATCH = "*** Begin Patch\n*** Update File: train.py\n@@\n-lr = 0.1\n+lr = 0.01\n*** End Patch"
TRAIN = 'text(await tools.exec_command({cmd:"python train.py",workdir:"/w",yield_time_ms:30000}));\n'


def gave(output: str, **fields: object) -> str:
    return json.dumps({"chunk_id": "7f", "wall_time_seconds": 3.0, "output": output, **fields})


def session(folder: Path, *pairs: tuple[dict[str, Any], list[str] | str]) -> list[Exchange]:
    """What is read of calls, each with the texts that came back."""
    items: list[dict[str, Any]] = []
    for n, (call, output) in enumerate(pairs):
        kind = f"{call['type']}_output"
        seen = output if isinstance(output, str) else [{"type": "input_text", "text": part} for part in output]
        items += [{**call, "call_id": f"c{n}"}, {"type": kind, "call_id": f"c{n}", "output": seen}]
    path = write_lines(folder / "rollout-1.jsonl", [{"type": "response_item", "payload": item} for item in items])
    return [exchange for step in read_one(path).steps for exchange in step.exchanges]


def script(source: str) -> dict[str, Any]:
    return {"type": "custom_tool_call", "status": "completed", "name": "exec", "input": source}


@pytest.mark.parametrize(
    ("source", "calls"),
    [
        (TRAIN, [("exec_command", {"cmd": "python train.py", "workdir": "/w", "yield_time_ms": 30000})]),
        ("await tools.exec_command({ 'cmd': 'echo \"hi\" it\\'s', })", [("exec_command", {"cmd": 'echo "hi" it\'s'})]),
        ('const cmd = "ls\\n" + `pwd`; tools.exec_command({cmd})', [("exec_command", {"cmd": "ls\npwd"})]),
        (f"const patch = String.raw`{PATCH}`;\ntext(await tools.apply_patch(patch));", [("apply_patch", PATCH)]),
        (f"tools.apply_patch({json.dumps(PATCH.split(chr(10)))}.join('\\n'))", [("apply_patch", PATCH)]),
        ("// tools.apply_patch('no')\ntools.update_plan({plan: [{step: 'a', done: true}]}); tools.list()",
         [("update_plan", {"plan": [{"step": "a", "done": True}]}), ("list", {})]),
        ("for (const seed of [1, 2]) { await tools.exec_command({cmd: `python train.py ${seed}`}); }", []),
        ('text("hello")', []),
        ("tools.exec_command({cmd})", []),
        (f"tools.exec_command({'[' * 5_000}", []),
    ],
)  # fmt: skip
def test_what_a_script_calls_is_read_off_its_literals(source: str, calls: list[tuple[str, object]]) -> None:
    assert calls_in(source) == [ScriptCall(*call) for call in calls]


def test_each_command_has_its_own_result(tmp_path: Path) -> None:
    both = f"await tools.apply_patch({json.dumps(PATCH)});\n{TRAIN}" + TRAIN.replace("train", "test")
    printed = [HEAD, gave("loss: 0.5\nacc: 0.81\n", exit_code=0), gave("KeyError\n", exit_code=1)]
    edit, train, test = session(tmp_path, (script(both), printed))
    assert (edit.action.args["input"], edit.outcome) == (PATCH, Outcome.OK)
    assert (train.action.args["cmd"], train.observation, train.outcome) == (
        "python train.py", "loss: 0.5\nacc: 0.81\n", Outcome.OK
    )  # fmt: skip
    assert (test.observation, test.outcome) == ("KeyError\n", Outcome.FAILED)


def test_texts_that_a_script_prints_are_its_commands_in_turn(tmp_path: Path) -> None:
    source = "".join(f"text((await tools.exec_command({{cmd:'{cmd}'}})).output);" for cmd in ("python a.py", "pytest"))
    train, test = session(tmp_path, (script(source), [HEAD, "acc: 0.81\n", "2 failed\n"]))
    assert [train.observation.strip(), test.observation.strip()] == ["acc: 0.81", "2 failed"]
    train, test = session(tmp_path, (script(source), [HEAD, "acc: 0.81\n2 failed\n"]))
    assert (train.observation, test.observation.strip()) == ("", "acc: 0.81\n2 failed")


def test_the_events_are_those_of_the_tools(tmp_path: Path) -> None:
    session(
        tmp_path, (script(f"tools.apply_patch({json.dumps(PATCH)});{TRAIN}"), [HEAD, gave("acc: 0.8", exit_code=0)])
    )
    edit, run = RunModel.of(read_one(tmp_path / "rollout-1.jsonl")).events
    assert (edit.kind, edit.files, edit.changed) == (EventKind.EDIT, ("train.py",), True)
    assert (run.kind, run.files) == (EventKind.RUN, ("train.py",))


@pytest.mark.parametrize(
    ("printed", "outcome"),
    [
        ([HEAD, "acc: 0.81\n"], None),
        (f"{HEAD}acc: 0.81\n", None),
        ([HEAD, f"[{gave('acc: 0.81', exit_code=0)}]"], Outcome.OK),
        ([HEAD, "acc: 0.81\n", json.dumps({"exit_code": 1, "session_id": None})], Outcome.FAILED),
        ([HEAD.replace("completed", "failed"), "acc: 0.81"], Outcome.FAILED),
    ],
)
def test_what_a_script_prints_itself_is_its_command_s(
    printed: list[str] | str, outcome: Outcome | None, tmp_path: Path
) -> None:
    (run,) = session(tmp_path, (script(TRAIN), printed))
    assert (run.observation.strip(), run.outcome) == ("acc: 0.81", outcome)


def test_a_script_that_can_t_be_read_keeps_its_output(tmp_path: Path) -> None:
    loop = "for (const seed of [1, 2]) text(await tools.exec_command({cmd: `python train.py ${seed}`}));"
    (run,) = session(tmp_path, (script(loop), [HEAD, gave("acc: 0.8\n", exit_code=0), gave("acc: 0.9\n", exit_code=0)]))
    assert (run.action.args["input"], run.observation, run.outcome) == (loop, "acc: 0.8\n\nacc: 0.9\n", Outcome.OK)


def test_a_failed_patch_is_no_failed_command(tmp_path: Path) -> None:
    source = f"tools.apply_patch({json.dumps(PATCH)});{TRAIN}"
    said = "Script error:\napply_patch verification failed: no such lines"
    edit, run = session(tmp_path, (script(source), [HEAD.replace("completed", "failed"), said]))
    assert (edit.outcome, edit.observation) == (Outcome.FAILED, said)
    assert (run.unfinished, run.observation) == (True, "")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ([HEAD, gave("step 0", session_id=47)], script("text(await tools.write_stdin({session_id: 47, chars: ''}))")),
        (
            ["Script running with cell ID 12\nWall time 10.0 seconds\nOutput:\n", "step 0"],
            {"type": "function_call", "name": "wait", "arguments": '{"cell_id": "12", "yield_time_ms": 9000}'},
        ),
    ],
)
def test_a_command_that_goes_on_is_the_same_when_looked_at_again(
    first: list[str], again: dict[str, Any], tmp_path: Path
) -> None:
    begun, later = session(tmp_path, (script(TRAIN), first), (again, [HEAD, gave("acc: 0.81", exit_code=0)]))
    assert (begun.observation, begun.unfinished) == ("step 0", True)
    assert (later.observation, later.unfinished, later.outcome) == ("acc: 0.81", False, Outcome.OK)
    assert later.action.args["command"] == "python train.py"


@pytest.mark.parametrize("as_text", [str, json.dumps])
def test_what_other_harnesses_keep_of_a_script_is_taken_apart_too(
    as_text: Callable[[Any], str], tmp_path: Path
) -> None:
    parts = [{"type": "input_text", "text": part} for part in (HEAD, gave("acc: 0.81", exit_code=1))]
    call = {"tool_call_id": "c1", "function_name": "exec", "arguments": {"input": TRAIN}}
    result = {"source_call_id": "c1", "content": as_text(parts)}
    steps = [
        {"step_id": 1, "source": "agent", "message": "", "tool_calls": [call], "observation": {"results": [result]}}
    ]
    atif = {"schema_version": "ATIF-v1.7", "agent": {"name": "codex"}, "steps": steps}
    (tmp_path / "trajectory.json").write_text(json.dumps(atif))
    ((run,),) = (step.exchanges for step in read_one(tmp_path / "trajectory.json").steps)
    assert (run.action.args["cmd"], run.observation, run.outcome) == ("python train.py", "acc: 0.81", Outcome.FAILED)
