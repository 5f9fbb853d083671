"""``mlab reaudit``."""

from __future__ import annotations

import sys

from rich.text import Text

from environment.records.display import counted
from environment.store import Store
from evaluation.claims.claim import verdicts_line
from flows.cli.bar import with_bar
from flows.cli.commands.choice import Choice
from flows.cli.failure import FAILED
from flows.cli.output import print_json
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.services.server import connect
from flows.services.variables import configure_process
from flows.settings import Settings


def reaudit_runs(choice: Choice, *, part: str | None, as_json: bool) -> None:
    """Read the claims of the chosen runs anew, and say how many there are by verdict.

    Args:
        choice: The runs.
        part: ``k/n`` for the k-th of n parts of them, from 1.
        as_json: Print JSON.

    Raises:
        UsageError: There is no such part.
    """
    number, of = _part(part or "1/1")
    settings = Settings()
    settings.make_home()
    ids = choice.ids(Store(settings.store_url))[number - 1 :: of]
    configure_process(settings)
    with plain_console(stderr=True).status("starting the local Prefect server"):
        connect(settings)
        # Prefect's flows take seconds to import.
        from flows.grading.reaudit import BATCH, reaudit

    what = f"reading the claims of {counted(len(ids), 'run')}, in parts of up to {BATCH}"
    done = reaudit(settings.store_url, ids, watched=lambda parts, total: with_bar(parts, what, total))
    if as_json:
        print_json(done.model_dump(mode="json"))
    else:
        plain_console().print(Text(f"{counted(done.runs, 'run')}: {verdicts_line(done.claims) or 'no claims'}"))
    for run_id, why in done.failed.items():
        plain_console(stderr=True).print(Text(f"{run_id} is left out: {why}"))
    if done.failed:
        sys.exit(FAILED)


def _part(written: str) -> tuple[int, int]:
    number, _, of = written.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return int(number), int(of)
    raise UsageError(f"{written!r} is no part of the runs.", hint="The third of eight parts is 3/8.")
