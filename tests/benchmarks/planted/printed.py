"""How experiments may be printed: the commands that ran them and what came back, in the styles that scripts have."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from environment.records import Action
from evaluation.record.log import Exchange
from tests.benchmarks.planted.experiments import Arm, Experiments

Style = Callable[[Experiments], Sequence[Exchange]]


def _shell(command: str, output: str) -> Exchange:
    return Exchange(action=Action(name="Bash", args={"command": command}), observation=output)


def _epochs(made: Experiments, arm: Arm) -> str:
    steps = enumerate(arm.curve, 1)
    return "\n".join(f"epoch {n} train_loss={2.0 / n:.4f} {made.metric.name}={made.metric.shown(v)}" for n, v in steps)


def by_command(made: Experiments) -> Sequence[Exchange]:
    """A command an arm, whose options tell what it tries."""
    return [_shell(f"python train.py {arm.options}".strip(), _result(made, arm)) for arm in made.arms]


def by_edit(made: Experiments) -> Sequence[Exchange]:
    """One script, edited between its runs, that prints the same lines whatever it tries."""
    exchanges: list[Exchange] = []
    for arm in made.arms:
        if arm.options:
            name, _, value = arm.options.removeprefix("--").partition(" ")
            old, new = f"{name.replace('-', '_')} = None", f"{name.replace('-', '_')} = {value or True!r}"
            edit = Action(name="Edit", args={"file_path": "train.py", "old_string": old, "new_string": new})
            exchanges.append(Exchange(action=edit, observation="The file train.py has been updated."))
        exchanges.append(_shell("python train.py", _result(made, arm)))
    return exchanges


def by_loop(made: Experiments) -> Sequence[Exchange]:
    """All arms by one command, each in a line that begins with its label."""
    lines = [
        f"{arm.label}: {made.metric.name}={made.metric.shown(arm.value)} ({arm.seconds:.1f}s)" for arm in made.arms
    ]
    return [_shell("python compare.py", "\n".join(lines))]


def by_table(made: Experiments) -> Sequence[Exchange]:
    """All arms by one command, in a table."""
    width = max(len(arm.label) for arm in made.arms) + 2
    head = f"{'name':<{width}}{made.metric.name:>12}{'seconds':>10}"
    rows = [f"{a.label:<{width}}{made.metric.shown(a.value):>12}{a.seconds:>10.1f}" for a in made.arms]
    return [_shell("python sweep.py", "\n".join([head, *rows]))]


def by_json(made: Experiments) -> Sequence[Exchange]:
    """A command an arm that prints one JSON object."""
    found: list[Exchange] = []
    for arm in made.arms:
        shown: Mapping[str, object] = {
            "config": arm.label,
            made.metric.name: arm.value,
            "seconds": round(arm.seconds, 1),
        }
        found.append(_shell(f"python run.py --config configs/{arm.label}.yaml", json.dumps(shown)))
    return found


def by_seed(made: Experiments) -> Sequence[Exchange]:
    """A command an arm that trains it with several seeds and prints their mean."""
    found: list[Exchange] = []
    for arm in made.arms:
        lines = [f"seed {n} {made.metric.name} {made.metric.shown(each)}" for n, each in enumerate(arm.seeds)]
        lines.append(f"mean {made.metric.name} {made.metric.shown(arm.value)} std {arm.std:.4f}")
        found.append(_shell(f"python train.py {arm.options} --seeds 0 1 2".replace("  ", " "), "\n".join(lines)))
    return found


def _result(made: Experiments, arm: Arm) -> str:
    """What a training prints: its epochs, where it has them, and its result."""
    last = f"{made.metric.name}: {made.metric.shown(arm.value)}"
    return f"{_epochs(made, arm)}\nfinal {last}" if made.is_deep else f"fitted in {arm.seconds:.1f}s\n{last}"


STYLES: Mapping[str, Style] = {
    "command": by_command,
    "edit": by_edit,
    "loop": by_loop,
    "table": by_table,
    "json": by_json,
    "seeds": by_seed,
}
