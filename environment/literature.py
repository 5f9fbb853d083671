"""Searching papers: arXiv's public interface, a saved feed of it, or records of papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol
from xml.etree import ElementTree

from pydantic import TypeAdapter, ValidationError

from environment.errors import ActionError, RoomError
from foundation.records import Record

ARXIV = "https://export.arxiv.org/api/query"

_ATOM = {"atom": "http://www.w3.org/2005/Atom", "arxiv": "http://arxiv.org/schemas/atom"}


class Paper(Record):
    """One paper found.

    Attributes:
        venue: Where it was published, where that is known.
        kind: What it is, as BibTeX calls it, where that is known.
    """

    title: str
    authors: tuple[str, ...]
    year: str
    url: str
    summary: str
    venue: str = ""
    kind: str = ""


_PAPERS = TypeAdapter(list[Paper])


class Literature(Protocol):
    """Something that finds papers."""

    def search(self, query: str, limit: int) -> list[Paper]:
        """The papers that fit best, best first.

        Raises:
            ActionError: The search is not possible now.
        """
        ...


class Arxiv:
    """arXiv's query interface (https://info.arxiv.org/help/api/user-manual.html).

    Args:
        endpoint: Address of the interface.
        timeout: Seconds to wait for an answer.
    """

    def __init__(self, endpoint: str = ARXIV, timeout: float = 20) -> None:
        self._endpoint = endpoint
        self._timeout = timeout

    def search(self, query: str, limit: int) -> list[Paper]:
        """See ``Literature``."""
        import httpx

        words = " AND ".join(f"all:{word}" for word in _words(query))
        parameters: dict[str, str | int] = {"search_query": words, "start": 0, "max_results": limit}
        try:
            answer = httpx.get(self._endpoint, params=parameters, timeout=self._timeout, follow_redirects=True)
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise ActionError("The literature search does not answer now.", hint="Go on without it.") from error
        return parse_feed(answer.text)[:limit]


class SavedLiterature:
    """Papers at hand, searched without a network.

    Args:
        papers: Of equally good ones the first is found first.
    """

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._papers = papers

    def search(self, query: str, limit: int) -> list[Paper]:
        """Papers by the number of the query's words in title and abstract."""
        words = {word.lower() for word in _words(query)}
        found = [(len(words & _vocabulary(paper)), paper) for paper in self._papers]
        ranked = sorted((hit for hit in found if hit[0]), key=lambda hit: -hit[0])
        return [paper for _, paper in ranked[:limit]]


def open_literature(feed: Path | None) -> Literature:
    """The saved feed where there is one, else arXiv.

    Raises:
        ActionError: The file is no feed.
        RoomError: It cannot be read.
    """
    try:
        return Arxiv() if feed is None else SavedLiterature(read_papers(feed))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise RoomError(f"The saved feed {feed} cannot be read: {error}", hint="See MLAB_LITERATURE_FEED.") from error


def read_papers(file: Path) -> list[Paper]:
    """The papers of a feed saved from arXiv, or of a JSON file.

    Raises:
        ActionError: The feed is none.
        OSError, UnicodeDecodeError, ValidationError: The file cannot be read.
    """
    content = file.read_bytes()
    return _PAPERS.validate_json(content) if file.suffix == ".json" else parse_feed(content.decode())


def parse_feed(feed: str) -> list[Paper]:
    """The papers of an Atom feed.

    Raises:
        ActionError: It is none.
    """
    try:
        root = ElementTree.fromstring(feed)
    except ElementTree.ParseError as error:
        raise ActionError("The literature search gave an answer that cannot be read.") from error
    return [_paper(entry) for entry in root.findall("atom:entry", _ATOM)]


def _paper(entry: ElementTree.Element) -> Paper:
    def text(tag: str) -> str:
        return " ".join(entry.findtext(f"atom:{tag}", "", _ATOM).split())

    authors = tuple(author.text or "" for author in entry.findall("atom:author/atom:name", _ATOM))
    return Paper(
        title=text("title"),
        authors=authors,
        year=text("published")[:4],
        url=text("id"),
        summary=text("summary"),
        venue=" ".join(entry.findtext("arxiv:journal_ref", "", _ATOM).split()),
    )


def _words(text: str) -> list[str]:
    return "".join(character if character.isalnum() else " " for character in text).split()


def _vocabulary(paper: Paper) -> set[str]:
    return {word.lower() for word in _words(f"{paper.title} {paper.summary}")}
