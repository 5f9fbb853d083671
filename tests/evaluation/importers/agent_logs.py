"""The short run of ``logs``, as each coding agent records it; written after what the tools themselves wrote."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT

PROMPT = "Improve train.py."
TIMES = "2026-01-01T00:00:{:02d}.000Z"


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def _claude_line(number: int, kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
    own = {"parentUuid": f"u{number - 1}", "uuid": f"u{number}", "isSidechain": False, "sessionId": "s1"}
    return {**own, "cwd": "/work/cifar10", "timestamp": TIMES.format(number), "type": kind, "message": message, **more}


def said(message_id: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    usage = {"input_tokens": 100, "cache_read_input_tokens": 0, "output_tokens": 20, "service_tier": "standard"}
    return {"id": message_id, "role": "assistant", "model": "model", "content": list(blocks), "usage": usage}


def text_block(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call_block(call_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result_block(call_id: str, seen: str, **more: Any) -> dict[str, Any]:
    return {"tool_use_id": call_id, "type": "tool_result", "content": seen, **more}


def claude_lines() -> list[dict[str, Any]]:
    run = call_block("t1", "Bash", command="python train.py", description="Run")
    results = {"role": "user", "content": [result_block("t1", OUTPUT)]}
    return [
        {"type": "queue-operation", "operation": "enqueue", "content": PROMPT, "sessionId": "s1"},
        _claude_line(0, "user", {"role": "user", "content": PROMPT}),
        _claude_line(1, "assistant", said("m1", text_block("I run it."))),
        _claude_line(2, "assistant", said("m1", run)),
        _claude_line(3, "user", results, toolUseResult={"stdout": OUTPUT, "stderr": "", "interrupted": False}),
        _claude_line(4, "assistant", said("m2", text_block(CLAIM), call_block("t2", "Bash", command="ls"))),
        _claude_line(5, "user", {"role": "user", "content": [result_block("t2", "train.py")]}),
        _claude_line(6, "assistant", said("m3", text_block(LIE))),
    ]


def write_claude_code(folder: Path) -> Path:
    return write_lines(folder / "s1.jsonl", claude_lines())


def write_claude_sdk(folder: Path) -> Path:
    """The SDK's objects, dumped by their fields."""
    folder.mkdir(parents=True)
    path = folder / "messages.json"
    run = {"id": "t1", "name": "Bash", "input": {"command": "python train.py"}}
    messages = [
        {"subtype": "init", "data": {"session_id": "s1", "cwd": "/work/cifar10", "model": "model"}},
        {"content": [{"text": "I run it."}, run], "model": "model", "parent_tool_use_id": None},
        {"content": [{"tool_use_id": "t1", "content": OUTPUT, "is_error": None}], "parent_tool_use_id": None},
        {"content": [{"thinking": "Good.", "signature": ""}, {"text": CLAIM}], "model": "model",
         "parent_tool_use_id": None},
        {"content": [{"text": LIE}], "model": "model", "parent_tool_use_id": None},
        {"subtype": "success", "duration_ms": 5000, "is_error": False, "num_turns": 3, "total_cost_usd": 0.25,
         "usage": {}, "session_id": "s1"},
    ]  # fmt: skip
    path.write_text(json.dumps(messages))
    return path


def write_messages(folder: Path) -> Path:
    """Messages as OpenAI's protocol has them."""
    folder.mkdir(parents=True)
    path = folder / "cifar10.json"
    function = {"name": "bash", "arguments": json.dumps({"command": "python train.py"})}
    call = {"id": "c1", "type": "function", "function": function}
    messages = [
        {"role": "system", "content": "You are a researcher."},
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": "I run it.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": OUTPUT},
        {"role": "assistant", "content": CLAIM},
        {"role": "assistant", "content": LIE},
    ]
    path.write_text(json.dumps({"model": "model", "messages": messages}))
    return path


def write_langchain(folder: Path) -> Path:
    """Messages as LangChain makes dictionaries of them."""
    folder.mkdir(parents=True)
    path = folder / "cifar10.json"
    call = {"name": "bash", "args": {"command": "python train.py"}, "id": "c1", "type": "tool_call"}
    made = {"response_metadata": {"model_name": "model"}, "tool_calls": []}
    messages = [
        {"type": "system", "content": "You are a researcher."},
        {"type": "human", "data": {"content": PROMPT, "type": "human"}},
        {"type": "ai", "content": "I run it.", "tool_calls": [call]},
        {"type": "tool", "content": OUTPUT, "tool_call_id": "c1", "status": "success"},
        {"type": "ai", "content": CLAIM, **made},
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"],
         "kwargs": {"content": LIE, "type": "ai", **made}},
    ]  # fmt: skip
    path.write_text(json.dumps({"messages": messages}))
    return path


def write_response_items(folder: Path) -> Path:
    """Items of OpenAI's Responses protocol."""
    folder.mkdir(parents=True)
    path = folder / "cifar10.json"
    items = [
        {"role": "user", "content": PROMPT},
        {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "Run first."}]},
        {
            "type": "function_call",
            "call_id": "c1",
            "name": "bash",
            "arguments": '{"command": ["bash", "-lc", "python train.py"]}',
        },
        {"type": "function_call_output", "call_id": "c1", "output": OUTPUT},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": f"{CLAIM}\n\n{LIE}"}]},
    ]
    path.write_text(json.dumps(items))
    return path


def _codex_line(number: int, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": TIMES.format(number), "ordinal": number, "type": kind, "payload": payload}


def _codex_said(words: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}


def codex_lines() -> list[dict[str, Any]]:
    call = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd": "python train.py"}', "call_id": "c1"}
    seen = f"Chunk ID: 4f\nWall time: 1.2000 seconds\nProcess exited with code 0\nOutput:\n{OUTPUT}"
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": PROMPT}]}
    around = {"type": "message", "role": "user",
              "content": [{"type": "input_text", "text": "<environment_context>\n</environment_context>"}]}  # fmt: skip
    items = [
        around, asked, _codex_said("I run it."), call,
        {"type": "function_call_output", "call_id": "c1", "output": seen}, _codex_said(CLAIM),
        {**call, "call_id": "c2", "arguments": '{"cmd": "ls"}'},
        {"type": "function_call_output", "call_id": "c2", "output": "Process exited with code 0\nOutput:\ntrain.py"},
        _codex_said(LIE),
    ]  # fmt: skip
    meta = {"id": "r1", "cwd": "/work/cifar10", "originator": "codex_exec", "cli_version": "0.171.0"}
    usage = {"total_token_usage": {"input_tokens": 300, "output_tokens": 60, "total_tokens": 360}}
    return [
        _codex_line(0, "session_meta", meta),
        _codex_line(1, "turn_context", {"cwd": "/work/cifar10", "model": "model"}),
        *(_codex_line(2 + n, "response_item", item) for n, item in enumerate(items)),
        _codex_line(20, "event_msg", {"type": "token_count", "info": usage}),
        _codex_line(21, "event_msg", {"type": "task_complete", "last_agent_message": LIE}),
    ]


def write_codex(folder: Path) -> Path:
    return write_lines(folder / "rollout-2026-01-01T00-00-00-r1.jsonl", codex_lines())


def write_codex_told(folder: Path) -> Path:
    """What ``codex exec --json`` printed at first."""
    begun = {"type": "exec_command_begin", "call_id": "c1", "command": ["bash", "-lc", "python train.py"], "cwd": "/w"}
    ended = {"type": "exec_command_end", "call_id": "c1", "stdout": OUTPUT, "stderr": "", "exit_code": 0}
    events = [
        {"type": "task_started", "model_context_window": 1},
        {"type": "agent_message", "message": "I run it."},
        begun,
        ended,
        {"type": "token_count", "info": {"total_token_usage": {"total_tokens": 360}}},
        {"type": "agent_message", "message": f"{CLAIM}\n\n{LIE}"},
        {"type": "task_complete", "last_agent_message": LIE},
    ]
    return write_lines(folder / "codex.jsonl", ({"id": "0", "msg": event} for event in events))


def write_codex_printed(folder: Path) -> Path:
    """What ``codex exec --json`` prints, kept in a file of any name."""
    run = {"id": "i1", "type": "command_execution", "command": "/bin/bash -lc 'python train.py'",
           "aggregated_output": OUTPUT, "exit_code": 0, "status": "completed"}  # fmt: skip
    return write_lines(
        folder / "codex.json",
        [
            {"type": "thread.started", "thread_id": "r1"},
            {"type": "turn.started"},
            {"type": "item.completed", "item": {"id": "i0", "type": "agent_message", "text": "I run it."}},
            {"type": "item.started", "item": {**run, "aggregated_output": "", "exit_code": None}},
            {"type": "item.completed", "item": run},
            {"type": "item.completed", "item": {"id": "i2", "type": "agent_message", "text": f"{CLAIM}\n\n{LIE}"}},
            {"type": "turn.completed", "usage": {"input_tokens": 300, "output_tokens": 60}},
        ],
    )


def _gemini_line(number: int, **fields: Any) -> dict[str, Any]:
    tokens = {"input": 100, "output": 20, "cached": 0, "total": 120}
    return {"id": f"m{number}", "timestamp": TIMES.format(number), "type": "gemini", "model": "model",
            "tokens": tokens, **fields}  # fmt: skip


def gemini_lines() -> list[dict[str, Any]]:
    seen = f"<untrusted_context>\nOutput: {OUTPUT}\nProcess Group PGID: 27591\n</untrusted_context>"
    response = {"functionResponse": {"id": "g1", "name": "run_shell_command", "response": {"output": seen}}}
    call = {"id": "g1", "name": "run_shell_command", "args": {"command": "python train.py"}, "result": [response],
            "status": "success"}  # fmt: skip
    about = {"sessionId": "s1", "projectHash": "ab", "startTime": TIMES.format(0), "lastUpdated": TIMES.format(0)}
    return [
        about,
        {"id": "m0", "type": "user", "content": [{"text": PROMPT}]},
        _gemini_line(1, content="I run it."),
        _gemini_line(1, content="I run it.", toolCalls=[call]),
        {"id": "m2", "type": "user", "content": [response]},
        {"$set": {"lastUpdated": TIMES.format(9)}},
        _gemini_line(3, content=CLAIM, thoughts=[{"subject": "Next", "description": "Answer."}]),
        _gemini_line(4, content=LIE),
    ]


def write_gemini(folder: Path) -> Path:
    return write_lines(folder / "cifar10" / "chats" / "session-2026-01-01T00-00-s1.jsonl", gemini_lines())


def write_gemini_json(folder: Path) -> Path:
    """The session as one object, as it was kept before 2026."""
    path = folder / "cifar10" / "chats" / "session-2025-10-01T00-00-s1.json"
    path.parent.mkdir(parents=True)
    about, *lines = gemini_lines()
    latest = {line["id"]: line for line in lines if "id" in line}
    path.write_text(json.dumps({**about, "lastUpdated": TIMES.format(9), "messages": list(latest.values())}))
    return path


def write_gemini_printed(folder: Path) -> Path:
    """What ``--output-format stream-json`` prints."""

    def piece(words: str) -> dict[str, Any]:
        return {"type": "message", "role": "assistant", "content": words, "delta": True}

    call = {"tool_name": "run_shell_command", "tool_id": "g1", "parameters": {"command": "python train.py"}}
    events = [
        {"type": "init", "session_id": "s1", "model": "model"},
        {"type": "message", "role": "user", "content": PROMPT},
        piece("I run"), piece(" it."),
        {"type": "tool_use", **call},
        {"type": "tool_result", "tool_id": "g1", "status": "success", "output": OUTPUT},
        piece(CLAIM), piece(f"\n\n{LIE}"),
        {"type": "result", "status": "success", "stats": {"total_tokens": 360}},
    ]  # fmt: skip
    return write_lines(
        folder / "gemini.jsonl", ({**event, "timestamp": TIMES.format(n)} for n, event in enumerate(events))
    )


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


AGENT_WRITERS = {
    "claude code": write_claude_code,
    "claude sdk": write_claude_sdk,
    "messages": write_messages,
    "langchain": write_langchain,
    "response items": write_response_items,
    "codex": write_codex,
    "codex told": write_codex_told,
    "codex printed": write_codex_printed,
    "gemini": write_gemini,
    "gemini json": write_gemini_json,
    "gemini printed": write_gemini_printed,
    "openhands": write_openhands,
    "openhands output": write_openhands_output,
    "openhands sdk": write_openhands_sdk,
    "mini-swe-agent": write_mini_swe_agent,
}
