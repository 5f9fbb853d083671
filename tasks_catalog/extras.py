"""Which optional libraries a task needs, and how to install those that are missing."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

from tasks_catalog.errors import MissingExtraError

DISTRIBUTION = "mlagentbench-prefect"


def check_extras(extras: Iterable[str], *, needed_by: str) -> None:
    """Make sure that the libraries of the optional groups are installed.

    Raises:
        MissingExtraError: Some are not; the hint is the command that installs them.
    """
    missing = [requirement for extra in extras for requirement in _of_extra(extra) if not _installed(requirement)]
    if missing:
        wanted = " ".join(shlex.quote(f"{requirement.name}{requirement.specifier}") for requirement in missing)
        raise MissingExtraError(
            f"{needed_by} needs {', '.join(requirement.name for requirement in missing)}, which is not installed",
            hint=f"Install it with: {shlex.quote(sys.executable)} -m pip install {wanted}",
        )


def _of_extra(extra: str) -> list[Requirement]:
    parsed = [Requirement(text) for text in requires(DISTRIBUTION) or ()]
    of_extra = [item for item in parsed if item.marker and not item.marker.evaluate({"extra": ""})]
    return [item for item in of_extra if item.marker and item.marker.evaluate({"extra": extra})]


def _installed(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False
