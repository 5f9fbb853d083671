"""The sweep of an ablation, and which of its runs belong to which switch."""

from __future__ import annotations

import pytest

from flows.cli.commands.ablate import Asked, ablation_of, spec_of
from flows.errors import UsageError
from flows.sweep.cells import expand
from flows.sweep.outcome import CellOutcome, CellState, SweepReport
from tests.evaluation.statistics.results import result


def asked(*switches: str) -> Asked:
    return Asked("research", switches, ("house-price", "vectorization"), "fake:model", {"repairs": 2}, 2, "mini", 1.0)


def test_the_agent_runs_whole_and_with_each_switch_off() -> None:
    configs = expand(spec_of(asked("log", "history=0", "guard")))
    assert len(configs) == 4 * 2 * 2
    arms = {(str(config.settings), config.guard) for config in configs}
    assert arms == {
        ("{'repairs': 2}", True),
        ("{'repairs': 2, 'log': False}", True),
        ("{'repairs': 2, 'history': 0}", True),
        ("{'repairs': 2}", False),
    }
    assert {config.model for config in configs} == {"fake:model"}


@pytest.mark.parametrize("switches", [(), ("log", "log")])
def test_switches_that_are_none_are_refused(switches: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        spec_of(asked(*switches))


def test_runs_are_paired_by_their_switch() -> None:
    cells = [
        CellOutcome(
            config=config,
            state=CellState.DONE,
            result=result(0.1 if "log" in config.settings else 0.3, task=config.task, seed=config.seed),
        )
        for config in expand(spec_of(asked("log")))
    ]
    found = ablation_of(SweepReport(name="x", cells=tuple(cells), seconds=0), asked("log"))
    assert found.effects[0].comparison.pairs == 4
    assert found.effects[0].comparison.improvement.value == pytest.approx(0.2)
