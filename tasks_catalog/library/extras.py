"""Which optional libraries a task needs, and how to install those that are missing."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from foundation.plugins import BuiltIn, Plugins
from tasks_catalog.library.errors import MissingExtraError

if TYPE_CHECKING:
    from packaging.requirements import Requirement

DISTRIBUTION = "mlagentbench-prefect"


class Extra(NamedTuple):
    """Optional libraries that a task may need: an extra of an installed package."""

    package: str
    extra: str

    def requirements(self) -> list[Requirement]:
        """The libraries, as the package asks for them."""
        return [item for item in _optional(self.package) if item.marker and item.marker.evaluate({"extra": self.extra})]


@cache
def _optional(package: str) -> list[Requirement]:
    """What an installed package asks for in some extra."""
    # Most tasks need no extra, and what reads requirements takes longer to load than to find that out.
    from packaging.requirements import Requirement

    parsed = [Requirement(text) for text in requires(package) or ()]
    return [item for item in parsed if item.marker and not item.marker.evaluate({"extra": ""})]


TORCH = Extra(DISTRIBUTION, "torch")
LLAMA = Extra(DISTRIBUTION, "llama")
PICTURES = Extra(DISTRIBUTION, "pictures")

EXTRAS: Plugins[Extra] = Plugins(
    "extras",
    {
        "torch": BuiltIn("tasks_catalog.library.extras:TORCH", "PyTorch, for tasks that train networks"),
        "llama": BuiltIn("tasks_catalog.library.extras:LLAMA", "readers of a language model's weights and tokens"),
        "pictures": BuiltIn("tasks_catalog.library.extras:PICTURES", "readers of pictures"),
    },
)
"""What ``extras`` in a ``task.toml`` may name."""

LOCK = Path(__file__).parents[2] / "requirements.lock"
"""The exact versions, where the package runs from its repository."""


def check_extras(extras: Iterable[str], *, task: str) -> None:
    """Make sure that the libraries of the optional groups that a task needs are installed.

    Raises:
        MissingExtraError: Some are not; the hint is the command that installs them.
    """
    missing = _missing(extras)
    if missing:
        raise MissingExtraError(
            f"The task {task} needs {_names(missing)}, which is not installed",
            hint=f"Install it with: mlab prepare {shlex.quote(task)}\n"
            f"By hand: {shlex.join(_install_command(missing, LOCK))}",
        )


def install_extras(extras: Iterable[str], lock: Path = LOCK) -> str:
    """Install what is missing of the optional groups, in the versions of the lock where it lies at hand.

    Returns:
        The names of what was installed; empty where nothing was missing.

    Raises:
        MissingExtraError: It cannot be installed; the hint is what pip said.
    """
    missing = _missing(extras)
    if not missing:
        return ""
    command = _install_command(missing, lock)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MissingExtraError(
            f"{_names(missing)} cannot be installed with: {shlex.join(command)}", hint=done.stderr.strip()[-2_000:]
        )
    return _names(missing)


def how_to_install(extra: str) -> str:
    """The command that gets an extra of this package into the Python that runs; this package may be on no index."""
    return shlex.join(_install_command(Extra(DISTRIBUTION, extra).requirements(), LOCK))


def _missing(extras: Iterable[str]) -> list[Requirement]:
    wanted = [requirement for extra in extras for requirement in EXTRAS.load(extra).requirements()]
    return [requirement for requirement in wanted if not _installed(requirement)]


def _names(requirements: Iterable[Requirement]) -> str:
    return ", ".join(requirement.name for requirement in requirements)


def _install_command(missing: Iterable[Requirement], lock: Path) -> list[str]:
    constraints = ["--constraint", str(lock)] if lock.exists() else []
    wanted = [f"{requirement.name}{requirement.specifier}" for requirement in missing]
    return [sys.executable, "-m", "pip", "install", "--quiet", *constraints, *wanted]


def _installed(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False
