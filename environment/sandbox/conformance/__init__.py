"""What every sandbox must hold, as checks that run on the user's own machine.

Each check tries to break one promise from inside, or stops the harness from outside, and looks at what came of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from environment.sandbox.base import Sandbox
from environment.sandbox.conformance import disk, endings, files, gpus, leftovers, limits, network, secrets
from environment.sandbox.conformance.bench import Check, CheckResult

__all__ = ["CHECKS", "Check", "CheckResult", "run_checks"]

_MODULES = (network, files, secrets, limits, disk, gpus, endings, leftovers)
CHECKS: tuple[Check, ...] = tuple(check for module in _MODULES for check in module.suite.checks)


def run_checks(sandbox: Sandbox, checks: tuple[Check, ...] = CHECKS) -> Iterator[CheckResult]:
    """Run the checks one after another, each with a fresh workspace."""
    for check in checks:
        yield check.run(sandbox)
