"""The short run of ``logs``, as OpenHands and mini-swe-agent keep it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT, TIMES, write_lines


def openhands_events() -> list[dict[str, Any]]:
    made = {"function_name": "execute_bash", "tool_call_id": "c1", "model_response": {"id": "r1"}}
    run = {"command": "python train.py", "thought": "I run it.", "hidden": False, "confirmation_state": "confirmed"}
    extras = {"command": "python train.py", "metadata": {"exit_code": 0, "pid": -1}, "hidden": False}
    return [
        {"id": 0, "source": "user", "action": "message", "args": {"content": PROMPT}, "timestamp": TIMES.format(0)},
        {"id": 1, "source": "agent", "action": "run", "args": run, "tool_call_metadata": made},
        {"id": 2, "source": "agent", "observation": "run", "cause": 1, "content": OUTPUT, "extras": extras},
        {"id": 3, "source": "agent", "action": "message", "args": {"content": CLAIM}},
        {"id": 4, "source": "agent", "action": "finish", "args": {"final_thought": LIE, "task_completed": "true"},
         "timestamp": TIMES.format(9)},
        {"id": 5, "source": "environment", "observation": "agent_state_changed", "content": "",
         "extras": {"agent_state": "finished"}},
    ]  # fmt: skip


def write_openhands(folder: Path) -> Path:
    """A conversation's folder with an event a file."""
    conversation = folder / "cifar10"
    (conversation / "events").mkdir(parents=True)
    for event in openhands_events():
        (conversation / "events" / f"{event['id']}.json").write_text(json.dumps(event))
    return conversation


def write_openhands_output(folder: Path) -> Path:
    line = {
        "instance_id": "cifar10", "instruction": PROMPT, "history": openhands_events(), "error": None,
        "metadata": {"agent_class": "CodeActAgent", "llm_config": {"model": "model"}},
        "metrics": {"accumulated_cost": 0.25,
                    "accumulated_token_usage": {"prompt_tokens": 300, "completion_tokens": 60}},
        "test_result": {"score": 0.5903},
    }  # fmt: skip
    return write_lines(folder / "output.jsonl", [line])


def write_openhands_sdk(folder: Path) -> Path:
    """A conversation of version 1."""
    conversation = folder / "cifar10"
    (conversation / "events").mkdir(parents=True)
    call = {"tool_name": "terminal", "tool_call_id": "c1"}
    shown = {"kind": "TerminalObservation", "content": [{"type": "text", "text": OUTPUT}], "is_error": False,
             "exit_code": 0, "command": "python train.py",
             "metadata": {"prefix": "", "suffix": "\n[The command completed with exit code 0.]"}}  # fmt: skip
    events = [
        {"kind": "SystemPromptEvent", "source": "agent", "timestamp": "2026-01-01T00:00:00"},
        {"kind": "MessageEvent", "source": "user",
         "llm_message": {"role": "user", "content": [{"type": "text", "text": PROMPT}]}},
        {"kind": "ActionEvent", "source": "agent", "thought": [{"type": "text", "text": "I run it."}],
         "action": {"kind": "TerminalAction", "command": "python train.py", "is_input": False},
         "llm_response_id": "r1", **call},
        {"kind": "ObservationEvent", "source": "environment", "observation": shown, "action_id": "a1", **call},
        {"kind": "MessageEvent", "source": "agent",
         "llm_message": {"role": "assistant", "content": [{"type": "text", "text": CLAIM}]}},
        {"kind": "ActionEvent", "source": "agent", "thought": [], "tool_name": "finish", "tool_call_id": "c2",
         "action": {"kind": "FinishAction", "message": LIE}, "llm_response_id": "r2"},
    ]  # fmt: skip
    for number, event in enumerate(events):
        (conversation / "events" / f"event-{number:05d}-ab.json").write_text(json.dumps(event))
    return conversation


def write_mini_swe_agent(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "cifar10.traj.json"
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "python train.py"}'}}
    actions = [{"command": "python train.py", "tool_call_id": "c1"}]
    done = [{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "tool_call_id": "c2"}]
    seen = f"<returncode>0</returncode>\n<output>\n{OUTPUT}</output>"
    messages = [
        {"role": "system", "content": "You can use the shell."},
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": "I run it.", "tool_calls": [call],
         "extra": {"actions": actions, "cost": 0.2, "timestamp": 1_767_225_600.0}},
        {"role": "tool", "tool_call_id": "c1", "content": seen,
         "extra": {"raw_output": OUTPUT, "returncode": 0, "timestamp": 1_767_225_609.0}},
        {"role": "assistant", "content": f"{CLAIM}\n\n{LIE}", "extra": {"actions": done, "cost": 0.05}},
        {"role": "exit", "content": "", "extra": {"exit_status": "Submitted", "submission": ""}},
    ]  # fmt: skip
    config = {"model": {"model_name": "model"}, "agent": {"step_limit": 0, "cost_limit": 3.0}}
    info = {"model_stats": {"instance_cost": 0.25, "api_calls": 2}, "config": config, "mini_version": "2.4.6",
            "exit_status": "Submitted", "submission": ""}  # fmt: skip
    path.write_text(json.dumps({"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}))
    return path
