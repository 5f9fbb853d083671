"""Searching papers: arXiv's public interface, or a saved feed of it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol
from xml.etree import ElementTree

import httpx

from environment.errors import ActionError, RoomError
from foundation.records import Record

ARXIV = "https://export.arxiv.org/api/query"

_ATOM = {"atom": "http://www.w3.org/2005/Atom"}


class Paper(Record):
    """One paper found."""

    title: str
    authors: tuple[str, ...]
    year: str
    url: str
    summary: str


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
        words = " AND ".join(f"all:{word}" for word in _words(query))
        parameters: dict[str, str | int] = {"search_query": words, "start": 0, "max_results": limit}
        try:
            answer = httpx.get(self._endpoint, params=parameters, timeout=self._timeout, follow_redirects=True)
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise ActionError("The literature search does not answer now.", hint="Go on without it.") from error
        return parse_feed(answer.text)[:limit]


class SavedLiterature:
    """A feed saved from arXiv, searched without a network.

    Args:
        feed: The Atom file.
    """

    def __init__(self, feed: Path) -> None:
        self._papers = parse_feed(feed.read_text(encoding="utf-8"))

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
        return Arxiv() if feed is None else SavedLiterature(feed)
    except (OSError, UnicodeDecodeError) as error:
        raise RoomError(f"the saved feed {feed} cannot be read: {error}", hint="See MLAB_LITERATURE_FEED.") from error


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
        title=text("title"), authors=authors, year=text("published")[:4], url=text("id"), summary=text("summary")
    )


def _words(text: str) -> list[str]:
    return "".join(character if character.isalnum() else " " for character in text).split()


def _vocabulary(paper: Paper) -> set[str]:
    return {word.lower() for word in _words(f"{paper.title} {paper.summary}")}
