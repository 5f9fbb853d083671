"""Where code of others reaches for the network, which no grader has, found by reading it: nothing of it runs."""

from __future__ import annotations

import ast
from pathlib import Path

from tasks_catalog.library.foreign.beside import modules_of

_FETCHES = {
    "cached_download",
    "fetch_20newsgroups",
    "fetch_california_housing",
    "fetch_covtype",
    "fetch_openml",
    "hf_hub_download",
    "load_dataset",
    "load_dataset_builder",
    "snapshot_download",
    "urlopen",
    "urlretrieve",
    "wget.download",
    "gdown.download",
    "nltk.download",
    "evaluate.load",
    "requests.get",
    "DglNodePropPredDataset",
    "NodePropPredDataset",
    "PygGraphPropPredDataset",
    "PygLinkPropPredDataset",
    "PygNodePropPredDataset",
}
"""What fetches, by its name, or by that of its module and its own."""
_STARTS_PROGRAMS = {"Popen", "call", "check_call", "check_output", "run", "system"}
_FETCHING_PROGRAMS = {"aws", "curl", "gdown", "gsutil", "huggingface-cli", "kaggle", "wget"}


def fetching(script: Path, *also: Path) -> list[str]:
    """The calls of a script and the modules beside it that fetch data, each in words.

    Args:
        script: The script.
        also: Folders in which it finds modules as well.
    """
    found: list[str] = []
    for file, module in modules_of(script, *also) if script.is_file() else ():
        if isinstance(module, ast.Module):
            nodes = (node for node in ast.walk(module) if isinstance(node, ast.Call))
            calls = [(node.lineno, what) for node in nodes if (what := _fetches(node))]
            found += [f"{file.name}, line {line}, calls {what}" for line, what in sorted(calls)]
    return list(dict.fromkeys(found))


def _fetches(call: ast.Call) -> str | None:
    """The call in short, if it fetches."""
    dotted = ast.unparse(call.func) if isinstance(call.func, ast.Attribute | ast.Name) else ""
    parts = dotted.split(".")
    if parts[-1] in _FETCHES or ".".join(parts[-2:]) in _FETCHES:
        return f"{dotted}()"
    for keyword in call.keywords:
        if keyword.arg == "download" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True:
            return f"{dotted}(download=True)"
    program = _first_word(call.args[0]) if parts[-1] in _STARTS_PROGRAMS and call.args else ""
    return program if program in _FETCHING_PROGRAMS else None


def _first_word(command: ast.expr) -> str:
    """The program of a command line, or of a list of its words."""
    match command:
        case ast.Constant(value=str(line)) if line.strip():
            return line.split()[0]
        case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]) | ast.JoinedStr(values=[first, *_]):
            return _first_word(first)
    return ""
