"""How a submitted program is said to have ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.records import KilledBy
from environment.sandbox.base import Execution, Limits
from environment.sandbox.limit_hit import limit_hit
from evaluation.crashes import ending_of
from foundation.sizes import MiB

LIMITS = Limits(timeout=120, memory=512 * MiB, workspace_size=100 * MiB, output=64 * MiB)


@pytest.mark.parametrize(
    ("killed_by", "said"),
    [
        (KilledBy.TIMEOUT, "was killed: it ran longer than its limit of 120 s"),
        (KilledBy.MEMORY, "was killed: it used more memory than its limit of 512 MiB"),
        (KilledBy.OUTPUT, "was killed: it printed more than its limit of 64 MiB"),
        (KilledBy.WORKSPACE, "was killed: the workspace grew beyond its limit of 100 MiB"),
    ],
)
def test_the_limit_that_was_hit_is_named(tmp_path: Path, killed_by: KilledBy, said: str) -> None:
    done = Execution(exit_code=None, output=b"", seconds=1, killed_by=killed_by)
    assert ending_of(done, tmp_path, LIMITS) == said


def test_a_folder_that_is_no_agents_is_not_called_the_workspace() -> None:
    limits = Limits(workspace_size=2048 * MiB)
    told = limit_hit(KilledBy.WORKSPACE, limits, workspace="the grader's folder")
    assert told == "the grader's folder grew beyond its limit of 2,048 MiB"
