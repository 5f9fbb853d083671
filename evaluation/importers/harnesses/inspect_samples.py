"""What a sample of an Inspect log holds: the steps of its agent, and the scores it was given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypedDict

from environment.records import Outcome
from evaluation.importers.messages import assistant
from evaluation.importers.parsing import figure, mapping, text
from evaluation.importers.turns import Turns
from evaluation.record.log import LogStep
from tasks_catalog.library.spec import Direction

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Correct, incorrect, partly, no answer: as Inspect itself counts them."""
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_SCORING = ("scorers", "scoring")
_ERRORS = {"timeout": Outcome.KILLED, "approval": Outcome.REFUSED, "parsing": Outcome.REFUSED}


class Scored(TypedDict):
    """A score, its name, and which way it is better."""

    metric: str | None
    score: float | None
    direction: Direction | None


def steps_of(messages: list[dict[str, Any]], events: object) -> tuple[LogStep, ...]:
    """The steps as the messages have them, or the events where those have more: messages can be emptied on the way."""
    found = [event for event in events if isinstance(event, dict)] if isinstance(events, list) else []
    said = list(_generated(found))
    if len(said) > sum(message.get("role") == "assistant" for message in messages):
        return _from_events(found)
    turns = Turns()
    for message in messages:
        if message.get("role") == "assistant":
            turns.begin()
            assistant(turns, message)
        elif message.get("role") == "tool":
            _answer(turns, text(message.get("tool_call_id")), message.get("content"), mapping(message.get("error")))
    return turns.steps()


def _from_events(events: list[dict[str, Any]]) -> tuple[LogStep, ...]:
    turns = Turns()
    for event in _of_agent(events):
        for message in _generated([event]):
            turns.begin()
            assistant(turns, message)
        if event.get("event") == "tool" and turns.find(text(event.get("id"))):
            _answer(turns, text(event.get("id")), event.get("result"), mapping(event.get("error")))
    return turns.steps()


def _of_agent(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The events until the scoring begins, in which other models may be asked."""
    for event in events:
        if event.get("event") == "score" or (event.get("event") == "span_begin" and event.get("name") in _SCORING):
            return
        yield event


def _generated(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What the model answered in each of its calls."""
    for event in _of_agent(events):
        choices = mapping(event.get("output")).get("choices") if event.get("event") == "model" else None
        for choice in choices[:1] if isinstance(choices, list) else ():
            yield mapping(mapping(choice).get("message"))


def _answer(turns: Turns, call_id: str, content: object, error: dict[str, Any]) -> None:
    seen, message = text(content), text(error.get("message"))
    outcome = _ERRORS.get(text(error.get("type")), Outcome.FAILED) if error else None
    turns.answer(call_id, f"{seen}\n{message}".strip("\n") if message and message not in seen else seen, outcome)


def score_of(scores: dict[str, Any], headline: dict[str, Any]) -> Scored:
    """The score that leads, else the first that is a number: by the scorer's name, or that of its part."""
    leading = text(headline.get("score"))
    for name in sorted(scores, key=lambda name: name != leading):
        value = mapping(scores[name]).get("value")
        parts = list(value.items()) if isinstance(value, dict) else [(name, value)]
        for part, of_part in sorted(parts, key=lambda named: named[0] != headline.get("metric")):
            number = _number(of_part)
            if number is not None:
                graded = isinstance(of_part, bool) or _word(of_part) is not None
                direction = Direction.MAXIMIZE if graded else None
                return {"metric": str(part), "score": number, "direction": direction}
    return {"metric": None, "score": None, "direction": None}


def _number(value: object) -> float | None:
    """A score as a number, as Inspect makes it one."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, list) and len(value) == 1:
        return _number(value[0])
    if not isinstance(value, str):
        return figure(value)
    known = _word(value)
    try:
        return known if known is not None else figure(float(value))
    except ValueError:
        return None


def _word(value: object) -> float | None:
    """A letter or word that says how right an answer is."""
    return _LETTERS.get(value, _WORDS.get(value.lower())) if isinstance(value, str) else None
