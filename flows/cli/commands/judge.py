"""``mlab judge``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pydantic import JsonValue
from rich.text import Text

from agent.models.errors import PromptTooLongError, RefusedError
from environment.journal.runs import list_runs
from environment.records.display import money, number, percent
from environment.store import RunKeys, Store
from evaluation.process.judge import Agreement, JudgeError, Judgement, agreement, judge, modes_of, read_judgement
from evaluation.report.collect import stream_runs
from flows.cli.failure import FAILED
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.errors import SpendLimitError, UsageError
from flows.run.finding import find_run
from flows.settings import Settings
from flows.structured import StructuredModel
from foundation.errors import MlabError
from tasks_catalog.catalog import find_task

OF_THIS_RUN = (JudgeError, PromptTooLongError, RefusedError)
"""What can be wrong with one run's answer, and says nothing about the next."""


class Judged(NamedTuple):
    """A run, the failure modes that the rules find in it, and what the judge says."""

    run_id: str
    by_rules: frozenset[str]
    judgement: Judgement


def judge_runs(
    runs: list[str],
    *,
    model: str | None,
    settings: dict[str, JsonValue],
    limit: float | None,
    again: bool,
    as_json: bool,
) -> None:
    """Ask about every run that the model has not judged yet, and print all judgements with their agreement."""
    if model is None:
        raise UsageError("No model is named to judge.", hint="Give --model provider:model.")
    store = Store(Settings().store_url)
    chosen = [find_run(store, run) for run in runs] or list_runs(store)
    asked, console = StructuredModel(model, settings, limit=limit), plain_console(stderr=True)
    failures: list[MlabError] = []
    judged: list[Judged] = []
    with console.status("judging") as status:
        for one in _judged(store, chosen, asked, model, again=again, note=failures.append):
            judged.append(one)
            status.update(f"judging: {len(judged)} of {len(chosen)}")
    for error in failures:
        console.print(Text(str(error), style="red"))
    if judged or as_json or not failures:
        _print(judged, as_json=as_json)
    if failures:
        raise SystemExit(FAILED)


def _judged(
    store: Store,
    run_ids: list[str],
    asked: StructuredModel,
    model: str,
    *,
    again: bool,
    note: Callable[[MlabError], None],
) -> Iterator[Judged]:
    for run in stream_runs(store, run_ids):
        run_id = run.result.run_id
        known = read_judgement(store, run_id)
        if known is None or known.model != model or again:
            task = find_task(run.config.task) if run.config else None
            try:
                known = judge(asked.ask, task.instruction if task else "", run.steps)
            except SpendLimitError as error:
                note(error)
                return
            except OF_THIS_RUN as error:
                note(type(error)(f"{run_id}: {error.message}", hint=error.hint))
                continue
            store.put_record(RunKeys(run_id=run_id).judgement, known)
        yield Judged(run_id, frozenset(failure.mode for failure in run.failures), known)


def _print(judged: list[Judged], *, as_json: bool) -> None:
    compared = agreement([(one.judgement.rubric, one.by_rules) for one in judged]) if judged else []
    if as_json:
        rows = [{"run_id": one.run_id, **one.judgement.model_dump(mode="json")} for one in judged]
        print_json({"runs": rows, "agreement": [one.model_dump(mode="json") for one in compared]})
        return
    print_table([_row(one) for one in judged], empty="No runs to judge.")
    print_table([_agreement_row(one) for one in compared], title="Agreement with the rules", empty="")
    costs = [one.judgement.cost for one in judged]
    known = [cost for cost in costs if cost is not None]
    cost = money(sum(known)) if len(known) == len(costs) else "at an unknown price"
    plain_console().print(Text(f"{sum(one.judgement.tokens for one in judged):,} tokens, {cost}"))


def _row(one: Judged) -> dict[str, str]:
    rubric = one.judgement.rubric
    return {
        "run": one.run_id,
        "solved": "yes" if rubric.solved else "no",
        "failures, by the judge": ", ".join(sorted(modes_of(rubric))),
        "by the rules": ", ".join(sorted(one.by_rules)),
        "summary": rubric.summary,
    }


def _agreement_row(one: Agreement) -> dict[str, str]:
    return {
        "failure mode": one.mode.value,
        "runs": str(one.runs),
        "by the judge": str(one.by_judge),
        "by the rules": str(one.by_rules),
        "agreed": percent(one.agreed),
        "kappa": number(one.kappa),
    }
