"""AIDE journals (``journal.json``): a tree of scripts, each with its plan, output and analysis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Importer
from evaluation.importers.parsing import load_json, mapping, objects, text
from evaluation.record.log import Exchange, LogStep, RunLog


def _is_aide(data: object) -> bool:
    """Whether parsed JSON is a journal of AIDE."""
    nodes = mapping(data).get("nodes")
    return isinstance(nodes, list) and (not nodes or (isinstance(nodes[0], dict) and "code" in nodes[0]))


def _read_aide(path: Path, data: dict[str, Any], source: str) -> RunLog:
    """A journal in the order of its steps.

    A node's plan comes before its run, and its analysis after: the analysis stands with the next step, as
    every other text that was written after an observation.
    """
    nodes = objects(data["nodes"], path, "nodes")
    nodes = sorted(nodes, key=lambda node: node["step"] if isinstance(node.get("step"), int) else 0)
    steps, analysis = [], ""
    for node in nodes:
        prose = {"analysis": analysis, "plan": text(node.get("plan"))}
        steps.append(LogStep(prose={name: said for name, said in prose.items() if said}, exchanges=(_run(node),)))
        analysis = text(node.get("analysis"))
    if analysis:
        steps.append(LogStep(prose={"analysis": analysis}))
    config = _config(path)
    return RunLog(
        source=source,
        steps=tuple(steps),
        task=text(config.get("exp_name")),
        task_text=text(config.get("goal")),
        model=text(mapping(mapping(config.get("agent")).get("code")).get("model")) or None,
        agent="aide",
    )


def _run(node: dict[str, Any]) -> Exchange:
    output = node.get("_term_out", node.get("term_out"))
    seen = "".join(part for part in output if isinstance(part, str)) if isinstance(output, list) else text(output)
    failed = node.get("exc_type")
    outcome = Outcome.FAILED if failed else Outcome.OK
    return Exchange(
        action=Action(name="Execute Script", args={"script_name": "runfile.py", "code": text(node.get("code"))}),
        observation=seen,
        outcome=Outcome.KILLED if failed == "TimeoutError" else outcome,
    )


def _config(path: Path) -> dict[str, Any]:
    """The run's own settings, where they lie beside it as JSON."""
    beside = path.with_name("config.json")
    try:
        return mapping(load_json(beside)) if beside.is_file() else {}
    except LogError:
        return {}


AIDE = Importer(
    recognises=lambda found: _is_aide(found.json),
    read=lambda found: iter([_read_aide(found.path, found.json, found.source)]),
)
"""The format, as the registry names it."""
