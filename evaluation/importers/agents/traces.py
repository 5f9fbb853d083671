"""Traces, which hold a span for each call of a model or tool: of OpenAI's Agents SDK, and of runs out of LangSmith."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any

from environment.records import Outcome
from evaluation.importers.ending import by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import assistant, blocks, conversation, is_result, user
from evaluation.importers.parsing import figure, mapping, mappings, moment, text, tool_action
from evaluation.importers.results import UNREADABLE, is_readable, told
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

Span = dict[str, Any]
_OF_SDK = ("trace", "trace.span")
_ANSWERS = ("generations", "messages", "choices", "output")
_UNDER = ("data", "runs", "spans")
_OF_MODEL, _OF_TOOL = ("generation", "llm"), ("function", "tool")
AGENT = "agent"
"""The kind of a span that is all that an agent did; what it did by single calls stands in spans below it."""


def _spans(found: Found) -> list[Span]:
    data: Any = list(found.lines()) if found.has_lines else found.json
    if isinstance(data, dict):
        data = next((data[name] for name in _UNDER if isinstance(data.get(name), list)), [])
    return [mapping(each) for each in data] if isinstance(data, list) else []


def _is_of_sdk(each: Span) -> bool:
    return each.get("object") in _OF_SDK


def _is_of_langsmith(each: Span) -> bool:
    return "run_type" in each and "dotted_order" in each


def _recognises(found: Found) -> bool:
    spans = found.head if found.has_lines else _spans(found)
    return bool(spans) and (all(map(_is_of_sdk, spans)) or all(map(_is_of_langsmith, spans)))


def _read(found: Found) -> Iterator[RunLog]:
    return runs(found, [each for each in _spans(found) if each.get("object") != "trace"])


def runs(found: Found, spans: list[Span]) -> Iterator[RunLog]:
    """Each trace as a run, whatever the order of its spans."""
    for trace, each in groupby(sorted(spans, key=_trace_of), key=_trace_of):
        own = list(each)
        if any(_kind(one) != AGENT for one in own):
            yield _log(found, trace, _in_order(own))


def _log(found: Found, trace: str, spans: list[Span]) -> RunLog:
    models = [each for each in spans if _kind(each) in _OF_MODEL]
    agents = [each for each in spans if _kind(each) == AGENT]
    asked = next(filter(None, (_asked(_given(each)) for each in models)), [])
    steps = (_retold(spans, models) or _turns(found, spans)).steps()
    return RunLog(
        source=f"{found.source}#{trace}" if trace else found.source,
        steps=steps,
        task=found.stem,
        task_text="\n\n".join(asked),
        model=next(filter(None, map(_model, [*models, *agents])), None),
        agent=next(filter(None, (text(mapping(each.get("span_data")).get("name")) for each in agents)), None),
        tokens=sum(int(count) for each in models if (count := figure(each.get("tokens")))) or None,
        cost=sum(cost for each in models if (cost := figure(each.get("cost")))) or None,
        **span(_begun(spans[0]), text(spans[-1].get("ended_at") or spans[-1].get("end_time"))),
        **by_last_step(steps),
    )


def _kind(each: Span) -> str:
    return text(mapping(each.get("span_data")).get("type") or each.get("run_type"))


def _model(each: Span) -> str:
    """What answered; LangSmith keeps its name beside what was asked."""
    noted = mapping(mapping(each.get("extra")).get("metadata"))
    return text(mapping(each.get("span_data")).get("model") or noted.get("ls_model_name"))


def _given(each: Span) -> Any:
    """The messages that a model was asked with."""
    return mapping(each.get("span_data")).get("input") or mapping(each.get("inputs")).get("messages")


def _retold(spans: list[Span], models: list[Span]) -> Turns | None:
    """The turns out of the messages of the longest call, where tools have no spans but answers in the messages."""
    if any(_kind(each) in _OF_TOOL for each in spans):
        return None
    given = max((mappings(_given(each)) for each in models), key=len, default=[])
    last = mapping(models[-1].get("span_data")).get("output") if models else None
    has_answers = any(is_result(block) for message in given for block in blocks(message.get("content")))
    has_answers = has_answers or any(message.get("role") == "tool" for message in given)
    return conversation([*given, *mappings(last)])[0] if has_answers else None


def _turns(found: Found, spans: list[Span]) -> Turns:
    turns = Turns()
    for each in spans:
        data, kind = mapping(each.get("span_data")), _kind(each)
        if kind in _OF_MODEL:
            turns.begin()
            answer = data.get("output") or each.get("outputs")
            if not (isinstance(answer, dict | list) and _written(answer)) and not each.get("error"):
                found.notes.append("what the model wrote is not in it, at least of one call")
            assistant(turns, {"content": _written(answer)})
        elif kind in _OF_TOOL:
            _called(turns, each, data)
        elif not kind:
            found.notes.append("a span tells nothing of what it is; it is taken for a call of a tool")
            _called(turns, each, data)
        elif kind == "response":
            found.notes.append("what the model wrote is not in it: a span of kind response holds its id alone")
    found.notes[:] = dict.fromkeys(found.notes)
    return turns


def _called(turns: Turns, each: Span, data: Span) -> None:
    given, came = data.get("input", each.get("inputs")), data.get("output", each.get("outputs"))
    call = turns.call(tool_action(data.get("name") or each.get("name"), _arguments(given)))
    message = _inner(came, "output")
    message = message["kwargs"] if mapping(message).get("lc") and "kwargs" in message else message
    seen, outcome = told(_inner(message, "content"))
    failed = text(each.get("error")) or text(mapping(each.get("error")).get("message"))
    call.seen, call.answered, call.outcome = [seen, failed], True, Outcome.FAILED if failed else outcome


def _inner(value: Any, name: str) -> Any:
    return value[name] if isinstance(value, dict) and name in value else value


def _arguments(given: Any) -> Any:
    """What a tool was given; LangSmith has the text of a Python dictionary under ``input``."""
    inner = _inner(given, "input")
    if not is_readable(inner):
        return UNREADABLE
    with suppress(ValueError, SyntaxError):
        return ast.literal_eval(inner) if isinstance(inner, str) and inner.startswith("{'") else inner
    return inner


def _written(output: Any) -> list[str]:
    """The texts of an answer, in whichever lists its messages stand; its calls have spans of their own."""
    if isinstance(output, list):
        return [words for each in output for words in _written(each)]
    answer = mapping(output)
    held = next((answer[name] for name in _ANSWERS if isinstance(answer.get(name), list)), None)
    if held is not None:
        return _written(held)
    message = mapping(answer.get("message")) or answer
    inner = mapping(message.get("kwargs")) or message
    return [text(inner.get("content") or answer.get("text"))]


def _asked(given: Any) -> list[str]:
    messages = given if isinstance(given, list) else []
    return [words for each in messages if _is_asking(mapping(each)) for words in user(Turns(), each)]


def _is_asking(message: dict[str, Any]) -> bool:
    return "user" in (message.get("role"), message.get("type")) or message.get("type") == "human"


def _in_order(spans: list[Span]) -> list[Span]:
    """By when they began; as the log has them, one after the other ended, where one does not tell."""
    tells = all(_is_of_langsmith(each) or moment(each.get("started_at")) for each in spans)
    return sorted(spans, key=_begun) if tells else spans


def _trace_of(each: Span) -> str:
    return text(each.get("trace_id"))


def _begun(each: Span) -> str:
    return text(each.get("started_at") or each.get("dotted_order"))


TRACES = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
