"""What came back for a script in which Codex calls its tools, shared among these."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from environment.records import Action, Outcome
from evaluation.importers.agents.codex_scripts import SCRIPT, calls_in
from evaluation.importers.parsing import figure, mapping, text, tool_action
from evaluation.importers.results import outcome_of
from evaluation.importers.turns import Call
from evaluation.record.log import Exchange

_HEAD = re.compile(
    r"\s*Script (?P<state>completed|failed|running with cell ID (?P<cell>\w+))\n(?:Wall time[^\n]*\n)?(?:Output:\n*)?"
)
_COMMANDS = frozenset({"exec_command", "shell_command", "shell", "write_stdin"})
_OF_RESULT = frozenset({"chunk_id", "session_id", "wall_time_seconds"})


class Result(NamedTuple):
    """What a command gave back to the script, which printed it."""

    output: str
    exit_code: float | None
    session: str


class Printed(NamedTuple):
    """What came back for a script.

    Attributes:
        pieces: What each of its ``text(…)`` printed, where these are kept apart.
    """

    results: list[Result]
    rest: str
    failed: bool
    cell: str
    pieces: list[str]


def share(printed: Printed, calls: list[Call]) -> dict[str, Call]:
    """Give each call of a script what came back for it: a command its own result, where the script printed them all.

    Returns:
        The calls that go on, under the names by which they are asked for again.
    """
    commands = [call for call in calls if call.action.name in _COMMANDS] or calls[-1:]
    results, rest = printed.results, printed.rest
    if not results and 1 < len(commands) == len(printed.pieces):
        results, rest = [Result(piece, None, "") for piece in printed.pieces], ""
    if len(results) > len(commands) or not (results or printed.failed):
        commands, results, rest = commands[-1:], [_together(printed)], ""
    told = list(zip(commands, results, strict=False))
    silent = [call for call in calls if all(call is not command for command, _ in told)]
    for call in calls:
        call.answered, call.outcome = True, None if call.action.name in _COMMANDS else Outcome.OK
    for call, result in told:
        call.seen.append(result.output)
        call.outcome = outcome_of(result.exit_code)
        call.running = bool(result.session)
    last = _stopped_at(rest, silent or calls) if printed.failed else calls[-1]
    last.seen.append(rest)
    if printed.failed:
        last.outcome = Outcome.FAILED
        place = next(n for n, call in enumerate(calls) if call is last)
        for call in calls[place + 1 :]:
            call.answered = False  # the script never came to it
    last.running = last.running or bool(printed.cell)
    going_on = {result.session: call for call, result in told if result.session}
    return going_on | ({f"cell {printed.cell}": last} if printed.cell else {})


def _together(printed: Printed) -> Result:
    """All that a script printed as one result, with the exit code that its commands have in common."""
    codes = {result.exit_code for result in printed.results}
    output = "\n".join(filter(None, (*(result.output for result in printed.results), printed.rest)))
    session = next((result.session for result in printed.results if result.session), "")
    return Result(output, codes.pop() if len(codes) == 1 else None, session)


def _stopped_at(said: str, calls: list[Call]) -> Call:
    """The call at which a script failed: the one that the error names, or the last."""
    return next((call for call in calls if call.action.name in said), calls[-1])


def exchanges_of(action: Action, output: object) -> tuple[Exchange, ...]:
    """The calls of a script, each with what came back for it; none where an action is no such script."""
    inner = calls_in(text(action.args.get("input"))) if action.name == SCRIPT else []
    printed = printed_by(output) if inner else None
    if printed is None:
        return ()
    calls = [Call(tool_action(name, args)) for name, args in inner]
    share(printed, calls)
    return tuple(call.exchange for call in calls)


def printed_by(output: object) -> Printed | None:
    """What came back for a script; ``None`` where it does not say how a script went."""
    parts = _as_parts(output) if isinstance(output, str) and output.startswith("[{") else output
    seen = text(parts)
    head = _HEAD.match(seen)
    if head is None:
        return None
    results: list[Result] = []
    rest = "\n".join(_without_results(seen[head.end() :], results))
    pieces = [text([part]) for part in parts[1:]] if isinstance(parts, list) else []
    return Printed(results, rest, head["state"] == "failed", text(head["cell"]), pieces)


def _as_parts(written: str) -> object:
    """The parts of an output that some harnesses write as one text, in Python's way."""
    try:
        return ast.literal_eval(written)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return written


def _without_results(seen: str, results: list[Result]) -> Iterator[str]:
    """The lines that are no results; those are put into ``results``."""
    for line in seen.splitlines():
        found = _results_of(line)
        results += found
        if not found and line.strip() != "{}":
            yield line


def _results_of(line: str) -> list[Result]:
    if not line.startswith(("{", "[")):
        return []
    try:
        parsed = json.loads(line)
    except ValueError:
        return []
    items = [mapping(item) for item in (parsed if isinstance(parsed, list) else [parsed])]
    if not items or not all("exit_code" in item or ("output" in item and item.keys() & _OF_RESULT) for item in items):
        return []
    told = [(text(item.get("output")), figure(item.get("exit_code")), text(item.get("session_id"))) for item in items]
    return [Result(*one) for one in told]
