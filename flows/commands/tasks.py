"""``mlab tasks`` and ``mlab prepare``."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from flows.commands.output import print_json, print_table
from flows.settings import Settings
from flows.text import format_number
from tasks_catalog.catalog import list_tasks, load_task
from tasks_catalog.prepare import prepare
from tasks_catalog.spec import Figure, Task, Variant


def list_catalogue(*, as_json: bool) -> None:
    """Print the tasks with their figures."""
    tasks = list_tasks()
    if as_json:
        print_json([task.spec.model_dump(mode="json") for task in tasks])
    else:
        print_table([row for task in tasks for row in _rows(task)], empty="The catalogue is empty.")


def prepare_data(name: str, variant: str, *, raw: Path | None, as_json: bool) -> None:
    """Make a task's data and say where it lies."""
    layout = Settings().layout
    task, which = load_task(name), Variant(variant)
    data = prepare(task, which, layout.task_data(task.name, which), layout.downloads, raw)
    if as_json:
        print_json(data.model_dump(mode="json"))
    else:
        Console().print(f"{task.name}, {which} data: {data.public.parent}\ndigest {data.digest}", highlight=False)


def _rows(task: Task) -> list[dict[str, str]]:
    spec = task.spec
    return [
        {
            "task": spec.name,
            "domain": spec.domain,
            "variant": variant.value,
            "metric": f"{spec.metric.name} ({spec.metric.direction.value})",
            "baseline": _figure(figures.baseline),
            "reference": _figure(figures.reference),
            "seconds": format_number(figures.baseline.seconds if figures.baseline else None),
            "needs": ", ".join((*spec.extras, *figures.needs)),
        }
        for variant, figures in spec.variants.items()
    ]


def _figure(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    spread = f" ± {format_number(figure.std)}" if figure.std else ""
    return f"{format_number(figure.mean)}{spread}"
