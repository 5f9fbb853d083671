"""Searching papers, in a saved feed and over a real connection."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from environment.errors import ActionError, RoomError
from environment.literature import Arxiv, SavedLiterature, open_literature, read_papers
from environment.records import Outcome
from tests.environment.bench import make_bench

ENTRY = """<entry><id>http://arxiv.org/abs/{n}</id><published>20{n}-01-02T00:00:00Z</published>
<title>{title}</title><summary> About
 {title}.</summary>{authors}</entry>"""


def feed(*titles: str) -> str:
    authors = "".join(f"<author><name>Author {n}</name></author>" for n in range(7))
    entries = "".join(ENTRY.format(n=10 + n, title=title, authors=authors) for n, title in enumerate(titles))
    return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'


FEED = feed("Gradient boosting of trees", "Convolution by gradient descent", "House prices")


@pytest.fixture
def saved(tmp_path: Path) -> SavedLiterature:
    file = tmp_path / "feed.xml"
    file.write_text(FEED)
    return SavedLiterature(read_papers(file))


@contextmanager
def serving(status: int, body: str, asked: list[str]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api/query"
        server.shutdown()
        thread.join()


def test_a_feed_stands_in_for_arxiv(tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_text(FEED)
    assert isinstance(open_literature(tmp_path / "feed.xml"), SavedLiterature)
    assert isinstance(open_literature(None), Arxiv)
    with pytest.raises(RoomError, match=r"missing.xml cannot be read"):
        open_literature(tmp_path / "missing.xml")


def test_a_saved_feed_is_ranked_by_the_words_it_shares(saved: SavedLiterature) -> None:
    assert [paper.title for paper in saved.search("gradient, boosting", 5)] == [
        "Gradient boosting of trees",
        "Convolution by gradient descent",
    ]
    assert [paper.year for paper in saved.search("HOUSE", 1)] == ["2012"]
    assert saved.search("zebra", 5) == saved.search("?", 5) == []


def test_the_observation_names_title_authors_year_and_address(saved: SavedLiterature, tmp_path: Path) -> None:
    bench = make_bench(tmp_path, literature=saved)
    text = bench.text("Search Literature", query="house")
    authors = "Author 0, Author 1, Author 2, Author 3, Author 4 and others"
    assert text == f"House prices\n{authors} (2012), http://arxiv.org/abs/12\nAbout House prices."
    assert bench.text("Search Literature", query="zebra") == "No paper was found."
    assert bench.outcome("Search Literature", query="house", max_results=1_000) is Outcome.REFUSED


def test_arxivs_interface_is_asked_as_it_wants() -> None:
    asked: list[str] = []
    with serving(200, FEED, asked) as endpoint:
        papers = Arxiv(endpoint, timeout=5).search('trees & "boosting"', 2)
    assert [paper.title for paper in papers] == ["Gradient boosting of trees", "Convolution by gradient descent"]
    assert asked == ["/api/query?search_query=all%3Atrees+AND+all%3Aboosting&start=0&max_results=2"]


@pytest.mark.parametrize(("status", "body"), [(500, ""), (200, "<html>no feed"), (200, "")])
def test_an_interface_that_does_not_answer_is_an_observation(tmp_path: Path, status: int, body: str) -> None:
    with serving(status, body, []) as endpoint:
        bench = make_bench(tmp_path, literature=Arxiv(endpoint, timeout=5))
        observation = bench.act("Search Literature", query="x").observation
    assert observation.outcome is Outcome.FAILED
    assert observation.text.startswith("The literature search")


def test_no_connection_is_an_observation() -> None:
    with pytest.raises(ActionError, match="does not answer"):
        Arxiv("http://127.0.0.1:1/api", timeout=1).search("x", 1)
