"""Where a grader of others reaches for the network, which no grader has, found by reading it: nothing of it runs."""

from __future__ import annotations

import ast
from pathlib import Path

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


def fetching(script: Path, *also: Path) -> list[str]:
    """The calls of a script and the modules beside it that fetch data, each in words.

    Args:
        script: The script.
        also: Folders in which it finds modules as well.
    """
    found: list[str] = []
    pending, seen = [script], set()
    while pending:
        file = pending.pop()
        seen.add(file)
        try:
            nodes = list(ast.walk(ast.parse(file.read_bytes())))
        except (OSError, SyntaxError, ValueError):
            continue
        calls = [(node.lineno, what) for node in nodes if isinstance(node, ast.Call) and (what := _fetches(node))]
        found += [f"{file.name}, line {line}, calls {what}" for line, what in sorted(calls)]
        beside = [folder / f"{name}.py" for name in _imports(nodes) for folder in (file.parent, *also)]
        pending += [each for each in dict.fromkeys(beside) if each not in seen and each.is_file()]
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
    return None


def _imports(nodes: list[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module] if node.module else [alias.name for alias in node.names]
            names.update(module.partition(".")[0] for module in modules)
    return names
