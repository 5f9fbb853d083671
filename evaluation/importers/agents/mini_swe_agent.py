"""Trajectories of mini-swe-agent (``*.traj.json``): its messages, with what each command gave beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from environment.records import Action, EndedBy, Outcome
from evaluation.importers.ending import INTERRUPTED, Ending, Span, broken_off, completed, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import blocks
from evaluation.importers.parsing import figure, mapping, objects, text, tool_action
from evaluation.importers.results import outcome_of
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_FENCED = re.compile(r"```(?:bash|sh|mswea_bash_command)?[^\n`]*\n(.*?)\n?```\s*", re.DOTALL)
_CODE = re.compile(r"<returncode>(-?\d+)</returncode>")
_LIMITS = {"LimitsExceeded": EndedBy.STEPS, "TimeExceeded": EndedBy.TIME, "Submitted": EndedBy.FINAL_ANSWER}


def _read(found: Found) -> Iterator[RunLog]:
    data = found.json
    info = mapping(data.get("info"))
    messages = objects(data.get("messages") or [], found.path, "messages")
    turns, asked = Turns(), []
    for message in messages:
        if message.get("role") == "assistant" or message.get("object") == "response":
            _said(turns, message)
        elif message.get("role") == "exit":
            _left(turns, message)
        elif turns.waits:
            _came_back(turns, message)
        elif message.get("role") == "user":
            asked.append(text(message.get("content")))
    stats, config = mapping(info.get("model_stats")), mapping(info.get("config"))
    yield RunLog(
        source=found.source,
        steps=turns.steps(),
        task=text(data.get("instance_id")) or found.stem.removesuffix(".traj"),
        task_text="\n\n".join(asked[:1]),
        model=text(mapping(config.get("model")).get("model_name")) or None,
        agent="mini-swe-agent",
        tokens=_tokens(messages),
        cost=figure(stats.get("instance_cost")) or None,
        **_times(messages),
        **_ending(text(info.get("exit_status")), mapping(config.get("agent")), stats, messages),
    )


def _said(turns: Turns, message: dict[str, Any]) -> None:
    """What the model wrote, without the command that stands fenced in it, and the commands."""
    extra = mapping(message.get("extra"))
    actions = extra.get("actions")
    turns.begin()
    turns.say("reasoning", text(message.get("reasoning_content")))
    content = message.get("content")
    for item in blocks(message.get("output")) if message.get("object") == "response" else ():
        kind = "reasoning" if item.get("type") == "reasoning" else "response"
        turns.say(kind, text(item.get("summary") if kind == "reasoning" else item.get("content")))
    said = text(content)
    fenced = _FENCED.findall(said) if not message.get("tool_calls") else []
    turns.say("response", _FENCED.sub("", said).strip() if fenced else said)
    if not isinstance(actions, list):
        actions = [{"command": command} for command in fenced] or list(_called(message))
    for given in actions:
        command = text(mapping(given).get("command")) if isinstance(given, dict) else text(given)
        turns.call(Action(name="bash", args={"command": command}), text(mapping(given).get("tool_call_id")))


def _called(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The commands of a message's tool calls."""
    for call in message.get("tool_calls") or []:
        function = mapping(mapping(call).get("function"))
        args = tool_action(function.get("name"), function.get("arguments")).args
        yield {"command": args.get("command"), "tool_call_id": mapping(call).get("id")}


def _came_back(turns: Turns, message: dict[str, Any]) -> None:
    extra = mapping(message.get("extra"))
    seen = _printed(text(message.get("content") or message.get("output"))) or text(extra.get("raw_output"))
    found = _CODE.search(seen[:2000])
    code = figure(extra.get("returncode"))
    code = float(found[1]) if code is None and found else code
    timed_out = "timed out" in text(extra.get("exception_info"))[:500]
    outcome = Outcome.KILLED if timed_out else outcome_of(code)
    turns.answer(text(message.get("tool_call_id") or message.get("call_id")), seen, outcome)


def _printed(shown: str) -> str:
    """What a command printed, of what the model was shown: its output with tags around it, or as a field of JSON."""
    if not shown.startswith("{"):
        return shown
    try:
        fields = mapping(json.loads(shown))
    except ValueError:
        return shown
    if "output_head" in fields:
        cut = f"[{fields.get('elided_chars')} characters elided]"
        return "\n".join((text(fields["output_head"]).rstrip("\n"), cut, text(fields.get("output_tail"))))
    if "output" not in fields:
        return shown
    return "\n".join(filter(None, (text(fields["output"]), text(fields.get("exception_info")))))


def _left(turns: Turns, message: dict[str, Any]) -> None:
    """The end: what was submitted is the agent's last word, unless it is a patch."""
    submission = text(mapping(message.get("extra")).get("submission"))
    if turns.waits:
        turns.answer("", "")
    if submission and not submission.lstrip().startswith("diff "):
        turns.say("final_answer", submission)


def _ending(exit_status: str, config: dict[str, Any], stats: dict[str, Any], messages: list[dict[str, Any]]) -> Ending:
    """Which limit was reached is told by the number of calls."""
    ended_by = _LIMITS.get(exit_status)
    if exit_status == "LimitsExceeded":
        steps = figure(config.get("step_limit")) or 0
        ended_by = EndedBy.STEPS if 0 < steps <= (figure(stats.get("api_calls")) or 0) else EndedBy.MONEY
    if ended_by:
        return completed(ended_by)
    said = text(mapping(messages[-1].get("extra") if messages else None).get("exception_str"))
    if exit_status in ("KeyboardInterrupt", "UserInterruption"):
        return INTERRUPTED
    return broken_off(": ".join(filter(None, (exit_status, said)))) if exit_status else INTERRUPTED


def _tokens(messages: list[dict[str, Any]]) -> int | None:
    responses = (mapping(mapping(m.get("extra")).get("response")) or m for m in messages)
    counts = [figure(mapping(response.get("usage")).get("total_tokens")) for response in responses]
    return int(sum(count or 0 for count in counts)) or None


def _times(messages: list[dict[str, Any]]) -> Span:
    times = [found for m in messages if (found := mapping(m.get("extra")).get("timestamp"))]
    return span(next(iter(times), None), next(reversed(times), None))


def _is_mini(found: Found) -> bool:
    data = mapping(found.json)
    own = str(data.get("trajectory_format", "")).startswith("mini-swe-agent") or "mini_version" in mapping(
        data.get("info")
    )
    return own and isinstance(data.get("messages"), list)


MINI_SWE_AGENT = Importer(recognises=_is_mini, read=_read)
"""The format, as the registry names it."""
