"""Journals of AIDE and its kin (``journal.json``): a tree of scripts, each with plan, output and analysis.

AIRA-dojo's lie in ``checkpoint/journal.jsonl`` and ``*_search_data.json``, whose metric is a number. AI-Scientist v2
measures in a script of its own (``parse_term_out``), and lets a model describe the plots: what that wrote is prose as
the analysis is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from environment.metrics.names import Split, split_in, without_split
from environment.metrics.outputs import parse_metrics
from environment.records import Action, Outcome
from evaluation.importers.ending import Span, span
from evaluation.importers.errors import LogError
from evaluation.importers.harnesses.stage_summaries import nodes_in
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_json, mapping, objects, text
from evaluation.record.log import OF_PLOTS, OF_STAGE, Exchange, LogStep, RunLog
from tasks_catalog.library.spec import Direction

_EXPORTED = "*_search_data.json"
"""What AIRA-dojo writes at the end, beside the journal that it keeps on the way."""
_OF_DOJO = "dojo_config.json"
_PLOTS, _SUMMARY = OF_PLOTS
_DESCRIBED = (_SUMMARY, "exec_time_feedback")
_PLANNED = (OF_STAGE, "plan")
_FILLING = frozenset({"score", "value", "final", "metric"})
"""Words of a metric's name that name none."""


_OF_NODE = frozenset({"step", "metric", "analysis"})
"""What a node has where its code was left out to save room."""
_OF_LINE = frozenset({"step", "code", "metric_maximize", "is_buggy"})
"""What a node of AIRA-dojo has."""


def _nodes(found: Found) -> object:
    if not found.has_lines:
        return mapping(found.json).get("nodes") or _summed_up(found) or mapping(found.json).get("nodes")
    lines = list(found.lines())
    if not any(mapping(line).keys() >= _OF_LINE for line in lines):
        raise ValueError("none of its lines is a node")
    return lines


def _summed_up(found: Found) -> list[dict[str, Any]]:
    """The nodes of a stage's summary, unless the journals that it sums up lie beside it."""
    has_journals = found.path.match("*_summary.json") and any(found.path.parent.glob("*/journal.json"))
    return [] if has_journals else nodes_in(found.json)


def _is_journal(found: Found) -> bool:
    """Whether parsed JSON, or each of its lines, is a journal's."""
    if found.has_lines:
        return found.head[:1] != [] and all(line.keys() >= _OF_LINE for line in found.head)
    if not found.named and found.path.match(_EXPORTED) and (found.path.parent / "checkpoint/journal.jsonl").is_file():
        return False  # the same nodes
    nodes = _nodes(found)
    if not isinstance(nodes, list) or not nodes:
        return nodes == []
    first = mapping(nodes[0])
    return "code" in first or first.keys() >= _OF_NODE


def _read(found: Found) -> Iterator[RunLog]:
    """A journal in the order of its steps.

    A node's plan comes before its run, and its analysis after: the analysis stands with the next step, as
    every other text that was written after an observation.
    """
    nodes = [_with_metric(node) for node in objects(_nodes(found), found.path, "nodes") if not _is_root(node)]
    around = found.path.parent.parent
    found.used += [*around.glob("*_summary.json"), found.path.parent / "notes"]
    if found.has_lines:
        found.used += [*around.glob(_EXPORTED), around / _OF_DOJO]
    nodes = sorted(nodes, key=lambda node: node["step"] if isinstance(node.get("step"), int) else 0)
    steps: list[LogStep] = []
    said: dict[str, str] = {}
    for node in nodes:
        prose = said | {name: text(node.get(name)) for name in _PLANNED}
        steps.append(
            LogStep(prose={name: words for name, words in prose.items() if words}, exchanges=tuple(_runs(node)))
        )
        said = _said_afterwards(node)
    if said:
        steps.append(LogStep(prose=said))
    config = _config(found)
    metric, direction = _metric(nodes)
    yield RunLog(
        source=found.source,
        steps=tuple(steps),
        task=text(config.get("exp_name")) or text(mapping(config.get("task")).get("name")) or _folder(found.path),
        task_text=text(config.get("goal")) or text(config.get("task_desc")),
        model=text(mapping(mapping(config.get("agent")).get("code")).get("model")) or None,
        agent=_agent(nodes),
        metric=metric,
        direction=direction,
        score=_best(nodes, metric, direction),
        self_measured=True,
        **_took(nodes),
    )


def _is_root(node: dict[str, Any]) -> bool:
    """Whether a node of AIRA-dojo is the one that the first drafts hang on."""
    return "metric_maximize" in node and not node.get("code") and not node.get("parents")


def _agent(nodes: list[dict[str, Any]]) -> str:
    if any("metric_maximize" in node for node in nodes):
        return "aira-dojo"
    return "ai-scientist-v2" if any("parse_term_out" in node for node in nodes) else "aide"


def _with_metric(node: dict[str, Any]) -> dict[str, Any]:
    """A node of AIRA-dojo as AIDE has it: the metric with its direction, an exit code as an error."""
    if "metric_maximize" not in node:
        return node
    metric = {"value": node.get("metric"), "maximize": node["metric_maximize"]}
    return {**node, "metric": metric, "exc_type": "exit" if node.get("exit_code") else None}


def _said_afterwards(node: dict[str, Any]) -> dict[str, str]:
    said = {"analysis": text(node.get("analysis"))} | {name: text(node.get(name)) for name in _DESCRIBED}
    plots = node.get(_PLOTS)
    described = [_of_plot(mapping(plot)) for plot in plots] if isinstance(plots, list) else []
    said[_PLOTS] = "\n\n".join(words for words in described if words)
    return {name: words for name, words in said.items() if words.strip()}


def _of_plot(plot: dict[str, Any]) -> str:
    return "\n".join(words for name in ("analysis", "key_findings") if (words := text(plot.get(name))))


def _runs(node: dict[str, Any]) -> Iterator[Exchange]:
    """The script, then the one that measures, then the one that plots."""
    yield _run("runfile.py", node.get("code"), node.get("_term_out", node.get("term_out")), node.get("exc_type"))
    if node.get("parse_term_out"):
        code, failed = node.get("parse_metrics_code"), node.get("parse_exc_type")
        yield _run("parse_metrics.py", code, node["parse_term_out"], failed)
    if node.get("plot_term_out"):
        yield _run("plot.py", node.get("plot_code"), node["plot_term_out"], node.get("plot_exc_type"))


def _run(script: str, code: object, output: object, failed: object) -> Exchange:
    seen = "".join(part for part in output if isinstance(part, str)) if isinstance(output, list) else text(output)
    outcome = Outcome.FAILED if failed else Outcome.OK
    action = Action(name="Execute Script", args={"script_name": script, "code": text(code)} if text(code) else {})
    return Exchange(
        action=action,
        observation=seen,
        outcome=Outcome.KILLED if failed == "TimeoutError" else outcome,
    )


def _metric(nodes: list[dict[str, Any]]) -> tuple[str | None, Direction | None]:
    """What the journal's nodes are measured by, and which way most of them say that it is better.

    AI-Scientist v2 has several metrics a node, each with a direction of its own.
    """
    several = [each for node in nodes for each in _named(mapping(node.get("metric")))]
    found = list(_of_main(several) if several else _of_nodes(nodes))
    names = Counter(name for of_one, _ in found for name in of_one)
    votes = Counter(way for _, way in found if way)
    metric = next((name for name, _ in names.most_common(1) if name), None)
    leading = votes.most_common(2)
    tie = len(leading) == 2 and leading[0][1] == leading[1][1]
    return metric, leading[0][0] if leading and not tie else None


def _of_main(several: list[dict[str, Any]]) -> Iterator[tuple[set[str], Direction | None]]:
    """What the main one of several metrics is called each time, and which way it is said to be better."""
    main = _main([text(each.get("metric_name")) for each in several])
    for each in several:
        if _identity(name := text(each.get("metric_name"))) == main:
            is_lower = each.get("lower_is_better")
            yield {name}, _way(not is_lower if isinstance(is_lower, bool) else None)


def _of_nodes(nodes: list[dict[str, Any]]) -> Iterator[tuple[set[str], Direction | None]]:
    """What each node calls its only metric, else what its output does, and which way it is said to be better."""
    for node in nodes:
        metric = mapping(node.get("metric"))
        if isinstance(metric.get("maximize"), bool):
            name = text(metric.get("name"))
            yield {name} if name else _printed(node, figure(metric.get("value"))), _way(metric["maximize"])


def _way(is_higher: bool | None) -> Direction | None:
    return None if is_higher is None else Direction.MAXIMIZE if is_higher else Direction.MINIMIZE


def _named(metric: dict[str, Any]) -> list[dict[str, Any]]:
    """The metrics of a node of AI-Scientist v2."""
    found = mapping(metric.get("value")).get("metric_names")
    return [named for named in found if isinstance(named, dict)] if isinstance(found, list) else []


def _main(names: list[str]) -> tuple[Split | None, str]:
    """The metric that most nodes have; one of the training data only where there is no other."""
    counted = Counter(map(_identity, names))
    held_out = {known: count for known, count in counted.items() if known[0] != "train"}
    return max(held_out or counted, key=counted.__getitem__)


def _identity(name: str) -> tuple[Split | None, str]:
    """What tells a node's metrics apart, written in whichever way: "val_f1", "Validation F1 Score"."""
    bare = without_split(name).lower().replace("_", " ").replace("-", " ")
    return split_in(name), " ".join(word for word in bare.split() if word not in _FILLING)


def _printed(node: dict[str, Any], value: float | None) -> set[str]:
    """What a node's output calls the value that the journal took for the metric."""
    if value is None:
        return set()
    points = (point for run in _runs(node) for point in parse_metrics(run.observation))
    return {point.name for point in points if value in (point.value, point.comparable)}


def _best(nodes: list[dict[str, Any]], metric: str | None, direction: Direction | None) -> float | None:
    """The best value of the nodes that worked."""
    values = []
    for node in nodes:
        found = mapping(node.get("metric"))
        if node.get("is_buggy") is True:
            continue
        values.append(figure(found.get("value")))
        for named in _named(found):
            if metric and _identity(text(named.get("metric_name"))) == _identity(metric):
                data = [mapping(of_data) for of_data in named.get("data") or () if isinstance(of_data, dict)]
                values += [figure(of_data.get("final_value")) for of_data in data] if len(data) == 1 else []
    known = [value for value in values if value is not None]
    if not known or direction is None:
        return None
    return max(known) if direction is Direction.MAXIMIZE else min(known)


def _took(nodes: list[dict[str, Any]]) -> Span:
    """From the first node, as AIDE began it, to the end of the last one's run."""
    began = [at for node in nodes if (at := figure(node.get("ctime")))]
    ended = [at + (figure(node.get("exec_time")) or 0) for node in nodes if (at := figure(node.get("ctime")))]
    return span(min(began), max(ended)) if began else span(None, None)


def _config(found: Found) -> dict[str, Any]:
    """The run's own settings, where they lie beside it."""
    path = found.path
    try:
        for file in (path.with_name("config.json"), *(folder / _OF_DOJO for folder in list(path.parents)[:2])):
            if file.is_file():
                return mapping(load_json(file))
        for folder in (path.parent, path.parent.parent):
            if (folder / "config.yaml").is_file():
                found.used.append(folder / "config.yaml")
                return mapping(yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8", errors="replace")))
    except (LogError, OSError, yaml.YAMLError):
        pass
    return {}


def _folder(path: Path) -> str:
    """The experiment, in whose folder AI-Scientist v2 keeps its logs (``<date>_<idea>/logs/0-run/<stage>/``)."""
    above = [folder.name for folder in path.parents]
    return above[above.index("logs") + 1] if "logs" in above[:-1] else path.parent.name


AIDE = Importer(recognises=_is_journal, read=_read)
"""The format, as the registry names it."""
