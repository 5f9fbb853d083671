"""Run folders of AI-Scientist v1: ``run_<n>/final_info.json``, the coder's chat, the notes and the paper.

The chat has what the harness told of every run, failed ones too; a folder without it still has the results. Notes and
paper are what the agent reports.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, TypedDict

from environment.metrics.meaning import canonical, is_known
from environment.metrics.names import split_in
from environment.records import Action, Outcome
from evaluation.importers.chats import Passage, Speaker, edits_in, passages
from evaluation.importers.ending import completed
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_json, load_text, mapping
from evaluation.record.log import Exchange, LogStep, RunLog

_CHAT = "_aider.txt"
_ASKED = "--out_dir=run_i"
"""How the harness tells the coder what it will run."""
_HEAD = 1 << 16
_NOTES = "notes.txt"
_REPORTS = (_NOTES, "latex/template.tex", "README.md")
_RESULTS = re.compile(
    r"Run (?P<run>\d+) completed\. Here are the results:\s*(?P<results>\{.*?\})\s*(?:Decide|\Z)", re.DOTALL
)
_GIVEN = re.compile(
    r"(?:baseline results are as follows:|^## Run 0: Baseline\s+Results:)\s*(?P<results>\{[^\n]*\})", re.MULTILINE
)
_SECTION = re.compile(r"^#+ Run (?P<run>\d+)\b", re.MULTILINE)
"""Where the notes on a run begin."""
_FAILED = re.compile(r"Run (?:failed with the following error|timed out after).*", re.DOTALL)
_MODEL = re.compile(r"^(?:Main model|Model): (\S+)", re.MULTILINE)
_NO_NUMBER = re.compile(r"\b(?:nan|inf)\b")
_BASELINE = "0"
_SCRIPT = "experiment.py"
_UNKEPT = "[content omitted: the folder lacks it]"
"""In the place of the script of a run where the folder has but its results."""
_ASIDE = ("time", "step time", "std", "memory", "steps")
"""Metrics that a run is not made for."""


_Runs = dict[str, dict[str, Any]]
"""The means of each run, by its number."""
_Notes = dict[str, dict[str, str]]
"""What was written on each run, by its number and the name of the file."""


class _Figures(TypedDict):
    metric: str | None
    baseline: float | None
    score: float | None
    self_measured: bool


def _is_run(found: Found) -> bool:
    """Whether a folder is that of one idea, or has its chat."""
    folder = found.path
    is_idea = found.is_folder and any((folder / name).is_file() for name in (_SCRIPT, _NOTES))
    return (is_idea and any(folder.glob("run_*/final_info.json"))) or _is_told(found)


def _is_told(found: Found) -> bool:
    """Whether the coder's chat is there, which tells of every run by itself."""
    file = _chat_of(found)
    return file is not None and _ASKED in load_text(file, _HEAD)


def _chat_of(found: Found) -> Path | None:
    """The coder's chat of an idea's folder, or the file that is one."""
    files = sorted(found.path.glob(f"*{_CHAT}")) if found.is_folder else [found.path]
    return next((file for file in files if file.name.endswith(_CHAT)), None)


def _read(found: Found) -> Iterator[RunLog]:
    folder = found.path
    file = _chat_of(found)
    chat = list(passages(load_text(file))) if file else []
    asked = [passage.text for passage in chat if passage.speaker is Speaker.USER]
    reports = {name: load_text(folder / name) for name in _REPORTS}
    runs = _with_baseline(_runs(found), "\n".join((*asked[:1], reports[_NOTES])))
    notes, reports[_NOTES] = _by_run(reports[_NOTES], runs)
    steps = [*(_from_chat(chat, runs, notes) if chat else _from_folder(folder, runs, notes)), *_said(reports)]
    model = _MODEL.search("\n".join(passage.text for passage in chat if passage.speaker is Speaker.AIDER))
    yield RunLog(
        source=found.source,
        steps=tuple(steps),
        task=_task(folder),
        task_text=asked[0] if asked else "",
        model=model[1] if model else None,
        agent="ai-scientist",
        **_figures(runs),
        **completed(),
    )


def _task(folder: Path) -> str:
    """The template that the idea belongs to: ``results/<template>/<date>_<idea>``."""
    return folder.parent.name or folder.name


def _runs(found: Found) -> _Runs:
    """The means of each run by its number, the baseline's first; one that cannot be read is noted."""
    runs: _Runs = {}
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


def _with_baseline(runs: _Runs, told: str) -> _Runs:
    """The runs, with the baseline as the harness told it where its folder holds no results."""
    given = _GIVEN.search(told) if _BASELINE not in runs else None
    return {_BASELINE: _dictionary(given["results"]), **runs} if given else runs


def _by_run(notes: str, runs: Collection[str]) -> tuple[_Notes, str]:
    """The notes on each run, and those on all of them."""
    heads = [head for head in _SECTION.finditer(notes) if head["run"] in runs]
    ends = [*(head.start() for head in heads[1:]), len(notes)]
    of_run = (
        {head["run"]: {_NOTES: notes[head.start() : end].strip()} for head, end in zip(heads, ends, strict=True)}
        if heads
        else {}
    )
    return of_run, notes[: heads[0].start()] if heads else notes


def _step(number: str, means: dict[str, Any]) -> LogStep:
    return LogStep(exchanges=(_run(number, _lines(means), Outcome.OK),))


def _figures(runs: _Runs) -> _Figures:
    """The first metric of the baseline that everybody knows, there and in the last run."""
    first, last = next(iter(runs), ""), next(reversed(runs), "")
    final = runs.get(last, {})
    for name, value in _values(runs[first]) if first == _BASELINE else ():
        start, end = figure(value), figure(dict(_values(final)).get(name))
        known = is_known(canonical(name)) and canonical(name) not in _ASIDE and split_in(name) != "train"
        if known and start is not None and end is not None and first != last:
            return {"metric": name, "baseline": start, "score": end, "self_measured": True}
    return {"metric": None, "baseline": None, "score": None, "self_measured": False}


def _from_folder(folder: Path, runs: _Runs, notes: _Notes) -> Iterator[LogStep]:
    """Each run with the script that it ran, as the harness keeps it, and the notes on it."""
    for number, means in runs.items():
        script = load_text(folder / f"run_{number}.py") or (_UNKEPT if number != _BASELINE else "")
        if script:
            yield LogStep(
                exchanges=(Exchange(action=Action(name="write", args={"file_path": _SCRIPT, "content": script})),)
            )
        yield _step(number, means)
        yield from _said(notes.get(number))


def _from_chat(chat: list[Passage], runs: _Runs, notes: _Notes) -> Iterator[LogStep]:
    """The coder's turns, the runs that the harness made after each, and the notes on a run before the next one."""
    if _BASELINE in runs:
        yield _step(_BASELINE, runs[_BASELINE])
        yield from _said(notes.pop(_BASELINE, None))
    number, last = 1, ""
    for passage in chat:
        if passage.speaker is Speaker.USER and (exchange := _run_from(passage.text, number)):
            yield from _said(notes.pop(last, None))
            yield LogStep(exchanges=(exchange,))
            if exchange.outcome is Outcome.OK:
                number, last = number + 1, str(number)
        elif passage.speaker is Speaker.MODEL:
            edits, prose = edits_in(passage.text)
            exchanges = tuple(
                Exchange(action=Action(name="edit", args={"file_path": edit.file, "patch": edit.patch}))
                for edit in edits
            )
            yield LogStep(prose={"response": prose} if prose else {}, exchanges=exchanges)
    for left in notes.values():
        yield from _said(left)


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
    command = f"python {_SCRIPT} --out_dir=run_{number}"
    return Exchange(action=Action(name="bash", args={"command": command}), observation=seen, outcome=outcome)


def _readable(results: str) -> str:
    """The dictionary that the harness shows, as lines; as it is where it is none."""
    return _lines(_dictionary(results)) or results


def _dictionary(results: str) -> dict[str, Any]:
    """A dictionary as Python prints it; what is no number in it is ``None``."""
    try:
        return mapping(ast.literal_eval(_NO_NUMBER.sub("None", results)))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return {}


def _values(means: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """The values of all data sets, named after theirs where there are several."""
    for name, of_data in means.items():
        if isinstance(of_data, dict):
            yield from ((f"{name} {metric}" if len(means) > 1 else metric, value) for metric, value in of_data.items())
        else:
            yield name, of_data


def _lines(means: dict[str, Any]) -> str:
    """A line a value, behind the data set that it is of where there are several."""
    return "\n".join(
        f"[{name}] {metric}: {value}" if len(means) > 1 else f"{metric}: {value}"
        for name, of_data in means.items()
        for metric, value in (of_data.items() if isinstance(of_data, dict) else [(name, of_data)])
    )


def _said(reports: dict[str, str] | None) -> Iterator[LogStep]:
    """What the agent wrote into files, by their names."""
    said = {f"report: {name}": text for name, text in (reports or {}).items() if text.strip()}
    if said:
        yield LogStep(prose=said)


AI_SCIENTIST = Importer(recognises=_is_run, read=_read, suffixes=(".txt",))
"""The format, as the registry names it."""
