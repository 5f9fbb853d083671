from __future__ import annotations

import hashlib
import io
import random as stdlib_random

import numpy as np
import pandas as pd

from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

COMPETITION = "feedback-prize-english-language-learning"
MEASURES = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]

ESSAYS = 1500
SEED = 0x336660E3CF74ECEADD25F11C2CA3E5688D1BF37709E487FE18D98C1A558A2527
"""Drawn once, so that nobody finds it by trying."""
PEOPLE = ["my friend", "our teacher", "the student", "my mother", "the coach", "a classmate", "the principal"]
ACTIONS = [("help", "helps"), ("teach", "teaches"), ("ask", "asks"), ("support", "supports"), ("follow", "follows")]
OBJECTS = ["the group", "new students", "the team", "young people", "the whole class", "other kids", "the community"]
WORDS = {"good": "beneficial", "bad": "detrimental", "big": "substantial", "get": "acquire", "show": "demonstrate"}
LINKS = ["However,", "For example,", "In addition,", "As a result,", "On the other hand,", "Therefore,"]
CLAUSES = ["because it takes time", "although it is not easy", "when the work is hard", "which makes a difference"]
PHRASES = {
    "do a lot of works": "make an effort",
    "learn many knowledge": "gain experience",
    "in my think": "in my view",
}


def prepare(job: PrepareJob) -> None:
    """Hide a fifth of the essays, chosen by a hash of their text."""
    essays = read_essays(job)
    hidden = essays["full_text"].map(text_hash) % 5 == 0
    essays[~hidden].to_csv(job.public / "train.csv", index=False)
    essays.loc[hidden, ["text_id", "full_text"]].to_csv(job.public / "test.csv", index=False)
    essays.loc[hidden, ["text_id", *MEASURES]].to_csv(job.private / "answers.csv", index=False)


def read_essays(job: PrepareJob) -> pd.DataFrame:
    """Essays with their six scores: the competition's, or made up; of repeated ones the first."""
    if job.variant is Variant.FULL:
        table = pd.read_csv(io.BytesIO(job.sources.kaggle(COMPETITION, "train.csv").read_bytes()))
    else:
        table = generate()
    return table[["text_id", "full_text", *MEASURES]].drop_duplicates("full_text")


def text_hash(text: str) -> int:
    """A number that depends on the text alone, the same on every machine."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)


def generate() -> pd.DataFrame:
    """Essays whose wording follows six abilities, which share a common part as in the competition.

    Scores run from 1 to 5 in halves; two graders' disagreement is added as noise.
    """
    draw = np.random.default_rng(SEED)
    general = draw.normal(0, 1, (ESSAYS, 1))
    ability = 0.75 * general + 0.66 * draw.normal(0, 1, (ESSAYS, len(MEASURES)))
    scores = 3.1 + 0.65 * ability + draw.normal(0, 0.25, ability.shape)
    scores = np.clip(np.round(scores * 2) / 2, 1, 5)
    texts = [
        write_essay(stdlib_random.Random(SEED + n), dict(zip(MEASURES, row, strict=True)))
        for n, row in enumerate(ability)
    ]
    ids = [f"{text_hash(text):015X}"[-12:] for text in texts]
    return pd.DataFrame({"text_id": ids, "full_text": texts} | dict(zip(MEASURES, scores.T, strict=True)))


def write_essay(draw: stdlib_random.Random, ability: dict[str, float]) -> str:
    """An essay of 12 to 40 sentences; the able write a little more."""
    length = round(min(40, max(12, draw.gauss(24, 6) + 2 * sum(ability.values()) / len(ability))))
    return " ".join(write_sentence(draw, ability) for _ in range(length))


def write_sentence(draw: stdlib_random.Random, ability: dict[str, float]) -> str:
    """One sentence; each ability decides how often its own trait shows."""

    def shows(measure: str) -> bool:
        return draw.random() < 1 / (1 + np.exp(-1.2 * ability[measure]))

    plural, singular = draw.choice(ACTIONS)
    verb = singular if shows("grammar") else plural
    plain, choice = draw.choice(list(WORDS.items()))
    clumsy, fitting = draw.choice(list(PHRASES.items()))
    parts = [draw.choice(PEOPLE), verb, draw.choice(OBJECTS), "and this is", choice if shows("vocabulary") else plain]
    if draw.random() < 0.4:
        parts += ["to", fitting if shows("phraseology") else clumsy]
    if shows("syntax"):
        parts.append(draw.choice(CLAUSES))
    if draw.random() < 0.6 and shows("cohesion"):
        parts.insert(0, draw.choice(LINKS))
    text = " ".join(parts)
    return text[0].upper() + text[1:] + "." if shows("conventions") else text.replace("because", "becuase")
