"""The commands that show and evaluate what a run left. Like ``flows.cli.tree``, this imports nothing heavy."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.completion import runs as ids_of_runs
from flows.cli.options import (
    AgentOption,
    AgentRuns,
    FormatOption,
    Json,
    ModelOption,
    SettingOption,
    SinceOption,
    SomeRuns,
    SweepRuns,
    TaskRuns,
    UnsafeOption,
    named_path,
)


def show(
    run: Annotated[
        str | None, typer.Argument(help="Id of a run; without it, all runs are listed.", autocompletion=ids_of_runs)
    ] = None,
    step: Annotated[int | None, typer.Option(min=0, help="Only this step, whole.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Everything written, done and observed, step by step.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="The search tree of an agent that searches.")] = False,
    as_json: Json = False,
) -> None:
    """Show a run step by step, and what does not stand up. --full or --step shows what was written."""
    from flows.cli.commands.show import list_all, show_run, show_tree

    if run is None:
        for name, asked in (("--step", step is not None), ("--full", full), ("--tree", tree)):
            if asked:
                raise typer.BadParameter("goes with the id of a run only", param_hint=name)
        list_all(as_json=as_json)
    elif tree:
        show_tree(run, as_json=as_json)
    else:
        show_run(run, step=step, full=full, as_json=as_json)


def grade(
    runs: Annotated[
        list[str],
        typer.Argument(help="Ids of runs; unique beginnings are enough.", metavar="RUN...", autocompletion=ids_of_runs),
    ],
    intermediate: Annotated[
        bool, typer.Option("--intermediate", help="Grade every step, and keep the grades with the run.")
    ] = False,
    unsafe_no_sandbox: UnsafeOption = False,
    as_json: Json = False,
) -> None:
    """Grade runs, or each of their steps, from the store. Says what changed."""
    from flows.cli.commands import grade as command
    from flows.settings import choose

    if unsafe_no_sandbox:
        choose(unsafe_no_sandbox=True)
    command.grade_runs(runs, intermediate=intermediate, as_json=as_json)


def audit(
    paths: Annotated[
        list[str], typer.Argument(help="Ids of runs, or log files or folders of other harnesses.", metavar="PATH...")
    ],
    since: SinceOption = None,
    of_format: FormatOption = None,
    extractor: Annotated[
        str | None, typer.Option(help="provider:model that finds claims instead of the built-in rules.")
    ] = None,
    setting: SettingOption = None,
    max_cost: Annotated[float | None, typer.Option(min=0.001, help="US dollars for the extractor.")] = None,
    as_json: Json = False,
) -> None:
    """Hold what an agent claimed against what was measured."""
    from flows.cli.commands.audit import audit_targets
    from flows.cli.commands.extraction import paid_extractor
    from flows.cli.commands.logs import Logs
    from flows.cli.pairs import parse_settings

    finding = paid_extractor(extractor, parse_settings(setting or []), limit=max_cost)
    audit_targets(paths, Logs(since, of_format), extractor=finding, as_json=as_json)


def reaudit(
    runs: SomeRuns = None,
    sweep: SweepRuns = None,
    task: TaskRuns = None,
    agent: AgentRuns = None,
    part: Annotated[str | None, typer.Option(help="3/8: the third of eight parts of the runs; default: all.")] = None,
    as_json: Json = False,
) -> None:
    """Read the claims of runs anew, on all cores. The report has them from then on."""
    from flows.cli.commands.choice import Choice
    from flows.cli.commands.reaudit import reaudit_runs

    reaudit_runs(Choice(tuple(runs or ()), sweep, task, agent), part=part, as_json=as_json)


def judge(
    runs: SomeRuns = None,
    model: ModelOption = None,
    setting: SettingOption = None,
    max_cost: Annotated[float | None, typer.Option(min=0.001, help="US dollars for the judge.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Also ask about runs this model has judged.")] = False,
    as_json: Json = False,
) -> None:
    """Have a language model judge how runs were worked. How far the rules agree is said as well."""
    from flows.cli.commands.judge import judge_runs
    from flows.cli.pairs import parse_settings

    settings = parse_settings(setting or [])
    judge_runs(runs or [], model=model, settings=settings, limit=max_cost, again=again, as_json=as_json)


def probe(
    agent: AgentOption = None,
    model: ModelOption = None,
    setting: SettingOption = None,
    depths: Annotated[str, typer.Option(help="Changes in a row: a number, or from-to.")] = "1-10",
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each depth.")] = 1,
    max_cost: Annotated[float | None, typer.Option(min=0.001, help="US dollars for each run.")] = None,
    local: Annotated[int, typer.Option(min=1, help="Runs at once on this machine.")] = 2,
    unsafe_no_sandbox: UnsafeOption = False,
    as_json: Json = False,
) -> None:
    """Find out how many dependent changes an agent can plan."""
    from flows.cli.commands.asked import agent_for
    from flows.cli.commands.probe import probe_agent
    from flows.cli.pairs import parse_settings

    probe_agent(
        agent_for(agent, model),
        model,
        parse_settings(setting or []),
        depths=depths,
        seeds=seeds,
        money=max_cost,
        at_once=local,
        unsafe=unsafe_no_sandbox,
        as_json=as_json,
    )


def import_logs(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Log files or folders of other harnesses.", metavar="PATH...", parser=named_path),
    ],
    since: SinceOption = None,
    of_format: FormatOption = None,
    as_json: Json = False,
) -> None:
    """Turn logs of other harnesses into runs of the store."""
    from flows.cli.commands.audit import import_paths
    from flows.cli.commands.logs import Logs

    import_paths(paths, Logs(since, of_format), as_json=as_json)


def learn(
    runs: SomeRuns = None,
    sweep: SweepRuns = None,
    task: TaskRuns = None,
    agent: AgentRuns = None,
    name: Annotated[str, typer.Option(help="What the knowledge base is called.")] = "default",
    model: Annotated[
        str | None, typer.Option(help="provider:model that adds a summary of each task's lessons, marked as its words.")
    ] = None,
    setting: SettingOption = None,
    max_cost: Annotated[float | None, typer.Option(min=0.001, help="US dollars for the summaries.")] = None,
    as_json: Json = False,
) -> None:
    """Distil finished runs into a knowledge base for agents. It says what each change to a starter did."""
    from flows.cli.commands.choice import Choice
    from flows.cli.commands.learn import Summariser, learn_from
    from flows.cli.pairs import parse_settings

    summariser = Summariser(model, parse_settings(setting or []), max_cost)
    learn_from(Choice(tuple(runs or ()), sweep, task, agent), name, summariser, as_json=as_json)


def close(
    run: Annotated[str, typer.Argument(help="Id of a run that was interrupted.", metavar="RUN")],
    end: Annotated[
        Literal["failed", "infrastructure"],
        typer.Option("--as", help="failed counts against the agent, infrastructure counts in no rate."),
    ],
    reason: Annotated[str, typer.Option(help="Why; kept with the result.")],
    as_json: Json = False,
) -> None:
    """End a run for good that will not be resumed."""
    from flows.cli.commands.close import close_run

    close_run(run, end, reason, as_json=as_json)


def remove(
    runs: Annotated[list[str] | None, typer.Argument(help="Ids of runs.", autocompletion=ids_of_runs)] = None,
    sweep: SweepRuns = None,
    task: TaskRuns = None,
    agent: AgentRuns = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove runs from the store for good. What another run needs stays."""
    from flows.cli.commands.choice import Choice
    from flows.cli.commands.remove import remove_runs

    remove_runs(Choice(tuple(runs or ()), sweep, task, agent), sure=yes)


COMMANDS: dict[str, Callable[..., None]] = {
    "show": show,
    "grade": grade,
    "audit": audit,
    "reaudit": reaudit,
    "judge": judge,
    "probe": probe,
    "import": import_logs,
    "learn": learn,
    "close": close,
    "rm": remove,
}
