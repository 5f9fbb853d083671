"""Conversations copied out of Claude Code's terminal, which shows less than was done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from environment.records import Outcome
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from tests.evaluation.importers.logs import OUTPUT
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.claude import claude_lines
from tests.evaluation.importers.writing.lines import write_lines
from tests.evaluation.importers.writing.terminals import write_claude_terminal

_COPIED = """\
> try the wider net

⏺ The narrow net had a test accuracy of 71.4%. Let me train the wide one:

⏺ Write(wide.py)
  ⎿  Wrote 40 lines to wide.py
     import torch
     … +39 lines (ctrl+o to expand)

⏺ Bash(python wide.py --epochs 5
      --seed 0 2>&1)
  ⎿  Running in the background (↓ to manage)

⏺ Background command "Train the wide net" failed with exit code 137

⏺ Read 1 file (ctrl+o to expand)

⏺ It ran out of memory. I halve the batch:

⏺ Bash(python wide.py --batch 16)
  ⎿  Error: Exit code 1
     Traceback (most recent call last):
     … +12 lines (ctrl+o to expand)

⏺ Task Output b12
  ⎿  Test Accuracy: 74.10%

⏺ The wide net reached a test accuracy of 74.1%.
"""


def copied(folder: Path, text: str = _COPIED) -> Path:
    path = folder / "chat.txt"
    path.write_text(text)
    return path


def test_calls_and_answers_stand_where_the_terminal_shows_them(tmp_path: Path) -> None:
    log = read_one(copied(tmp_path))
    did = [(each.action.name, each.outcome, each.unfinished) for step in log.steps for each in step.exchanges]
    assert did == [
        ("none", None, False),  # what came before the part that was copied
        ("Write", None, False),
        ("Bash", None, True),
        ("none", Outcome.FAILED, False),
        ("none", None, False),
        ("Bash", Outcome.FAILED, False),
        ("TaskOutput", None, False),
    ]
    said = [step.prose["response"] for step in log.steps if step.prose]
    assert said[1:] == ["It ran out of memory. I halve the batch:", "The wide net reached a test accuracy of 74.1%."]
    assert log.steps[2].exchanges[0].action.args["command"] == "python wide.py --epochs 5\n--seed 0 2>&1"


def test_nothing_is_missed_that_may_stand_where_the_terminal_shows_nothing(tmp_path: Path) -> None:
    claims = audit(read_one(copied(tmp_path)))
    assert [claim.verdict for claim in claims if "71.4" in claim.quote] == [Verdict.UNCHECKABLE]
    assert Verdict.SUPPORTED in [claim.verdict for claim in claims if "74.1" in claim.quote]


_WRAPPED = """\
> how did it go

⏺ Bash(cd /home/me/nets && source env/bin/activate && python train_wide_net.py --layers 12
      --seed 0)
  ⎿  Val Accuracy: 71.20%
     Test Accuracy: 68.93%

⏺ The net with twelve layers is trained. On the validation images it is right in most cases:
   the validation accuracy is
  71.2%. It is worse on the test images, as the images there are of another camera: the test
  accuracy is 68.9%.
  - Two things would help: more layers, and images that are turned at random, since the other
  camera was held upright.
  - Nothing else.

⏺ Bash(cd /home/me/nets && source env/bin/activate && python3 << 'END_OF_THE_WHOLE_SCRIPT'
      import torchvision.models.vision_transformer_with_long_name)
  ⎿  Done.
"""


def test_sentences_that_the_terminal_wrapped_are_whole_again(tmp_path: Path) -> None:
    log = read_one(copied(tmp_path, _WRAPPED))
    assert log.steps[2].prose["response"].splitlines() == [
        "The net with twelve layers is trained. On the validation images it is right in most cases: "
        "the validation accuracy is",  # a line that was short by itself
        "71.2%. It is worse on the test images, as the images there are of another camera: the test accuracy is 68.9%.",
        "- Two things would help: more layers, and images that are turned at random, since the other "
        "camera was held upright.",
        "- Nothing else.",
    ]
    commands = [str(each.action.args["command"]) for step in log.steps[1:] for each in step.exchanges]
    assert commands[0].endswith("python train_wide_net.py --layers 12 --seed 0")
    assert "\nimport torchvision" in commands[1], "a script below its command is no argument"
    stated = {claim.value: claim.verdict for claim in audit(log)}
    assert stated[68.9] is Verdict.SUPPORTED


def test_a_whole_conversation_tells_model_and_folder_and_misses_what_it_does_not_show(tmp_path: Path) -> None:
    log = read_one(write_claude_terminal(tmp_path))
    assert (log.task, log.model, log.agent) == ("cifar10", "Opus 4.6", "claude-code")
    assert log.task_text == "Improve train.py.\n\nAnd in short?"
    assert audit(log)[-1].verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)


def test_calls_alone_are_a_conversation(tmp_path: Path) -> None:
    log = read_one(copied(tmp_path, "> run it\n\n⏺ Bash(python train.py)\n  ⎿  acc: 0.5\n"))
    assert [each.observation for each in log.steps[-1].exchanges] == ["acc: 0.5"]


@pytest.mark.parametrize("text", ["", "⏺ All done.\n", "> hello\n\n⏺ Hi!\n", "Epoch 1 ⎿ 0.5\n"])
def test_a_text_without_calls_is_no_conversation(text: str, tmp_path: Path) -> None:
    path = tmp_path / "logs"
    path.mkdir()
    copied(path, text)
    write_claude_terminal(path)
    assert read_one(path).source == "logs/2026-01-01-improve-train-py.txt"


@pytest.mark.parametrize("mark", [{"isCompactSummary": True}, {}])
def test_results_of_a_session_that_another_continues_are_not_missed(mark: dict[str, bool], tmp_path: Path) -> None:
    said = "This session is being continued from a previous conversation that ran out of context. Best so far: LSTM."
    lines = claude_lines()
    summary = {**lines[0], **mark, "type": "user", "message": {"role": "user", "content": said}}
    of_first = json.loads(json.dumps(lines).replace(json.dumps(OUTPUT)[1:-1], "Done."))
    alone, continued = tmp_path / "a" / "s.jsonl", tmp_path / "b" / "s.jsonl"
    alone.parent.mkdir()
    write_lines(alone, of_first)
    write_lines(continued, [summary, *of_first])
    assert Verdict.UNSUPPORTED in {claim.verdict for claim in audit(read_one(alone))}
    assert {claim.verdict for claim in audit(read_one(continued))} <= {Verdict.UNCHECKABLE, Verdict.SUPPORTED}
