"""The short run of ``logs``, as libraries and SDKs keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written, written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.folder import BEGUN, ENDED
from tests.evaluation.importers.writing.lines import PROMPT


def smolagents_steps() -> list[dict[str, Any]]:
    code = "import subprocess\nprint(subprocess.run(['python', 'train.py'], capture_output=True).stdout)"
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    timing = {"start_time": BEGUN / 1000, "end_time": ENDED / 1000, "duration": 9.0}
    made = {"id": "c1", "type": "function", "function": {"name": "python_interpreter", "arguments": code}}
    ran = {
        "step_number": 1, "timing": timing, "model_input_messages": [], "tool_calls": [made], "error": None,
        "model_output": f"Thought: I run it.\n<code>\n{code}\n</code>", "code_action": code,
        "observations": f"Execution logs:\n{OUTPUT}\nLast output from code snippet:\nNone", "action_output": None,
        "token_usage": usage, "is_final_answer": False,
    }  # fmt: skip
    answer = {**made, "function": {"name": "python_interpreter", "arguments": "final_answer(said)"}}
    return [
        {"task": PROMPT, "task_images": None},
        ran,
        {**ran, "step_number": 2, "tool_calls": [answer],
         "model_output": f"{CLAIM}\n```py\nfinal_answer(said)\n```<end_code>",
         "code_action": "final_answer(said)", "observations": "Execution logs:\n", "action_output": LIE,
         "is_final_answer": True},
    ]  # fmt: skip


def write_smolagents(folder: Path) -> Path:
    return written(folder, "cifar10.json", smolagents_steps())


def write_smolagents_result(folder: Path) -> Path:
    """A ``RunResult``."""
    return written(folder, "cifar10.json", {"output": LIE, "state": "success", "steps": smolagents_steps()})


def write_smolagents_answers(folder: Path) -> Path:
    """Lines of answers with the steps that led to them, as benchmarks keep them."""
    line = {"model_id": "model", "question": PROMPT, "prediction": LIE, "intermediate_steps": smolagents_steps()}
    return written_lines(folder, "answers.jsonl", [line])


def write_pydantic_ai(folder: Path) -> Path:
    call = {
        "part_kind": "tool-call",
        "tool_name": "bash",
        "args": '{"command": "python train.py"}',
        "tool_call_id": "c",
    }
    came = {"part_kind": "tool-return", "tool_name": "bash", "content": OUTPUT, "tool_call_id": "c"}
    return written(
        folder,
        "cifar10.json",
        [
            {"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "You are a researcher."},
                                          {"part_kind": "user-prompt", "content": PROMPT}]},
            {"kind": "response", "model_name": "model",
             "parts": [{"part_kind": "text", "content": "I run it."}, call]},
            {"kind": "request", "parts": [came]},
            {"kind": "response", "parts": [{"part_kind": "thinking", "content": CLAIM}]},
            {"kind": "response", "parts": [{"part_kind": "text", "content": LIE}]},
        ],
    )  # fmt: skip


def write_ai_sdk(folder: Path) -> Path:
    """Messages of Vercel's AI SDK."""
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "bash", "input": {"command": "python train.py"}}
    came = {"type": "tool-result", "toolCallId": "c1", "toolName": "bash", "output": {"type": "text", "value": OUTPUT}}
    return written(
        folder,
        "cifar10.json",
        [
            {"role": "user", "content": PROMPT},
            {"role": "assistant", "content": [{"type": "text", "text": "I run it."}, call]},
            {"role": "tool", "content": [came]},
            {"role": "assistant", "content": [{"type": "reasoning", "text": CLAIM}]},
            {"role": "assistant", "content": [{"type": "text", "text": LIE}]},
        ],
    )
