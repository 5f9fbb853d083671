"""Hides the hint of each setting behind the settings before it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tasks_catalog.library.prepare import PrepareJob

SETTINGS = Path(__file__).with_name("settings.json")


def prepare(job: PrepareJob) -> None:
    """Write the stages with their hints, and the right settings for the grader."""
    settings = json.loads(SETTINGS.read_text())
    stages = [{"hint": hint(settings, n), "check": digest([*settings[: n + 1], "check"])} for n in range(len(settings))]
    (job.public / "stages.json").write_text(json.dumps(stages))
    (job.private / "settings.json").write_text(json.dumps(settings))


def hint(settings: list[int], n: int) -> str:
    """What to do at stage ``n``, readable with the settings of the stages before."""
    text = f"Its setting should be {settings[n]}."
    key = hashlib.sha256(json.dumps(settings[:n]).encode()).digest() * 4
    return bytes(a ^ b for a, b in zip(text.encode(), key, strict=False)).hex()


def digest(values: list[int | str]) -> str:
    """SHA-256 of a list, in hex."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()
