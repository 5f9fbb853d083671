"""Run folders of AI-Scientist v1: ``run_<n>/final_info.json``, the coder's chat, the notes and the paper.

The chat has what the harness told of every run, failed ones too; a folder without it still has the results. Notes and
paper are what the agent reports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

from environment.metrics.meaning import canonical, is_known
from environment.records import Action, Outcome
from evaluation.importers.ending import completed
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_json, mapping, text
from evaluation.record.log import Exchange, LogStep, RunLog

_REPORTS = ("notes.txt", "latex/template.tex", "README.md")
_TURN = re.compile(r"(?:^####[^\n]*\n?)+", re.MULTILINE)
"""What the harness asked of the coder: lines that begin so."""
_BLOCK = re.compile(
    r"^(?P<file>[\w./-]+)\n```[^\n]*\n(?P<patch><{5,} ?SEARCH.*?^>{5,} ?REPLACE)\n?```", re.MULTILINE | re.DOTALL
)
_RESULTS = re.compile(
    r"Run (?P<run>\d+) completed\. Here are the results:\s*(?P<results>\{.*?\})\s*(?:Decide|\Z)", re.DOTALL
)
_FAILED = re.compile(r"Run (?:failed with the following error|timed out after).*", re.DOTALL)
_MACHINE = re.compile(r"^> .*$\n?", re.MULTILINE)
_MODEL = re.compile(r"^> (?:Main model|Model): (\S+)", re.MULTILINE)
_BASELINE = "0"
_ASIDE = ("time", "step time", "std", "memory", "steps")
"""Metrics that a run is not made for."""


class _Figures(TypedDict):
    metric: str | None
    baseline: float | None
    score: float | None
    self_measured: bool


def _is_run(found: Found) -> bool:
    """Whether a folder is that of one idea."""
    folder = found.path
    return found.is_folder and (folder / "experiment.py").is_file() and any(folder.glob("run_*/final_info.json"))


def _read(found: Found) -> Iterator[RunLog]:
    folder = found.path
    chat = next(iter(sorted(folder.glob("*_aider.txt"))), None)
    written = chat.read_text(encoding="utf-8", errors="replace") if chat else ""
    runs = _runs(found)
    steps = [_step(number, means) for number, means in runs.items() if number == _BASELINE or not written]
    steps += _from_chat(written)
    steps += _reports(folder)
    asked = _TURN.findall(written)
    model = _MODEL.search(written)
    yield RunLog(
        source=found.source,
        steps=tuple(steps),
        task=_task(folder),
        task_text=_plain(asked[0]) if asked else "",
        model=model[1] if model else None,
        agent="ai-scientist",
        **_figures(runs),
        **completed(),
    )


def _task(folder: Path) -> str:
    """The template that the idea belongs to: ``results/<template>/<date>_<idea>``."""
    return folder.parent.name or folder.name


def _runs(found: Found) -> dict[str, dict[str, Any]]:
    """The means of each run by its number, the baseline's first; one that cannot be read is noted."""
    runs: dict[str, dict[str, Any]] = {}
    files = sorted(found.path.glob("run_*/final_info.json"), key=lambda file: (len(file.parent.name), file.parent.name))
    for file in files:
        try:
            results = mapping(load_json(file))
        except LogError as error:
            found.notes.append(f"{file.parent.name} is left out: {error.message}")
            continue
        means = {name: mapping(of_data).get("means", of_data) for name, of_data in results.items()}
        runs[file.parent.name.removeprefix("run_")] = means
    return runs


def _step(number: str, means: dict[str, Any]) -> LogStep:
    return LogStep(exchanges=(_run(number, _lines(means), Outcome.OK),))


def _figures(runs: dict[str, dict[str, Any]]) -> _Figures:
    """The first metric of the baseline that everybody knows, there and in the last run."""
    first, last = next(iter(runs), ""), next(reversed(runs), "")
    final = runs.get(last, {})
    for name, value in _values(runs[first]) if first == _BASELINE else ():
        start, end = figure(value), figure(dict(_values(final)).get(name))
        known = is_known(canonical(name)) and canonical(name) not in _ASIDE
        if known and start is not None and end is not None and first != last:
            return {"metric": name, "baseline": start, "score": end, "self_measured": True}
    return {"metric": None, "baseline": None, "score": None, "self_measured": False}


def _from_chat(written: str) -> list[LogStep]:
    """The coder's turns, and the runs that the harness made after each."""
    heads = list(_TURN.finditer(written))
    steps: list[LogStep] = []
    number = 1
    for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(written)], strict=False):
        output, said = _plain(head.group()), written[head.end() : end]
        if exchange := _run_from(output, number):
            steps.append(LogStep(exchanges=(exchange,)))
            number += exchange.outcome is Outcome.OK
        edits = tuple(
            Exchange(action=Action(name="edit", args={"file_path": block["file"], "patch": block["patch"]}))
            for block in _BLOCK.finditer(said)
        )
        prose = _MACHINE.sub("", _BLOCK.sub("", said)).strip()
        if prose or edits:
            steps.append(LogStep(prose={"response": prose} if prose else {}, exchanges=edits))
    return steps


def _run_from(output: str, number: int) -> Exchange | None:
    """The run that a message of the harness tells of."""
    done = _RESULTS.search(output)
    if done:
        return _run(done["run"], _readable(done["results"]), Outcome.OK)
    failed = _FAILED.search(output)
    if not failed:
        return None
    return _run(str(number), failed.group(), Outcome.KILLED if "timed out" in failed.group()[:20] else Outcome.FAILED)


def _run(number: str, seen: str, outcome: Outcome) -> Exchange:
    command = f"python experiment.py --out_dir=run_{number}"
    return Exchange(action=Action(name="bash", args={"command": command}), observation=seen, outcome=outcome)


def _readable(results: str) -> str:
    """The dictionary that the harness shows, as lines; as it is where it is none."""
    try:
        means = json.loads(results.replace("'", '"'))
    except ValueError:
        return results
    return _lines(mapping(means))


def _values(means: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """The values of all data sets, named after theirs where there are several."""
    for name, of_data in means.items():
        values = of_data if isinstance(of_data, dict) else {name: of_data}
        yield from ((f"{name} {metric}" if len(means) > 1 else metric, value) for metric, value in values.items())


def _lines(means: dict[str, Any]) -> str:
    """A line a value."""
    return "\n".join(f"{name}: {value}" for name, value in _values(means))


def _plain(output: str) -> str:
    return re.sub(r"^#### ?", "", output, flags=re.MULTILINE).strip()


def _reports(folder: Path) -> list[LogStep]:
    """What the agent wrote about it all, last."""
    texts = {}
    for name in _REPORTS:
        file = folder / name
        if file.is_file():
            texts[f"report: {name}"] = text(file.read_text(encoding="utf-8", errors="replace"))
    return [LogStep(prose=texts)] if any(texts.values()) else []


AI_SCIENTIST = Importer(recognises=_is_run, read=_read)
"""The format, as the registry names it."""
