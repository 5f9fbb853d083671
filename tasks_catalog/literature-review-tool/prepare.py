from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tasks_catalog.library.drawing import DrawJob
from tasks_catalog.library.literature.corpus import KnownPaper, papers, recorded_answers, topics, write_json
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

SEED = 0x9D0B7C1E5A4F3826A17E0C94B85D62F3E1A7C3B59F20D8466E81A3F5C7D90B24
LEAST = 3
"""Papers that a question for some years alone must leave."""

Question = tuple[dict[str, Any], list[str]]
"""A question, and the titles of the papers that answer it."""


def prepare(job: PrepareJob) -> None:
    """Write example questions with the papers on them, the papers to search, and what the recorded model knows."""
    random = np.random.default_rng(SEED)
    questions = list(ask(random, public=True))
    write_json(job.public / "questions.json", [question for question, _ in questions])
    write_json(job.public / "relevant.json", {question["id"]: titles for question, titles in questions})
    if job.variant is Variant.MINI:  # the other data is arXiv itself
        write_json(job.private / "papers.json", [paper.found() for paper in papers()])
    write_json(job.private / "answers.json", recorded_answers())


def draw(job: DrawJob) -> None:
    """Ask about the hidden topics, in each wording, for all years and for some; to practise, about the public ones."""
    questions = list(ask(job.random, public=job.practice))
    (job.exam / "inputs").mkdir()
    write_json(job.exam / "inputs" / "questions.json", [question for question, _ in questions])
    write_json(job.exam / "relevant.json", {question["id"]: titles for question, titles in questions})


def ask(random: np.random.Generator, *, public: bool) -> Iterator[Question]:
    """Questions on all topics that are public, or on all that are not, in an order drawn at random."""
    asked = [
        (name, words, for_years)
        for name, topic in topics().items()
        if topic.public == public
        for words in topic.questions
        for for_years in (False, True)
    ]
    for number, place in enumerate(random.permutation(len(asked)).tolist()):
        name, words, for_years = asked[place]
        question = {"id": f"q{number}", "question": words}
        on_topic = [paper for paper in papers() if name in paper.topics]
        yield for_some_years(question, on_topic, random) if for_years else (question, titles_of(on_topic))


def for_some_years(question: dict[str, Any], on_topic: Sequence[KnownPaper], random: np.random.Generator) -> Question:
    """The question for years drawn at random, in which enough papers on the topic were published."""
    years = sorted(paper.year for paper in on_topic)
    first = random.integers(len(years) - LEAST + 1)
    last = random.integers(first + LEAST - 1, len(years))
    inside = [paper for paper in on_topic if years[first] <= paper.year <= years[last]]
    return {**question, "from": years[first], "to": years[last]}, titles_of(inside)


def titles_of(found: Sequence[KnownPaper]) -> list[str]:
    """Their titles."""
    return [paper.title for paper in found]
