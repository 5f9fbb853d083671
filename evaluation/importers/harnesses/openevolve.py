"""Output folders of OpenEvolve: the programs of all its ``checkpoints/``, with the model's answers where they are kept.

A program that was thrown out of the population before a checkpoint was written is in none of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.importers.errors import LogError
from evaluation.importers.harnesses.evolution import Program, log_of
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_json, mapping, text
from evaluation.record.log import RunLog

_OUTPUT = "openevolve_output"
_PATCH = re.compile(r"^<{5,} ?SEARCH.*?^>{5,} ?REPLACE[ \t]*$", re.MULTILINE | re.DOTALL)
_NOTHING_SAID = "empty"


def _checkpoints(folder: Path) -> list[Path]:
    """The checkpoints in an output folder, in its ``checkpoints`` or in itself, the earliest first."""
    places = [*folder.glob("checkpoints/checkpoint_*"), *folder.glob("checkpoint_*"), folder]
    kept = [place for place in places if (place / "programs").is_dir() and (place / "metadata.json").is_file()]
    return sorted(kept, key=lambda place: (len(place.name), place.name))


def _read(found: Found) -> Iterator[RunLog]:
    programs = _programs(found)
    prompts = (mapping(prompt) for one in programs for prompt in mapping(one.get("prompts")).values())
    folder = found.path.resolve()
    folder = folder.parent if folder.name == "checkpoints" or folder.name.startswith("checkpoint_") else folder
    yield log_of(
        found,
        map(_program, programs),
        agent="openevolve",
        task=folder.parent.name if folder.name == _OUTPUT else folder.name,
        task_text=next((words for prompt in prompts if (words := text(prompt.get("system")))), ""),
    )


def _programs(found: Found) -> list[dict[str, Any]]:
    """The programs by the iterations that made them; copies that went to another island are none."""
    kept: dict[str, dict[str, Any]] = {}
    for checkpoint in reversed(_checkpoints(found.path)):  # one holds most of those before it
        for file in sorted((checkpoint / "programs").glob("*.json")):
            if file.stem in kept:
                continue
            try:
                program = mapping(load_json(file))
            except LogError as error:
                found.notes.append(f"{file.name} is left out: {error.message}")
                continue
            if not mapping(program.get("metadata")).get("migrant"):
                kept[file.stem] = program
    return sorted(
        kept.values(), key=lambda one: (figure(one.get("iteration_found")) or 0, figure(one.get("timestamp")) or 0)
    )


def _program(program: dict[str, Any]) -> Program:
    measured = mapping(program.get("metrics"))
    return Program(
        said=_said(program),
        code=text(program.get("code")),
        measured=measured,
        output=_output(program.get("artifacts_json")),
        failed="error" in measured and "combined_score" not in measured,
    )


def _said(program: dict[str, Any]) -> str:
    """The model's answer without its patches; else what it wrote of the changes."""
    for prompt in mapping(program.get("prompts")).values():
        answers = mapping(prompt).get("responses")
        if isinstance(answers, list) and answers:
            return _PATCH.sub("", text(answers[-1])).strip()
    written = text(program.get("changes_description"))
    return "" if written == _NOTHING_SAID else written


def _output(artifacts: object) -> str:
    """What the evaluator kept besides values: what was printed, errors."""
    try:
        kept = mapping(json.loads(text(artifacts) or "{}"))
    except ValueError:
        return text(artifacts)
    return "\n".join(text(value) for value in kept.values() if isinstance(value, str))


OPENEVOLVE = Importer(recognises=lambda found: found.is_folder and bool(_checkpoints(found.path)), read=_read)
"""The format, as the registry names it."""
