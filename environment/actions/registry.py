"""All actions, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from environment.actions import edits, files, literature, people, repl, scripts, submission
from environment.actions.definition import ActionDefinition

ACTIONS: Mapping[str, ActionDefinition[Any]] = {
    action.name: action
    for module in (files, edits, scripts, repl, literature, people, submission)
    for action in module.ACTIONS
}
