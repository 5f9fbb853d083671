"""Reads an answer in the paper's format: named entries of prose, an action, and its input as JSON.

Accepted is what real models write and what has one meaning: headers in bold or another case, entries
missing or in another order, fenced or single-quoted input, text before and after, an invented
observation, further actions after the first, long arguments as fenced blocks below the input. Refused,
with what was wrong, is what would need a guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from pydantic import JsonValue

from agent.answers.fenced import BlockError, Blocks, read_blocks
from agent.answers.lenient_json import NotAnObjectError, ReadObject, read_object
from environment.actions.spec import ActionSpec
from environment.records import Action

REFLECTION = "Reflection"
PLAN = "Research Plan and Status"
FACT_CHECK = "Fact Check"
THOUGHT = "Thought"
ACTION = "Action"
ACTION_INPUT = "Action Input"
OBSERVATION = "Observation"
PREAMBLE = "preamble"
PROSE = (REFLECTION, PLAN, FACT_CHECK, THOUGHT)
"""Entries that are prose, in the order the paper asks for them."""

_NAMES = "|".join(re.escape(n).replace(r"\ ", r"[ _]") for n in (*PROSE, ACTION_INPUT, ACTION, OBSERVATION))
_FLAGS = re.IGNORECASE | re.MULTILINE
_HEADER = re.compile(rf"^[ \t>#*_]*({_NAMES})[ \t*_]*:[*_]*|^[ \t]*(?:#+|\*\*|__)[ \t]*({_NAMES})[ \t*_]*$", _FLAGS)
_LISTED_HEADER = re.compile(rf"^[ \t>#*_]*(?:[-+*]|\d+[.)])?[ \t*_]*({_NAMES})()[ \t*_]*:[*_]*", _FLAGS)
"""Tried where no action stands under a plain header: the entries as items of a list."""
_REPEATED = re.compile(rf"^{ACTION}\s*:\s*", re.IGNORECASE)
_MARKUP = " \t\r\n*_`'\"[]<>."
_SAME_WORD = 0.9
"""Likeness from which the only unknown key is the only missing one, misspelt (``destionation``)."""
_NAME_THEN_OBJECT = re.compile(r"(\s*[^\n{]+?)\s*(?:```[ \t]*\w*\s*)?(?=\{)")
_CLOSING_FENCE = re.compile(r"\s*```[ \t]*$", re.MULTILINE)
_BEFORE_INPUT = re.compile(r"[\s*_]*(?:```[ \t]*\w*[ \t]*\n?|`)?\s*")


class AnswerError(ValueError):
    """The answer cannot be read in one way; the message tells its author what to write instead."""


@dataclass(frozen=True)
class Answer:
    """What was read.

    Attributes:
        prose: Entry key (``fact_check``) to text, in the order written; ``preamble`` before the first.
        action: The first action of the answer.
        notes: What was written and not used, in words: extra keys, text after the input.
    """

    prose: dict[str, str]
    action: Action
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Entry:
    """``text`` begins at ``start`` of the answer, its header at ``header``."""

    name: str
    text: str
    header: int
    start: int


def entry_key(name: str) -> str:
    """``Research Plan and Status`` -> ``research_plan_and_status``."""
    return re.sub(r"[ _]+", "_", name.strip().lower())


def parse_answer(text: str, actions: Sequence[ActionSpec]) -> Answer:
    """Read the first action of an answer and the prose before it.

    Args:
        text: The whole answer.
        actions: The actions it may name.

    Raises:
        AnswerError: No action, an unknown one, or an input that cannot be read in one way.
    """
    entries = _entries(text)
    action_entry, input_entry = _first_action(entries)
    spec = _named(action_entry.text, actions)
    found = _input(spec, text, input_entry)
    blocks = _blocks(spec, text, found)
    action, notes = _checked(spec, {**found.value, **blocks.values})
    if not found.closed:
        notes = (*notes, "the closing brace of the Action Input was missing")
    prose = _prose(text, entries, min(action_entry.header, input_entry.header))
    if set(prose) == {PREAMBLE} and "```" in prose[PREAMBLE]:
        raise AnswerError("the action stands in a code block after free text, like an example; give the entries bare")
    rest = text[blocks.end :].strip("`* \n\t")
    if rest and entry_key(rest.rstrip(":")) != entry_key(OBSERVATION):
        notes = (*notes, f"the {len(rest)} characters after the first Action Input were not read")
    return Answer(prose=prose, action=action, notes=notes)


def read_action(
    name: str, given: Mapping[str, JsonValue], actions: Sequence[ActionSpec]
) -> tuple[Action, tuple[str, ...]]:
    """The action of that name with the arguments it knows, and notes on the others.

    Raises:
        AnswerError: No such action, or an argument is missing.
    """
    return _checked(_named(name, actions), given)


def _entries(text: str) -> list[_Entry]:
    plain = _split(text, _HEADER)
    return plain if any(entry.name == entry_key(ACTION) for entry in plain) else _split(text, _LISTED_HEADER)


def _split(text: str, pattern: re.Pattern[str]) -> list[_Entry]:
    headers = list(pattern.finditer(text))
    ends = [*(header.start() for header in headers), len(text)][1:]
    return [
        _Entry(entry_key(header[1] or header[2]), text[header.end() : end], header.start(), header.end())
        for header, end in zip(headers, ends, strict=True)
    ]


def _first_action(entries: Sequence[_Entry]) -> tuple[_Entry, _Entry]:
    """The first Action and the Action Input that belongs to it."""
    action, given = entry_key(ACTION), entry_key(ACTION_INPUT)
    relevant = [entry for entry in entries if entry.name in (action, given)]
    names = [entry.name for entry in relevant]
    if action not in names:
        raise AnswerError("there is no entry 'Action:'")
    if names == [action]:
        return _with_input_beside_name(relevant[0])
    if given not in names:
        raise AnswerError("there is no entry 'Action Input:'")
    if names == [given, action]:
        return relevant[1], relevant[0]
    if names[:2] == [action, given]:
        return relevant[0], relevant[1]
    order = ", ".join("Action Input" if name == given else "Action" for name in names)
    raise AnswerError(f"it is not clear which Action Input belongs to which Action: found {order}")


def _with_input_beside_name(entry: _Entry) -> tuple[_Entry, _Entry]:
    """``Action: List Files {"dir_path": "."}``, the input in the same entry."""
    found = _NAME_THEN_OBJECT.match(entry.text)
    if not found:
        raise AnswerError("there is no entry 'Action Input:'")
    start = entry.start + found.end(1)
    return replace(entry, text=found[1]), _Entry(entry_key(ACTION_INPUT), entry.text[found.end(1) :], start, start)


def _named(text: str, actions: Sequence[ActionSpec]) -> ActionSpec:
    lines = text.strip().splitlines()
    written = _REPEATED.sub("", lines[0].strip(_MARKUP)) if lines else ""
    by_name = {spec.name.casefold(): spec for spec in actions}
    if written.casefold() in by_name:
        return by_name[written.casefold()]
    known = ", ".join(spec.name for spec in actions)
    raise AnswerError(f"no action is called {written[:80]!r}; the actions are: {known}")


def _input(spec: ActionSpec, text: str, entry: _Entry) -> ReadObject:
    before = _BEFORE_INPUT.match(entry.text)
    start = entry.start + (before.end() if before else 0)
    try:
        found = read_object(text, start)
    except NotAnObjectError as error:
        wanted = ", ".join(f'"{name}"' for name in spec.usage)
        raise AnswerError(
            f"the Action Input of {spec.name} is no JSON object with the keys {wanted}: {error}"
        ) from error
    return found


def _blocks(spec: ActionSpec, text: str, found: ReadObject) -> Blocks:
    missing = [name for name in _required(spec) if name not in found.value]
    closing = _CLOSING_FENCE.match(text, found.end)
    start = closing.end() if closing and text.count("```", 0, found.end) % 2 else found.end
    try:
        return read_blocks(text, start, spec.usage, found.value, missing)
    except BlockError as error:
        raise AnswerError(f"the input of {spec.name} cannot be read: {error}") from error


def _checked(spec: ActionSpec, given: Mapping[str, JsonValue]) -> tuple[Action, tuple[str, ...]]:
    missing = [name for name in _required(spec) if name not in given]
    extra = [name for name in given if name not in spec.usage]
    args = {name: value for name, value in given.items() if name in spec.usage}
    notes: list[str] = []
    if len(missing) == len(extra) == 1 and SequenceMatcher(None, missing[0], extra[0]).ratio() >= _SAME_WORD:
        notes.append(f"{extra[0]!r} was taken for the misspelt {missing[0]!r}")
        args[missing.pop()] = given[extra.pop()]
    if missing:
        besides = f" (it has {', '.join(map(repr, extra))} instead)" if extra else ""
        raise AnswerError(f"the input of {spec.name} lacks {', '.join(map(repr, missing))}{besides}")
    notes += [f"{spec.name} has no argument {name!r}; it was left out" for name in extra]
    return Action(name=spec.name, args=args), tuple(notes)


def _required(spec: ActionSpec) -> Sequence[str]:
    required = spec.input_schema.get("required")
    return [str(name) for name in required] if isinstance(required, list) else []


def _prose(text: str, entries: Sequence[_Entry], until: int) -> dict[str, str]:
    names = {entry_key(name) for name in PROSE}
    preamble = text[: entries[0].header].strip()
    found = {PREAMBLE: [preamble]} if preamble else {}
    for entry in entries:
        if entry.name in names and entry.header < until and (written := entry.text.strip()):
            found.setdefault(entry.name, []).append(written)
    return {name: "\n".join(texts) for name, texts in found.items()}
