"""Summaries of AI-Scientist v2's stages (``baseline_summary.json`` …), which hold the best nodes without their outputs.

The metrics of a node stand in place of what its measuring script printed.
"""

from __future__ import annotations

from typing import Any

from evaluation.importers.parsing import mapping, mappings, text
from evaluation.record.log import OF_STAGE

_BEST, _OF_SEEDS = "best node", "best node with different seeds"
_UNKNOWN = "[output omitted: a stage's summary does not hold what the script printed]"


def nodes_in(data: object) -> list[dict[str, Any]]:
    """The nodes of a summary, as a journal has them; none where it is no summary.

    Args:
        data: What a file of JSON holds: the best node of a stage with its seeds, or a list of ablations.
    """
    found = mappings(data if isinstance(data, list) else [mapping(data).get(_BEST)])
    if not found or not all(mapping(each.get("metric")) and OF_STAGE in each for each in found):
        return []
    seeds = mappings(mapping(data).get(_OF_SEEDS))
    return [_node(number, each) for number, each in enumerate([*found, *seeds])]


def _node(number: int, summary: dict[str, Any]) -> dict[str, Any]:
    measured = mappings(mapping(mapping(summary["metric"]).get("value")).get("metric_names"))
    return {**summary, "step": number, "_term_out": _UNKNOWN, "parse_term_out": "\n".join(_lines(measured))}


def _lines(measured: list[dict[str, Any]]) -> list[str]:
    """The metrics, data set by data set."""
    of_sets: dict[str, list[str]] = {}
    for metric in measured:
        name = text(metric.get("metric_name"))
        for of_set in mappings(metric.get("data")):
            final, best = of_set.get("final_value"), of_set.get("best_value")
            lines = of_sets.setdefault(text(of_set.get("dataset_name")), [])
            lines += [f"{name}: {final}"] if final is not None else []
            lines += [f"best {name}: {best}"] if best not in (None, final) else []
    return [line for name, lines in of_sets.items() for line in (f"Dataset: {name}", *lines)]
