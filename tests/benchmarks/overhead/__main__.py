"""What a step costs beside the model and the script, as ratios to Prefect's own subflow, in one session.

Run with ``python -m tests.benchmarks.overhead [PART …]``; ``--json`` for programs. The parts: ``step``,
``requests``, ``growth``, ``many``, ``sizes`` and ``start``; all by default.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence

from rich.console import Console

from tests.benchmarks.overhead.parts import DATABASES, Figures, growth, many, sizes, start, step
from tests.benchmarks.overhead.requests import requests

PARTS: dict[str, Callable[[Sequence[str]], list[Figures]]] = {
    "step": step,
    "requests": requests,
    "growth": growth,
    "many": many,
    "sizes": sizes,
    "start": start,
}


def main() -> None:
    """Measure, and print a line a figure."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.overhead", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--on", choices=DATABASES, help="only one database behind Prefect")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    console = Console()
    for part in arguments.parts or PARTS:
        for figures in PARTS[part]([arguments.on] if arguments.on else DATABASES):
            if arguments.json:
                print(json.dumps({"part": part, **figures.values, "text": figures.text}))
            else:
                console.print(f"{part:7} {figures.text}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
