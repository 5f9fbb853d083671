"""Which skills there are."""

from __future__ import annotations

from typing import Any

from agent.skills.base import Skill
from agent.skills.edit import EDIT_SCRIPT, EDIT_SCRIPT_SEGMENT
from agent.skills.thinking import APPEND_SUMMARY, REFLECTION, RETRIEVAL
from agent.skills.understand import UNDERSTAND_FILE

SKILLS: tuple[Skill[Any], ...] = (UNDERSTAND_FILE, EDIT_SCRIPT, EDIT_SCRIPT_SEGMENT, REFLECTION)
"""Skills of every agent that uses a model."""

LOG_SKILLS: tuple[Skill[Any], ...] = (APPEND_SUMMARY, RETRIEVAL)
"""Skills on the Research Log."""
