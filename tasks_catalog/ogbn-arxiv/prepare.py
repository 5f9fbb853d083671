from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

ARCHIVE = "http://snap.stanford.edu/ogb/data/nodeproppred/arxiv.zip"

SEED = 0xA599066504FC5226C3F44782D6C51EA744EF3B5307AF42630931E524E0030255
"""Drawn once, so that nobody finds it by trying."""
PAPERS = 6000
CLASSES = 20
FEATURES = 64
CITATIONS = 6
SAME_CLASS = 0.4
SIGNAL = 0.3
YEARS = (2008, 2020)
LAST_TRAIN_YEAR, LAST_VALID_YEAR = 2017, 2018


class Graph(NamedTuple):
    """Papers, who cites whom, and which papers each part of the split holds."""

    features: npt.NDArray[np.float32]
    edges: npt.NDArray[np.int64]
    years: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]
    parts: dict[str, npt.NDArray[np.int64]]


def prepare(job: PrepareJob) -> None:
    """Write the graph, the labels of earlier papers, and the numbers of the later ones."""
    graph = read_archive(job.sources.web(ARCHIVE)) if job.variant is Variant.FULL else generate()
    np.savez(job.public / "graph.npz", features=graph.features, edges=graph.edges, years=graph.years)
    for part in ("train", "valid"):
        labelled(graph, part).to_csv(job.public / f"{part}.csv", index=False)
    test = labelled(graph, "test")
    test[["node"]].to_csv(job.public / "test.csv", index=False)
    test.to_csv(job.private / "answers.csv", index=False)


def labelled(graph: Graph, part: str) -> pd.DataFrame:
    """The papers of one part with their labels."""
    nodes = np.sort(graph.parts[part])
    return pd.DataFrame({"node": nodes, "label": graph.labels[nodes]})


def read_archive(path: Path) -> Graph:
    """OGB's own archive, with its own split by year."""
    with zipfile.ZipFile(path) as archive:

        def table(name: str) -> npt.NDArray[np.float64]:
            packed = io.BytesIO(archive.read(f"arxiv/{name}.csv.gz"))
            return pd.read_csv(packed, compression="gzip", header=None).to_numpy()

        return Graph(
            features=table("raw/node-feat").astype(np.float32),
            edges=table("raw/edge").T.astype(np.int64),
            years=table("raw/node_year")[:, 0].astype(np.int64),
            labels=table("raw/node-label")[:, 0].astype(np.int64),
            parts={part: table(f"split/time/{part}")[:, 0].astype(np.int64) for part in ("train", "valid", "test")},
        )


def generate() -> Graph:
    """Papers that cite earlier ones, mostly of their own class, with words that hint at the class."""
    draw = np.random.default_rng(SEED)
    years = np.sort(draw.triangular(YEARS[0], YEARS[1], YEARS[1] + 1, PAPERS).astype(np.int64))
    share = 1 / np.arange(2, CLASSES + 2)
    labels = draw.choice(CLASSES, PAPERS, p=share / share.sum())
    centres = draw.normal(0, SIGNAL, (CLASSES, FEATURES))
    features = (centres[labels] + draw.normal(0, 1, (PAPERS, FEATURES))).astype(np.float32)
    edges = np.array(
        [(paper, cited) for paper in range(50, PAPERS) for cited in cite(paper, labels, draw)], dtype=np.int64
    ).T
    shuffle = draw.permutation(PAPERS)
    return Graph(
        features=features[np.argsort(shuffle)],
        edges=shuffle[edges],
        years=years[np.argsort(shuffle)],
        labels=labels[np.argsort(shuffle)],
        parts={
            "train": shuffle[years <= LAST_TRAIN_YEAR],
            "valid": shuffle[(years > LAST_TRAIN_YEAR) & (years <= LAST_VALID_YEAR)],
            "test": shuffle[years > LAST_VALID_YEAR],
        },
    )


def cite(paper: int, labels: npt.NDArray[np.int64], draw: np.random.Generator) -> set[int]:
    """The earlier papers that one paper cites."""
    cited = draw.integers(0, paper, 1 + draw.poisson(CITATIONS - 1))
    alike = np.flatnonzero(labels[:paper] == labels[paper])
    if len(alike):
        same = draw.random(len(cited)) < SAME_CLASS
        cited = np.where(same, draw.choice(alike, len(cited)), cited)
    return {int(number) for number in cited}
