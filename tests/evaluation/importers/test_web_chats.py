"""What exported chats tell beside messages: which branch is shown, what tools printed and how they ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.records import Outcome
from evaluation.importers.detect import read_logs
from evaluation.record.log import RunLog
from tests.evaluation.importers.reading import read_one, verdicts
from tests.evaluation.importers.writing.web_chats import (
    chatgpt_chat,
    chatgpt_message,
    chatgpt_run,
    write_chatgpt,
    write_claude_export,
)


def chatgpt(folder: Path, *messages: dict[str, Any]) -> RunLog:
    path = folder / "conversations.json"
    path.write_text(json.dumps([chatgpt_chat(*messages)]))
    return read_one(path)


def test_only_the_branch_that_is_shown_is_the_chat(tmp_path: Path) -> None:
    log = read_one(write_chatgpt(tmp_path))
    assert (log.task, log.agent, log.model, log.seconds) == ("cifar10", "chatgpt", "model", 300.0)
    assert not any("12.3" in quote for quote in verdicts(log))


@pytest.mark.parametrize(
    ("status", "outcome"), [("success", Outcome.OK), ("failed_with_in_kernel_exception", Outcome.FAILED)]
)
def test_code_ended_as_its_result_says(status: str, outcome: Outcome, tmp_path: Path) -> None:
    messages = chatgpt_run()
    messages[3]["metadata"]["aggregate_result"]["status"] = status
    (exchange,) = chatgpt(tmp_path, *messages).steps[0].exchanges
    assert exchange.outcome is outcome


def test_all_that_a_tool_gave_back_is_of_its_call_and_thoughts_are_thoughts(tmp_path: Path) -> None:
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "Plan", "content": "First the starter."}]}
    recap = {"content_type": "reasoning_recap", "content": "Thought for 4s"}
    log = chatgpt(
        tmp_path,
        chatgpt_message("user", "Go on."),
        {**chatgpt_message("assistant", ""), "content": thoughts},
        {**chatgpt_message("assistant", ""), "content": recap},
        chatgpt_message(
            "assistant", json.dumps({"cmd": ["bash", "-lc", "python train.py"]}), recipient="container.exec"
        ),
        chatgpt_message("tool", "epoch 1", "execution_output"),
        chatgpt_message("tool", "loss: 0.5", "execution_output"),
        chatgpt_message("assistant", "Done."),
    )
    (exchange,) = log.steps[0].exchanges
    assert log.steps[0].prose == {"reasoning": "First the starter."}
    assert (exchange.action.args["cmd"], exchange.observation) == ("python train.py", "epoch 1\nloss: 0.5")
    assert log.steps[1].prose == {"response": "Done."}


def test_a_chat_that_turns_back_on_itself_ends(tmp_path: Path) -> None:
    chat = chatgpt_chat(*chatgpt_run())
    chat["mapping"]["root"]["parent"] = "m5"
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chat]))
    assert read_one(path).steps


def test_each_chat_is_a_run_and_one_without_answers_none(tmp_path: Path) -> None:
    (chat,) = json.loads(write_claude_export(tmp_path).read_text())
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chat, {**chat, "uuid": "d"}, {**chat, "uuid": "e", "chat_messages": []}]))
    assert [log.source.rpartition("#")[2] for log in read_logs(path)] == ["c", "d"]
