"""``mlab run --dry-run``."""

from __future__ import annotations

from rich.text import Text

from environment.journal.runs import summaries
from environment.records import RunConfig, run_name
from environment.records.display import duration, money
from environment.store import Store
from flows.cli.commands.asked import check_models
from flows.cli.output import print_json
from flows.consoles import plain_console
from flows.run.cards import choice_of, require_cards
from flows.run.checking import check_config
from flows.run.disk import check_disk
from flows.settings import Settings, choose
from flows.sweep.estimate import History


def plan_run(config: RunConfig, *, as_json: bool, unsafe: bool = False) -> None:
    """Check a run on this machine without starting it; print what it would cost and take by earlier runs like it."""
    if unsafe:
        choose(unsafe_no_sandbox=True)
    settings = Settings()
    store = Store(settings.store_url)
    checked = check_config(config, settings, store)
    require_cards(choice_of(config, settings))
    check_disk(config, checked.task, settings)
    settings.open_sandbox(config.sandbox, "dry-run")
    check_models(config)
    history = History(found.result for found in summaries(store) if found.result is not None)
    cost, seconds = history.cost(config), history.seconds(config)
    if as_json:
        print_json({"config": config.model_dump(mode="json"), "cost": cost, "seconds": seconds})
        return
    unknown = "unknown: none like it has ended"
    expected = unknown if cost is None else money(cost)
    took = unknown if seconds is None else f"about {duration(seconds)}"
    plain_console().print(Text(f"{run_name(config)}\ncost {expected}, time {took}"), soft_wrap=True)
