"""``mlab best-of``."""

from __future__ import annotations

from environment.records.display import number, percent
from environment.store import Store
from flows.cli.commands.choice import Choice
from flows.cli.output import print_json, print_table
from flows.errors import UsageError
from flows.settings import Settings
from flows.sweep.best_of import BestOf, best_of, teams


def choose_best(n: int, choice: Choice, *, as_json: bool) -> None:
    """Choose, and print what stands for each team.

    Raises:
        UsageError: No n of the runs differ in their seed alone.
    """
    from environment.mlflow.mirror import sync_runs

    settings = Settings()
    store = Store(settings.store_url)
    found = [best_of(store, team) for team in teams(store, choice.ids(store), n)]
    if not found:
        raise UsageError(
            f"No {n} finished runs among these differ in their seed alone.",
            hint="mlab sweep makes them: one agent, one task, several seeds.",
        )
    sync_runs(settings.mlflow_uri, settings.layout.mlflow_artifacts, store, [one.run_id for one in found])
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
        return
    print_table([_row(one) for one in found], title=f"best of {n} on validation data")


def _row(one: BestOf) -> dict[str, str]:
    validated = one.validated
    return {
        "run": one.run_id,
        "chosen": one.chosen,
        "measured": f"{validated.metric} {number(validated.value)}" if validated else "nothing: the first",
        "score": number(one.result.score),
        "improvement": percent(one.result.improvement, signed=True),
    }
