from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tasks_catalog.library.drawing import DrawJob
from tasks_catalog.library.literature.bibtex import fields_of
from tasks_catalog.library.literature.corpus import KnownPaper, papers, recorded_answers, write_json
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

SEED = 0x5E13C7A90B42D68F1A7B3C9D0E5F82641D9A0C7B3E5F18246B8D0F1A3C5E7092
EXAMPLES = 27
"""Papers that the examples mention; the others are for the hidden mentions."""
PREPRINT = "arXiv preprint"
TOLD_BY_ARXIV = ("author", "title")
"""Fields that arXiv knows as well as the publisher does."""


def prepare(job: PrepareJob) -> None:
    """Write example mentions with their references, the papers to search, and what the recorded model knows."""
    write_mentions(job.public, papers()[:EXAMPLES], np.random.default_rng(SEED), judged(job.variant))
    if job.variant is Variant.MINI:  # the other data is arXiv itself
        write_json(job.private / "papers.json", [found for paper in papers() for found in versions(paper)])
    write_json(job.private / "answers.json", recorded_answers())


def draw(job: DrawJob) -> None:
    """Mention each hidden paper in every way, what a title lacks drawn at random; to practise, each of the examples."""
    mentioned = papers()[:EXAMPLES] if job.practice else papers()[EXAMPLES:]
    (job.exam / "inputs").mkdir()
    references = write_mentions(job.exam / "inputs", mentioned, job.random, judged(job.variant))
    references.rename(job.exam / references.name)


def judged(variant: Variant) -> tuple[str, ...] | None:
    """The fields that count; ``None`` for all."""
    return TOLD_BY_ARXIV if variant is Variant.FULL else None


def write_mentions(
    folder: Path, mentioned: Sequence[KnownPaper], random: np.random.Generator, fields: tuple[str, ...] | None
) -> Path:
    """Write mentions of papers, and beside them the file of their references, whose path is returned."""
    every = [(paper, text) for paper in mentioned for text in mentions(paper, random)]
    order = [every[place] for place in random.permutation(len(every)).tolist()]
    write_json(folder / "mentions.json", [{"id": f"m{n}", "text": text} for n, (_, text) in enumerate(order)])
    entries = [fields_of(paper.found()) for paper, _ in order]
    kept = [{name: value for name, value in entry.items() if fields is None or name in fields} for entry in entries]
    references = folder / "references.json"
    write_json(references, {f"m{n}": entry for n, entry in enumerate(kept)})
    return references


def mentions(paper: KnownPaper, random: np.random.Generator) -> list[str]:
    """One paper as texts mention it: by its nickname, by what it is about, and by a title that lacks a word."""
    surname, words = paper.authors[0].split()[-1], paper.title.split()
    others = " et al." if len(paper.authors) > 1 else ""
    about = " ".join(paper.summary.rstrip(".").split()[-6:])
    left_out = random.integers(len(words)) if len(words) > 4 else None
    title = " ".join(word.lower() for n, word in enumerate(words) if n != left_out)
    return [
        f"We build on the work known as {paper.known_as}.",
        f"See {surname}{others} ({paper.year}): {about}.",
        f"As shown in \u201c{title}\u201d ({surname}, {paper.year}).",
    ]


def versions(paper: KnownPaper) -> list[dict[str, object]]:
    """A paper as published, and before it, of some, the preprint of the year before."""
    published = paper.found()
    if paper.kind != "inproceedings" or paper.year < 2014 or len(paper.title) % 2:
        return [published]
    preprint = {"year": str(paper.year - 1), "venue": PREPRINT, "kind": "misc", "url": f"{published['url']}v1"}
    return [{**published, **preprint}, published]
