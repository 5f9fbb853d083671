"""Papers, the topics they are on, and what the recorded model of the tasks about literature knows.

The bibliographic records are facts, with long lists of authors cut after the tenth or eleventh; the
one-line abstracts and the questions were written for this catalogue.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from foundation.records import Record

_HERE = Path(__file__).parent


class KnownPaper(Record):
    """One paper.

    Attributes:
        known_as: What people call it.
        kind: As BibTeX calls it: ``inproceedings``, ``article`` or ``misc``.
        topics: What it is on.
    """

    known_as: str
    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    kind: str
    topics: tuple[str, ...]
    summary: str

    def found(self) -> dict[str, Any]:
        """As a search shows it."""
        return {
            "title": self.title,
            "authors": self.authors,
            "year": str(self.year),
            "url": f"https://papers.example/{_digest(self.title)[:12]}",
            "summary": self.summary,
            "venue": self.venue,
            "kind": self.kind,
        }


class Topic(Record):
    """What papers are on.

    Attributes:
        public: It gives example questions, and no hidden ones.
        questions: How somebody asks who does not know the terms.
        terms: The terms.
    """

    public: bool = False
    questions: tuple[str, ...]
    terms: str


_TOPICS = TypeAdapter(dict[str, Topic])


def papers() -> list[KnownPaper]:
    """All papers, in an order that says nothing of their topics."""
    lines = (_HERE / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    return sorted(map(KnownPaper.model_validate_json, lines), key=lambda paper: _digest(paper.title))


def topics() -> dict[str, Topic]:
    """All topics by name."""
    return _TOPICS.validate_python(tomllib.loads((_HERE / "topics.toml").read_text(encoding="utf-8")))


def recorded_answers() -> list[dict[str, str]]:
    """What the recorded model was asked, and what it said."""
    asked = {
        f"search terms for papers on {words}": topic.terms for topic in topics().values() for words in topic.questions
    }
    asked |= {f"title of the paper known as {paper.known_as}": paper.title for paper in papers()}
    return [{"question": question, "answer": answer} for question, answer in asked.items()]


def write_json(path: Path, content: object) -> None:
    """Save something as JSON that people can read."""
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
