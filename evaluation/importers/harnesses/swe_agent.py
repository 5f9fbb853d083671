"""SWE-agent trajectories (``<instance>.traj``), whose shape MLGym took over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from evaluation.importers.harnesses.trajectory import ending_of, messages_of, spent_of, step_of
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import mapping, objects, text
from evaluation.record.log import RunLog

_OWN = ("swe_agent_version", "swe_agent_hash", "swe_rex_version", "submission", "edited_files30")


def _is_swe_agent(found: Found) -> bool:
    """Whether parsed JSON is a trajectory with what only SWE-agent writes."""
    data = mapping(found.json)
    if not isinstance(data.get("trajectory"), list):
        return False
    info = mapping(data.get("info"))
    own = "replay_config" in data or text(data.get("environment")).startswith("swe") or any(n in info for n in _OWN)
    return own and "score" not in info and not text(data.get("environment")).startswith("mlgym")


def _read(found: Found) -> Iterator[RunLog]:
    data = found.json
    info = mapping(data.get("info"))
    told = [message for message in messages_of(data) if not message.get("is_demo")]
    before = takewhile(lambda message: message.get("role") != "assistant", told)
    ended = text(info.get("exit_status"))
    yield RunLog(
        source=found.source,
        steps=tuple(step_of(step) for step in objects(data["trajectory"], found.path, "trajectory")),
        task=found.stem,
        task_text="\n\n".join(text(m.get("content")) for m in before if m.get("role") == "user"),
        model=_model(found.path, data),
        agent="swe-agent",
        **spent_of(mapping(info.get("model_stats"))),
        attributes={"exit_status": ended} if ended else {},
        **ending_of(ended),
    )


def _model(path: Path, data: dict[str, Any]) -> str | None:
    """The model that the configuration names, else the folder of version 0 (``<model>__<data>__…``)."""
    try:
        replayed = json.loads(text(data.get("replay_config")) or "{}")
    except ValueError:
        replayed = {}
    named = text(mapping(mapping(mapping(replayed).get("agent")).get("model")).get("name"))
    return named or (path.parent.name.split("__", 1)[0] if "__" in path.parent.name else None)


SWE_AGENT = Importer(recognises=_is_swe_agent, read=_read)
"""The format, as the registry names it."""
