"""``mlab probe``: an agent that plans two changes ahead breaks at the third."""

from __future__ import annotations

import pytest

from tests.flows.command import mlab, mlab_json

pytestmark = pytest.mark.usefixtures("mlab_environment")

AGENT = "tests.flows.agents:PlansTwoAhead"


@pytest.mark.slow
def test_the_depth_that_breaks_an_agent_is_found() -> None:
    found = mlab_json("probe", "--agent", AGENT, "--depths", "2-3")
    assert found["breaks_at"] == 3
    solved, broken = found["runs"]
    assert (solved["depth"], solved["solved"], solved["curve"]) == (2, True, [0, 1, 1, 2, 2])
    assert (broken["depth"], broken["solved"], broken["right"]) == (3, False, 2)
    assert broken["steps_per_change"] == 2
    again = mlab("probe", "--agent", AGENT, "--depths", "2-3")
    assert "It breaks at 3 changes in a row, with 2 of them right at the end." in " ".join(again.stdout.split())


@pytest.mark.parametrize("depths", ["0-3", "4-11", "3-2", "deep"])
def test_wrong_depths(depths: str) -> None:
    done = mlab("probe", "--depths", depths)
    assert done.returncode == 2
    assert depths in done.stderr


def test_a_probe_that_cannot_begin_begins_nothing() -> None:
    done = mlab("probe", "--agent", "react", "--depths", "2")
    assert done.returncode == 2
    assert "needs a model" in done.stderr
    assert "begun" not in done.stdout
