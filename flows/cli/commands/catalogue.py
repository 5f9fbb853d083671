"""``mlab tasks``: the tasks with their figures, and what their data need."""

from __future__ import annotations

from environment.records.display import NONE, duration, number
from flows.cli.output import print_json, print_table
from tasks_catalog.catalog import list_tasks
from tasks_catalog.library.spec import Direction, TaskSpec, Variant


def list_catalogue(*, as_json: bool) -> None:
    """Print the tasks with their figures."""
    tasks = list_tasks()
    if as_json:
        print_json([task.spec.model_dump(mode="json") for task in tasks])
    else:
        print_table([_figures(task.spec) for task in tasks])
        print_table([_needs(task.spec) for task in tasks])


def _figures(spec: TaskSpec) -> dict[str, str]:
    """A task with the figures of its first, small data."""
    arrow = "↑" if spec.metric.direction is Direction.MAXIMIZE else "↓"
    first = next(iter(spec.variants.values()))
    return {
        "task": spec.name,
        "domain": spec.domain,
        "metric": f"{spec.metric.name} {arrow}",
        "baseline": number(first.baseline.mean) if first.baseline else NONE,
        "reference": number(first.reference.mean) if first.reference else NONE,
        "time": duration(first.baseline.seconds).replace(" ", "\N{NO-BREAK SPACE}") if first.baseline else NONE,
    }


def _needs(spec: TaskSpec) -> dict[str, str]:
    """What each of a task's data needs besides this package."""
    by_variant = {name: (*spec.extras, *figures.needs) for name, figures in spec.variants.items()}
    return {"task": spec.name, **{f"{name} needs": ", ".join(by_variant.get(name, ())) or NONE for name in Variant}}
