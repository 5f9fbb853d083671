"""Texts that harnesses print for people, in place of what programs could read."""

from __future__ import annotations

from pathlib import Path

from environment.records import EndedBy, Outcome
from evaluation.importers.detect import read_logs
from evaluation.record.log import RunLog
from tests.evaluation.importers.logs import OUTPUT
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.printed import (
    PRINTED,
    TRANSCRIPT,
    write_claude_transcript,
    write_openhands_printed,
)

_WRITTEN = """
Assistant — turn 6
  Tool call — Write (call_2)
    {
      "file_path": "/home/user/task/train.py",
      "content": import json

    config = {
        "lr": 0.1,
    }
    json.dump(config, open("c.json", "w"))
    }
  Tool call — Bash (call_3)
    {
      "command": python train.py --lr 0.1 2>&1 |
    tail -5,
      "description": "Train",
      "timeout": 600000
    }

User — turn 3
  Tool result — Bash (call_3)
    Traceback (most recent call last):
    KeyError: 'x'
"""


def done(log: RunLog) -> list[tuple[str, object]]:
    return [(each.action.name, each.action.args) for step in log.steps for each in step.exchanges]


def test_a_transcript_of_claude_code_tells_what_the_session_did(tmp_path: Path) -> None:
    log = read_one(write_claude_transcript(tmp_path))
    assert (log.task, log.model, log.agent, log.cost, log.seconds) == ("gsm8k_7", "model", "claude-code", 0.25, 120.5)
    assert done(log) == [("Bash", {"command": "python train.py"})]
    assert [step.prose["reasoning"] for step in log.steps if "reasoning" in step.prose] == ["Is it so?"]


def test_arguments_of_several_lines_are_whole_and_an_error_is_read_off_the_output(tmp_path: Path) -> None:
    path = write_claude_transcript(tmp_path)
    path.write_text(TRANSCRIPT.partition("Result —")[0] + _WRITTEN)
    log = read_one(path)
    written, run = done(log)[1:]
    content = 'import json\n\nconfig = {\n    "lr": 0.1,\n}\njson.dump(config, open("c.json", "w"))'
    assert written == ("Write", {"file_path": "/home/user/task/train.py", "content": content})
    command = "python train.py --lr 0.1 2>&1 |\ntail -5"
    assert run == ("Bash", {"command": command, "description": "Train", "timeout": 600000})
    assert log.steps[-1].exchanges[-1].outcome is None, "the transcript does not tell; its text shows the failure"


def test_what_openhands_prints_is_a_run(tmp_path: Path) -> None:
    log = read_one(write_openhands_printed(tmp_path))
    assert (log.task, log.agent, log.ended_by) == ("cifar10", "openhands", EndedBy.FINAL_ANSWER)
    assert done(log) == [("execute_bash", {"command": "python train.py"})]
    (exchange,) = log.steps[0].exchanges
    assert exchange.outcome is Outcome.OK
    assert exchange.observation.startswith(OUTPUT.strip())
    assert "It's done." in log.steps[-1].prose["response"]


def test_a_command_that_failed_and_one_of_the_harness(tmp_path: Path) -> None:
    path = write_openhands_printed(tmp_path)
    own = "12:00:01 - ACTION\n**CmdRunAction (source=None, is_input=False)**\nCOMMAND:\nmkdir /workspace\n"
    path.write_text(
        PRINTED.replace("exit code=0", "exit code=1").replace("12:00:03 - ACTION", f"{own}12:00:03 - ACTION")
    )
    names = [(each.action.name, each.outcome) for step in read_one(path).steps for each in step.exchanges]
    assert names == [("none", None), ("execute_bash", Outcome.FAILED)]


def test_other_texts_are_none(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("12:00:00 - ACTION\njump\n12:00:01 - OBSERVATION\n0.5\n")
    (tmp_path / "notes.txt").write_text("Assistant — turn 1\n  Hello.\n")
    write_openhands_printed(tmp_path)
    (log,) = read_logs(tmp_path)
    assert log.source.endswith("cifar10.log")
