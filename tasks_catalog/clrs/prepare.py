from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import numpy as np
import numpy.typing as npt

from tasks_catalog.library.data.sources import Sources
from tasks_catalog.library.drawing import DrawJob
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

DM_CLRS = "2.0.3"

Seed = int | list[int]
"""What numpy's RandomState takes: 32 bits, or a list of such."""


class Part(NamedTuple):
    """How many graphs of how many nodes each."""

    graphs: int
    nodes: tuple[int, ...]


PARTS = {
    Variant.FULL: {  # the sizes of CLRS-30; the shorter graphs are those of its baseline's training
        "train": Part(1000, (4, 7, 11, 13, 16)),
        "valid": Part(32, (16,)),
        "test": Part(32, (64,)),
    },
    Variant.MINI: {"train": Part(500, (4, 6, 8)), "valid": Part(64, (8,)), "test": Part(64, (16,))},
}

SEEDS = {"train": 1, "valid": 2}
"""CLRS-30's. Its test graphs are those of seed 3, which anyone can draw: here a secret draws them."""


def prepare(job: PrepareJob) -> None:
    """Write graphs to learn from and to validate, with every step of the algorithm."""
    for name, seed in SEEDS.items():
        write_graphs(job.sources, job.public, name, PARTS[job.variant][name], seed)


def draw(job: DrawJob) -> None:
    """Draw the graphs that a network is graded on."""
    seed = job.random.integers(2**32, size=8, dtype=np.uint32).tolist()
    write_graphs(job.sources, job.exam, "test", PARTS[job.variant]["test"], seed)


def write_graphs(sources: Sources, folder: Path, name: str, part: Part, seed: Seed) -> None:
    """Draw the graphs of one part, in one file for each number of nodes."""
    with sources.library("dm-clrs", DM_CLRS) as library, stand_ins(library / "clrs"):
        for nodes in part.nodes:
            np.savez_compressed(folder / f"{name}_{nodes}.npz", **sample(part.graphs, nodes, seed))


def sample(graphs: int, nodes: int, seed: Seed) -> dict[str, npt.NDArray[Any]]:
    """Graphs and the run of Floyd and Warshall's algorithm on each, as dm-clrs draws and records them.

    Returns:
        ``weights`` (graphs, nodes, nodes), 0 where there is no edge; ``pointers`` of the same shape, the node
        before the second on the shortest path from the first; and by step ``step_pointers``,
        ``step_distances`` and ``step_reached`` (graphs, steps, nodes, nodes).
    """
    from clrs._src import samplers

    sampler, _ = samplers.build_sampler("floyd_warshall", seed=seed, num_samples=graphs, length=nodes)
    drawn = sampler.next()
    inputs, hints = ({probe.name: probe.data for probe in probes} for probes in drawn.features[:2])
    (output,) = drawn.outputs
    steps = {f"step_{ours}": np.swapaxes(hints[theirs], 0, 1) for ours, theirs in HINTS.items()}
    return {
        "weights": inputs["A"].astype(np.float32),
        "pointers": output.data.astype(np.int16),
        "step_pointers": steps["step_pointers"].astype(np.int16),
        "step_distances": steps["step_distances"].astype(np.float32),
        "step_reached": steps["step_reached"].astype(np.bool_),
    }


HINTS = {"pointers": "Pi_h", "distances": "D", "reached": "msk"}


@contextmanager
def stand_ins(package: Path) -> Iterator[None]:
    """Let dm-clrs's samplers be imported without the JAX and TensorFlow that its models need.

    The samplers take a few names from those libraries, and compute with numpy alone. What is loaded of
    them besides is put aside, and back at the end.
    """
    clrs, jax = ModuleType("clrs"), MagicMock(Array=np.ndarray)
    clrs.__path__ = [str(package)]
    jax.tree_util.register_pytree_node_class = lambda kind: kind
    jax.tree_util.tree_map = map_probes
    tensorflow = MagicMock(Tensor=type("Tensor", (), {}))
    modules = {"clrs": clrs, "jax": jax, "jax.numpy": jax.numpy, "tensorflow": tensorflow}
    names = {"clrs", "jax", "tensorflow", "chex", "absl"}
    aside = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in names}
    try:
        replace(aside, modules | {"chex": MagicMock(unsafe=True), "absl": MagicMock()})
        yield
    finally:
        ours = [name for name in sys.modules if name.partition(".")[0] in names]
        replace(ours, aside)


def replace(gone: Iterable[str], new: Mapping[str, ModuleType]) -> None:
    """Take some loaded modules away, and put others there."""
    for name in gone:
        del sys.modules[name]
    sys.modules.update(new)


def map_probes(function: Callable[..., Any], *trees: Any) -> Any:
    """Apply a function to the data of probes that lie in lists or tuples; what JAX's ``tree_map`` does there."""
    first = trees[0]
    if isinstance(first, list | tuple):
        return type(first)(map_probes(function, *parts) for parts in zip(*trees, strict=True))
    return type(first)(first.name, first.location, first.type_, function(*(probe.data for probe in trees)))
