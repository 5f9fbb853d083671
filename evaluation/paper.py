"""The paper's tables from our runs, beside the published figures: success, improvement, efficiency."""

from __future__ import annotations

from collections.abc import Callable

from environment.records.display import NONE, count, percent
from evaluation.statistics.published import RUNS, PublishedAgent, paper_efficiency, paper_table
from evaluation.statistics.tables import Cell, Table

Row = dict[str, str]
MEAN = "mean"
_OURS = {"clrs": "CLRS", "babylm": "BabyLM"}
"""Our tasks whose names differ from the paper's."""


def success_table(table: Table) -> list[Row]:
    """Success by task and agent; ours with successes of runs, the paper's of eight."""

    def ours(cell: Cell) -> str:
        return f"{percent(cell.success.value)} ({cell.successes}/{cell.runs})"

    def theirs(agent: PublishedAgent, task: str) -> str:
        return f"{percent(agent.by_task[task].value)} ({agent.successes[task]}/{RUNS})"

    means = {one.contestant: percent(one.success.same_tasks.value) for one in table.summaries}
    published = {agent.model: percent(agent.overall.same_tasks.value) for agent in paper_table()}
    return _by_task(table, ours, theirs, {**means, **published})


def improvement_table(table: Table) -> list[Row]:
    """Mean improvement of runs with a score by task and agent, as the paper counts."""

    def ours(cell: Cell) -> str:
        return percent(cell.improvement_valid.value, signed=True) if cell.improvement_valid else NONE

    def theirs(agent: PublishedAgent, task: str) -> str:
        return percent(agent.improvements[task], signed=True)

    means = {
        one.contestant: percent(one.improvement_valid.value, signed=True) if one.improvement_valid else NONE
        for one in table.summaries
    }
    published = {
        agent.model: percent(sum(agent.improvements.values()) / len(agent.improvements), signed=True)
        for agent in paper_table()
    }
    return _by_task(table, ours, theirs, {**means, **published})


def efficiency_table(table: Table) -> list[Row]:
    """Success and tokens a run, ours first; the paper's are read off a figure."""
    ours = [
        {
            "agent": one.contestant,
            "success": percent(one.success.same_tasks.value),
            "tokens a run": count(one.efficiency.per_run.tokens),
            "from": "these runs",
        }
        for one in table.summaries
    ]
    theirs = [
        {"agent": one.agent, "success": percent(one.success), "tokens a run": count(one.tokens), "from": "the paper"}
        for one in paper_efficiency()
    ]
    return [*ours, *theirs]


def _by_task(
    table: Table,
    ours: Callable[[Cell], str],
    theirs: Callable[[PublishedAgent, str], str],
    means: dict[str, str],
) -> list[Row]:
    agents = paper_table()
    cells = {(cell.contestant, _OURS.get(cell.task, cell.task)): cell for cell in table.cells}
    tasks = [*agents[0].successes, *sorted({task for _, task in cells} - set(agents[0].successes))]
    rows = []
    for task in tasks:
        own = {
            one.contestant: ours(cell) if (cell := cells.get((one.contestant, task))) else NONE
            for one in table.summaries
        }
        published = {agent.model: theirs(agent, task) if task in agent.successes else NONE for agent in agents}
        rows.append({"task": task, **own, **published})
    return [*rows, {"task": MEAN, **means}]
