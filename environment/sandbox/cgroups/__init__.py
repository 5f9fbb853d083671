"""Limits by control groups: where they can be made, seen by doing; one group a command; what the dead left behind."""

from __future__ import annotations

from environment.sandbox.cgroups.early_wait import wait_early
from environment.sandbox.cgroups.group import ControlGroup, Hierarchy, limit
from environment.sandbox.cgroups.leftover import marked, reap
from environment.sandbox.cgroups.places import Found, find, found

__all__ = ["ControlGroup", "Found", "Hierarchy", "find", "found", "limit", "marked", "reap", "wait_early"]
