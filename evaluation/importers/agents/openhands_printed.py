"""What OpenHands (version 0) prints of its events: ``23:14:41 - ACTION`` and what the action says of itself.

Actions and observations that no field of this module names are printed as Python shows them, with their arguments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.ending import by_last_step
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import load_text
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_HEAD = 1 << 18
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_EVENT = re.compile(
    r"^\d\d:\d\d:\d\d - (?P<what>ACTION|OBSERVATION) *\n(?:\[Agent Controller [^\]\n]*\] )?(?P<body>.*?)"
    r"(?=^\d\d:\d\d:\d\d - |^={10,}\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_STARRED = re.compile(r"\*\*(?P<kind>\w+)(?P<about>.*?)\*\*(?: \((?P<source>[^)\n]*)\))?[ \n]?(?P<rest>.*)", re.DOTALL)
_SHOWN = re.compile(r"(?P<kind>\w+)\((?P<given>.*)\)\s*\Z", re.DOTALL)
_GIVEN = re.compile(r"(?P<name>\w+)=(?P<value>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.DOTALL)
_THOUGHT = re.compile(
    r"^(?:THOUGHT|Thought): (?P<thought>.*?)(?=^(?:COMMAND|CODE|Command|Range|Content)\b|\Z)", re.M | re.S
)
_DONE = re.compile(r"^(?P<name>COMMAND|CODE):\n(?P<text>.*)", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"^Path: \[(?P<path>[^\]\n]*)\]", re.MULTILINE)
_CODE = re.compile(r"exit code=(-?\d+)")
_EDGES = re.compile(r"^--(?:BEGIN|END) AGENT OBSERVATION--$\n?", re.MULTILINE)
_OVER = "AgentState.FINISHED"
_TOOLS = {"CmdRunAction": "execute_bash", "IPythonRunCellAction": "execute_ipython_cell", "FileEditAction": "edit"}
_QUIET = ("AgentStateChangedObservation", "NullObservation", "ChangeAgentStateAction", "NullAction", "RecallAction",
          "RecallObservation", "SystemMessageAction")  # fmt: skip


def _recognises(found: Found) -> bool:
    head = "" if found.is_folder else load_text(found.path, _HEAD)
    return " - ACTION" in head and any("Action" in each["body"][:200] for each in _events(head))


def _events(text: str) -> Iterator[re.Match[str]]:
    return _EVENT.finditer(_COLOUR.sub("", text.replace("\r\n", "\n")))


def _read(found: Found) -> Iterator[RunLog]:
    text = load_text(found.path)
    turns, asked = Turns(), list[str]()
    for event in _events(text):
        body = event["body"].strip("\n")
        starred, shown = _STARRED.match(body), _SHOWN.match(body)
        kind = (starred or shown or {"kind": ""})["kind"]
        if kind in _QUIET:
            continue
        if event["what"] == "OBSERVATION":
            _observed(turns, kind, body, starred)
        elif starred:
            _acted(turns, asked, kind, starred)
        elif shown:
            _shown(turns, kind, _given(shown["given"]))
    steps = turns.steps()
    yield RunLog(
        source=found.source,
        steps=steps,
        task=found.stem,
        task_text="\n\n".join(asked),
        agent="openhands",
        **by_last_step(steps, is_over=_OVER in text),
    )


def _acted(turns: Turns, asked: list[str], kind: str, said: re.Match[str]) -> None:
    """Take in an action that says what it is; those of the harness itself prepare the machine."""
    about, rest = f"{said['about']} {said['source'] or ''}", said["rest"]
    if kind == "MessageAction":
        words = rest.removeprefix("CONTENT:").strip()
        if "USER" in about:
            asked.append(words)
        else:
            turns.say("response", words)
        return
    if "source=" in about and "AGENT" not in about:
        turns.hide(kind)
        return
    thought, done, path = _THOUGHT.search(rest), _DONE.search(rest), _PATH.search(rest)
    turns.say("response", thought["thought"].strip() if thought else "")
    args = {done["name"].lower(): done["text"].strip()} if done else {"content": rest}
    turns.call(Action(name=_TOOLS.get(kind, kind), args=args | ({"path": path["path"]} if path else {})))


def _shown(turns: Turns, kind: str, given: dict[str, Any]) -> None:
    turns.say("response", given.pop("thought", ""))
    if kind not in ("AgentFinishAction", "AgentThinkAction"):
        turns.call(Action(name=kind.removesuffix("Action"), args=given))


def _given(shown: str) -> dict[str, Any]:
    """The texts among the arguments of an object as Python shows it."""
    found: dict[str, Any] = {}
    for each in _GIVEN.finditer(shown):
        with suppress(ValueError, SyntaxError):
            found[each["name"]] = ast.literal_eval(each["value"])
    return found


def _observed(turns: Turns, kind: str, body: str, starred: re.Match[str] | None) -> None:
    if not turns.waits:
        return
    code = _CODE.search(starred["about"]) if starred else None
    outcome = None if code is None else Outcome.OK if code[1] == "0" else Outcome.FAILED
    seen = _EDGES.sub("", starred["rest"] if starred else body).strip("\n")
    turns.answer("", seen, Outcome.FAILED if kind == "ErrorObservation" else outcome)


OPENHANDS_PRINTED = Importer(recognises=_recognises, read=_read, suffixes=(".txt", ".log", ".out"))
"""The format, as the registry names it."""
