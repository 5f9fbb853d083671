"""The planning probe: small tasks that need k changes in a row, each known only once the one before is right.

An agent's depth is the number of changes it gets right before it breaks off. Graded after every step, the
score shows at which change that is, and how many steps each one took.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from tasks_catalog.library.errors import TaskError

MAX_DEPTH = 10
_STEPS_A_CHANGE = 4
"""Steps allowed for each change: run, read, edit, and one to spare."""
_TEMPLATE = Path(__file__).parent / "template"


def make_probe(depth: int, folder: Path) -> Path:
    """Write the task of one depth, which ``load_task`` reads and ``mlab run`` takes by its path.

    Args:
        depth: Changes in a row, from 1 to ``MAX_DEPTH``.
        folder: Where the task's folder is made.

    Returns:
        The task's folder, ``probe-<depth>``.

    Raises:
        TaskError: No such depth.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise TaskError(f"The planning probe has depths 1 to {MAX_DEPTH}, not {depth}.")
    task = folder / f"probe-{depth}"
    values = {"$depth": str(depth), "$steps": str(_STEPS_A_CHANGE * depth + 4), "$reference": str(depth + 1)}
    for source in sorted(_TEMPLATE.rglob("*")):
        if source.is_file() and "__pycache__" not in source.parts:
            target = task / source.relative_to(_TEMPLATE)
            target.parent.mkdir(parents=True, exist_ok=True)
            _write(target, _filled(source.read_text(encoding="utf-8"), values))
    chance = random.Random(depth)
    settings = json.dumps([chance.randrange(10_000, 100_000) for _ in range(depth)])
    for name in ("settings.json", "solution/settings.json"):
        (task / name).parent.mkdir(exist_ok=True)
        _write(task / name, settings)
    return task


def depth_curve(scores: list[float | None]) -> list[int]:
    """Changes that were right after each step, from the steps' scores; an invalid submission has none."""
    return [0 if score is None else round(score) - 1 for score in scores]


def _write(path: Path, text: str) -> None:
    """Write a file, unless it is so already: a run of the same task may be reading it."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
