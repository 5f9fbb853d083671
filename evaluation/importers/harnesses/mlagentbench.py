"""Log folders of the original MLAgentBench: ``env_log/trace.json`` and ``agent_log/main_log``.

The trace has every action with its full observation; the main log has what the agent wrote. Actions on the
research log are the agent's own book-keeping: the summary it files after a step is read as prose of the next.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from environment.records import Action
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Importer
from evaluation.importers.parsing import command_action, figure, load_json, mapping, objects, text, tool_action
from evaluation.record.log import Exchange, LogStep, RunLog

TRACE = Path("env_log") / "trace.json"
TIME = Path("env_log") / "overall_time.txt"
STATES = Path("agent_log")
MAIN_LOG = STATES / "main_log"
_SUMMARY = "Append Summary to Research Log"
_BOOK_KEEPING = (_SUMMARY, "Retrieval from Research Log")
_STEP = re.compile(
    r"^Step \d+:\s*\n\s*(?:(?:Assistant|AI):\s*)?(?=\[?(?:Reflection|Research Plan|Thought|Action|Questions))",
    re.MULTILINE,
)
_ENTRY = re.compile(
    r"^(?:\[?)(Reflection|Research Plan and Status|Fact Check|Thought|Questions|Action Input|Action"
    r"|Observation)(?:\]?):",
    re.MULTILINE,
)
_FIELDS = {
    "Reflection": "reflection",
    "Research Plan and Status": "plan",
    "Fact Check": "fact_check",
    "Thought": "thought",
    "Questions": "questions",
}
_PROBLEM = re.compile(
    r"^Research Problem:\s*(.*?)(?=^You do not know anything about this problem|\Z)", re.DOTALL | re.MULTILINE
)
_SUMMARY_HEAD = re.compile(r"\A\s*Step \d+:\s*")


def is_mlagentbench(folder: Path) -> bool:
    """Whether a folder is the log of one run."""
    return (folder / TRACE).is_file() or (folder / MAIN_LOG).is_file()


def _read_mlagentbench(folder: Path, source: str) -> RunLog:
    """A run's log folder; either of its two files alone will do."""
    trace = mapping(load_json(folder / TRACE)) if (folder / TRACE).is_file() else {}
    done = objects(trace.get("steps") or [], folder / TRACE, "steps")
    written = _main_log(folder / MAIN_LOG)
    asked = _arguments(folder)
    task_text = text(trace.get("task_description"))
    header = written[: m.start()] if (m := _STEP.search(written)) else written
    problem = _PROBLEM.search(header)
    return RunLog(
        source=source,
        steps=tuple(_steps(_turns(written), done)),
        task=text(asked.get("task")) or folder.parent.name,
        task_text=task_text or (problem[1].strip() if problem else ""),
        model=text(asked.get("llm_name")) or None,
        agent=_agent(text(asked.get("agent_type"))),
        seconds=_seconds(folder / TIME),
    )


def _arguments(folder: Path) -> dict[str, Any]:
    """What the run was started with, as each of the agent's saved states has it."""
    for state in sorted((folder / STATES).glob("agent_*.json")):
        with suppress(LogError):
            return mapping(mapping(load_json(state)).get("args"))
    return {}


def _agent(kind: str) -> str:
    """The paper's own agent goes without a name."""
    return "mlagentbench" if kind in ("", "ResearchAgent") else f"mlagentbench {kind}"


def _seconds(path: Path) -> float | None:
    with suppress(OSError, ValueError):
        return figure(float(path.read_text(encoding="utf-8")))
    return None


def _main_log(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error


def _turns(written: str) -> list[dict[str, str]]:
    """The entries of each step of the main log, by heading."""
    heads = list(_STEP.finditer(written))
    ends = [head.start() for head in heads[1:]] + [len(written)]
    return [_entries(written[head.end() : end]) for head, end in zip(heads, ends, strict=False)]


def _entries(turn: str) -> dict[str, str]:
    """The entries of one step; headings inside the observation are part of it."""
    found: dict[str, str] = {}
    matches = list(_ENTRY.finditer(turn))
    observation = next(
        (m for m in matches if m[1] == "Observation" and "Action Input" in _seen_before(matches, m)), None
    )
    for at, match in enumerate(matches):
        if match is observation:
            found["Observation"] = re.sub(r"\A\s*```\n?|\n?```\s*\Z", "", turn[match.end() :])
            break
        following = matches[at + 1].start() if at + 1 < len(matches) else len(turn)
        if match[1] not in found:
            found[match[1]] = turn[match.end() : following].strip()
    return found


def _seen_before(matches: list[re.Match[str]], match: re.Match[str]) -> set[str]:
    return {other[1] for other in matches if other.start() < match.start()}


def _steps(turns: list[dict[str, str]], done: list[dict[str, Any]]) -> list[LogStep]:
    if not turns:
        return _without_prose(done)
    steps, at, summary = [], 0, ""
    for turn in turns:
        prose = {_FIELDS[name]: said for name, said in turn.items() if name in _FIELDS and said}
        if summary:
            prose["log_summary"] = summary
        name = turn.get("Action", "").strip()
        found = next((n for n in range(at, len(done)) if _named(done[n]) == name), None)
        parsed = not turn.get("Observation", "").startswith("ActionInputParsingError")
        if found is not None and parsed:
            exchange, at = _exchange(done[found]), found + 1
        else:
            action = tool_action(name, turn.get("Action Input", ""))
            exchange = Exchange(action=action, observation=turn.get("Observation", ""))
        summary, at = _summary(done, at)
        steps.append(LogStep(prose=prose | _answer(exchange.action), exchanges=(exchange,)))
    if summary:
        steps.append(LogStep(prose={"log_summary": summary}))
    return steps


def _without_prose(done: list[dict[str, Any]]) -> list[LogStep]:
    """Steps of an agent that left no main log: its actions, its summaries and its final answer."""
    steps, summary = [], ""
    for step in done:
        exchange = _exchange(step)
        if exchange.action.name in _BOOK_KEEPING:
            summary = _content(exchange.action) if exchange.action.name == _SUMMARY else summary
            continue
        prose = {"log_summary": summary} if summary else {}
        steps.append(LogStep(prose=prose | _answer(exchange.action), exchanges=(exchange,)))
        summary = ""
    return steps


def _summary(done: list[dict[str, Any]], at: int) -> tuple[str, int]:
    """The summary filed right after a step, and where the trace goes on."""
    summary = ""
    while at < len(done) and _named(done[at]) in _BOOK_KEEPING:
        if _named(done[at]) == _SUMMARY:
            summary = _content(_exchange(done[at]).action)
        at += 1
    return summary, at


def _content(action: Action) -> str:
    return _SUMMARY_HEAD.sub("", text(action.args.get("content"))).strip()


def _named(step: dict[str, Any]) -> str:
    return text(mapping(step.get("action")).get("name")).strip()


def _exchange(step: dict[str, Any]) -> Exchange:
    action = step.get("action")
    if isinstance(action, str):
        return Exchange(action=command_action(action), observation=text(step.get("observation")))
    action = mapping(action)
    return Exchange(
        action=tool_action(action.get("name"), action.get("args")), observation=text(step.get("observation"))
    )


def _answer(action: Action) -> dict[str, str]:
    if action.name != "Final Answer":
        return {}
    answer = text(action.args.get("final_answer") or action.args.get("input"))
    return {"final_answer": answer} if answer else {}


MLAGENTBENCH = Importer(
    recognises=lambda found: found.path.is_dir() and is_mlagentbench(found.path),
    read=lambda found: iter([_read_mlagentbench(found.path, found.source)]),
)
"""The format, as the registry names it."""
