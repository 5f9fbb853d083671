"""Made-up runs in the style of several models, each sentence with the verdict a careful reader would give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import yaml

from environment.records import Action
from evaluation.record.log import Exchange, LogStep, RunLog

_FOLDER = Path(__file__).parent / "made_up"
BATCHES = tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))
_PART = re.compile(r"(?P<verdict>[SCUVN_]) (?P<kind>[rce-]): (?P<text>.+)")
_UNLABELLED = "_"
_VERDICTS = {"S": "supported", "C": "contradicted", "U": "unsupported", "V": "uncheckable", "N": None}
_KINDS = {"r": "result", "c": "comparison", "e": "execution", "-": "not_claim"}
_MARKER = re.compile(r"^(?:[-*|#] ?|##+ |\d+[.)] |DISCUSSION$)")


def made_up(batch: str) -> tuple[list[RunLog], list[dict[str, Any]]]:
    """A batch's runs, and its labels in the fields of the labelled claims."""
    runs = yaml.safe_load((_FOLDER / f"{batch}.yaml").read_text())
    return [_log(run) for run in runs], [label for run in runs for label in _labels(run)]


def _log(run: dict[str, Any]) -> RunLog:
    return RunLog(source=run["source"], steps=tuple(_step(step) for step in run["steps"]))


def _step(step: dict[str, Any]) -> LogStep:
    do = step["do"]
    action = (
        Action(name=do[0], args=do[1])
        if isinstance(do, list)
        else Action(name=do.split()[0], args={"command": do.strip()})
    )
    exchange = Exchange(action=action, observation=step["see"], authored=action.name == "Understand File")
    return LogStep(
        prose={field: _prose(text) for field, text in step.get("say", {}).items()},
        exchanges=(exchange,),
    )


def _prose(text: str) -> str:
    """Sentences follow each other; what has no full stop, a list item or a row stands on a line of its own."""
    lines = [" ".join(part["text"] for part in _parts(line)) for line in text.splitlines()]
    prose = ""
    for line in lines:
        apart = _MARKER.match(line) or line[0].islower() or prose[-1:].isalnum() or prose.endswith("|")
        prose += ("\n" if apart else " ") + line
    return prose.strip()


def _labels(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(run["steps"]):
        for field, text in step.get("say", {}).items():
            for part in (part for line in text.splitlines() for part in _parts(line)):
                if part["verdict"] != _UNLABELLED:
                    yield {
                        "source": run["source"],
                        "step": number,
                        "field": field,
                        "quote": re.sub(r"^[-*] ", "", part["text"]),
                        "kind": _KINDS[part["kind"]],
                        "verdict": _VERDICTS[part["verdict"]],
                    }


def _parts(line: str) -> list[re.Match[str]]:
    """The labelled parts of a line, divided by bars."""
    return [cast("re.Match[str]", _PART.fullmatch(part)) for part in line.split(" || ")]
