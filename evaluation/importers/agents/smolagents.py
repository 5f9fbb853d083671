"""Memories of smolagents, as people dump them: ``agent.memory.get_full_steps()``, a ``RunResult``, or lines of answers.

A code agent writes thoughts and then a block of Python, which is its action; a tool-calling one names its tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from environment.records import Action, EndedBy, Outcome
from evaluation.importers.ending import Ending, broken_off, by_last_step, completed, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import GAP, figure, mapping, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_UNDER = ("steps", "messages", "intermediate_steps", "memory", "agent_memory", "full_steps")
_CODE = re.compile(
    r"(?:Code:\s*)?(?:```\w*\n.*?(?:```|\Z)|<code>.*?(?:</code>|\Z))(?:\s*<end_code>)?|</code>\s*\Z", re.DOTALL
)
_LABEL = re.compile(r"^\s*Thoughts?:\s*")
_INTERPRETER = "python_interpreter"
_ANSWERS = "final_answer"
_LAST_VALUE = "Last output from code snippet:"
"""Before the value of a step's last line, which is the agent's own words where it answers."""
_STOPPED = "AgentMaxStepsError"
_REFUSED = ("AgentParsingError", "AgentToolCallError")
_OF_STEP = frozenset(["model_output", "model_output_message", "tool_calls", "observations", "step_number"])


def _read(found: Found) -> Iterator[RunLog]:
    """Each line of a file of answers is a run; a list of steps is one."""
    if found.has_lines and not any(map(_is_step, found.head)):
        for number, line in enumerate(found.lines(), start=1):
            yield _log(f"{found.source}#{number}", found.stem, _steps(line), line)
    elif found.has_lines:
        yield _log(found.source, found.stem, found.all_lines(), {})
    else:
        yield _log(found.source, found.stem, _steps(found.json), mapping(found.json))


def _log(source: str, task: str, memory: list[dict[str, Any]], about: dict[str, Any]) -> RunLog:
    turns, asked = Turns(), [text(about.get("question") or about.get("task"))]
    for step in memory:
        if step is GAP:
            turns.miss()
        elif "task" in step and "step_number" not in step:
            asked.append(text(step["task"]))
        elif text(step.get("plan")):
            turns.begin()
            turns.say("plan", text(step["plan"]))
        elif not _OF_STEP.isdisjoint(step):
            _step(turns, step)
    errors = [mapping(step.get("error")) for step in memory]
    output = text(about.get("output") or about.get("prediction"))
    if output and not any(step.get("is_final_answer") for step in memory):
        turns.say(_ANSWERS, output)
    times = [mapping(step.get("timing")) for step in memory if step.get("timing")]
    tokens = [_tokens(mapping(step.get("token_usage"))) for step in memory]
    steps = turns.steps()
    return RunLog(
        source=source,
        steps=steps,
        task=task,
        task_text="\n\n".join(filter(None, dict.fromkeys(asked))),
        model=text(about.get("model_id")) or None,
        agent="smolagents",
        tokens=int(sum(count or 0 for count in tokens)) if any(tokens) else None,
        **span(times[0].get("start_time") if times else None, times[-1].get("end_time") if times else None),
        **_ending(errors[-1] if errors else {}, by_last_step(steps, is_over=_is_over(memory, about))),
    )


def _step(turns: Turns, step: dict[str, Any]) -> None:
    """What was thought, then what was run or called, then what it showed."""
    turns.begin()
    said = text(step.get("model_output")) or text(mapping(step.get("model_output_message")).get("content"))
    turns.say("response", _LABEL.sub("", _CODE.sub("", said)).strip())
    failure = mapping(step.get("error"))
    seen = "\n".join(filter(None, (_seen(step.get("observations")), text(failure.get("message") or step.get("error")))))
    outcome = Outcome.FAILED if failure else None
    if text(failure.get("type")) in _REFUSED:
        outcome = Outcome.REFUSED
    calls = _actions(step)
    for action in calls:
        call = turns.call(action)
        call.answered, call.outcome = True, outcome
    if calls:
        call.seen = [seen.partition(_LAST_VALUE)[0] if step.get("is_final_answer") else seen]
        call.authored = call.action.name == _ANSWERS
    if step.get("is_final_answer") or text(failure.get("type")) == _STOPPED:
        turns.begin()
        turns.say(_ANSWERS, text(step.get("action_output")))


def _seen(observations: object) -> str:
    """What a step showed, without the line that leads it."""
    return text(observations).removeprefix("Execution logs:\n")


def _actions(step: dict[str, Any]) -> list[Action]:
    code = text(step.get("code_action"))
    if code:
        return [Action(name=_INTERPRETER, args={"code": code})]
    made = step.get("tool_calls")
    found = []
    for call in made if isinstance(made, list) else ():
        function = mapping(mapping(call).get("function")) or mapping(call)
        name, arguments = function.get("name"), function.get("arguments")
        is_code = name == _INTERPRETER and isinstance(arguments, str)
        found.append(tool_action(name, {"code": arguments} if is_code else arguments))
    return found


def _tokens(counted: dict[str, Any]) -> float | None:
    return figure(counted.get("total_tokens"))


def _is_over(memory: list[dict[str, Any]], about: dict[str, Any]) -> bool:
    return about.get("state") == "success" or any(step.get("is_final_answer") for step in memory)


def _ending(error: dict[str, Any], otherwise: Ending) -> Ending:
    kind = text(error.get("type"))
    if kind == _STOPPED:
        return completed(EndedBy.STEPS)
    if kind == "AgentGenerationError":
        return broken_off(f"{kind}: {text(error.get('message'))}")
    return otherwise


def _steps(data: Any) -> list[dict[str, Any]]:
    listed = data if isinstance(data, list) else next((data[n] for n in _UNDER if isinstance(data.get(n), list)), [])
    return [mapping(step) for step in listed]


def _is_step(step: dict[str, Any]) -> bool:
    """Whether it is a step of a memory; of other formats none has all of these."""
    return "observations" in step and not {"model_output", "model_output_message"}.isdisjoint(step)


def _recognises(found: Found) -> bool:
    if found.has_lines:
        return any(_is_step(line) or any(map(_is_step, _steps(line))) for line in found.head)
    data = found.json
    return isinstance(data, list | dict) and any(map(_is_step, _steps(data)))


SMOLAGENTS = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
