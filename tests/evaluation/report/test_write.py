from __future__ import annotations

import base64
import csv
import gc
import gzip
import hashlib
import json
import re
import weakref
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from environment.records import StatedScore
from evaluation.process.failures import Failure, FailureMode
from evaluation.report.html import embed
from evaluation.report.model import ReportRun
from evaluation.report.payload import LONGEST_TEXT, pack, run_payload, shorten
from evaluation.report.write import ReportFiles, write_report
from evaluation.stated import overstated
from foundation.text import visible
from tests.evaluation.report.samples import sample_run, sample_runs

PLANTED = (
    """</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><!--{{7*7}}{% raw %}\x1b[2J"""
)


class Page(HTMLParser):
    """Elements of a page with their attributes, and the text of its scripts."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._in_script = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._in_script = tag == "script"
        if self._in_script:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts[-1] += data

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    return write_report(sample_runs(12), tmp_path_factory.mktemp("report"), title="Twelve runs")


@pytest.fixture(scope="module")
def page(files: ReportFiles) -> Page:
    return Page(files.html)


def test_every_format_is_written(files: ReportFiles) -> None:
    assert files.runs == 12
    assert json.loads(files.figures.read_text())["runs"] == 12
    with files.csv.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert {"contestant", "score", "claims_supported", "claims_within_noise", "failures", "prompt_tokens"} <= rows[
        0
    ].keys()
    assert pq.read_table(files.parquet).num_rows == 12
    assert pq.read_table(files.claims).num_rows == 12 * 16
    assert "| research · openai:large |" in files.markdown.read_text()
    for shown in (files.markdown.read_text(), files.html.read_text()):
        assert "Within noise" in shown


def test_the_page_asks_for_nothing_from_outside(files: ReportFiles, page: Page) -> None:
    for tag, attributes in page.elements:
        for name in ("src", "href", "action", "data"):
            value = attributes.get(name) or ""
            assert value == "" or value.startswith("#"), (tag, name, value)
    [style] = re.findall(r"<style>(.*?)</style>", files.html.read_text(encoding="utf-8"), re.DOTALL)[:1]
    assert "url(" not in style
    assert "@import" not in style


def test_only_our_scripts_may_run(page: Page) -> None:
    [policy] = [
        meta["content"] for meta in page.attributes("meta") if meta.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    allowed = set(re.findall(r"'sha256-([^']+)'", policy))
    kinds = [attributes.get("type") for attributes in page.attributes("script")]
    code = [text for text, kind in zip(page.scripts, kinds, strict=True) if kind is None]
    ids = [attributes.get("id") for attributes in page.attributes("script")]
    [library] = [
        gzip.decompress(base64.b64decode(text))
        for text, name in zip(page.scripts, ids, strict=True)
        if name == "plotly"
    ]
    assert b"plotly.js v" in library[:500]
    assert {_digest(text.encode()) for text in code} | {_digest(library)} == allowed
    assert "default-src 'none'" in policy


def _digest(script: bytes) -> str:
    return base64.b64encode(hashlib.sha256(script).digest()).decode()


def test_pages_of_a_folder_share_one_library(tmp_path: Path) -> None:
    pages = [
        Page(write_report([sample_run(n)], tmp_path / f"run {n}", title="T", shared=tmp_path).html) for n in (0, 1)
    ]
    [library] = tmp_path.glob("plotly-*.js")
    for page in pages:
        [beside] = [one for one in page.attributes("script") if one.get("src")]
        assert beside["src"] == f"../{library.name}"
        assert f"'nonce-{beside['nonce']}'" in (page.attributes("meta")[1]["content"] or "")
    assert (tmp_path / "run 0" / "report.html").stat().st_size < 300_000
    assert pages[0].attributes("script")[-2]["nonce"] != pages[1].attributes("script")[-2]["nonce"]


def test_tables_can_be_read_by_a_screen_reader(page: Page) -> None:
    names = [name for name, _ in page.elements]
    assert names.count("table") == names.count("caption")
    assert all("scope" in attributes for attributes in page.attributes("th"))
    assert {"main", "header", "footer", "nav", "h1"} <= set(names)
    ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert set((attributes.get(name) or "").split()) <= ids
    assert all(attributes.get("aria-describedby") for _, attributes in page.elements if attributes.get("role") == "img")


def test_agents_cannot_write_markup(tmp_path: Path) -> None:
    clean = Page(write_report([sample_run(0, text="harmless")], tmp_path / "clean", title="T").html)
    dirty = Page(write_report([sample_run(0, text=PLANTED)], tmp_path / "dirty", title="T").html)
    assert [name for name, _ in dirty.elements] == [name for name, _ in clean.elements]
    assert len(dirty.scripts) == len(clean.scripts)


def test_names_and_titles_are_escaped_as_well(tmp_path: Path) -> None:
    run = sample_run(0)
    evil = run.model_copy(
        update={"result": run.result.model_copy(update={"agent": PLANTED, "task": PLANTED, "run_id": PLANTED})}
    )
    files = write_report([evil], tmp_path, title=PLANTED)
    page = Page(files.html)
    assert not page.attributes("img")
    assert len(page.scripts) == 5
    assert "<script" not in files.markdown.read_text()
    assert json.loads(page.scripts[0])["runs"][0]["run_id"] == visible(PLANTED)


def test_embedded_json_cannot_end_its_element() -> None:
    text = embed({"text": PLANTED + "\u2028 & ]]>"})
    assert not set("<>&") & set(text)
    assert json.loads(text)["text"].startswith(visible(PLANTED))


def test_a_page_is_unpacked_to_what_was_packed() -> None:
    payload = run_payload(sample_run(1, text="é ☃"))
    assert json.loads(gzip.decompress(base64.b64decode(pack(payload)))) == json.loads(json.dumps(payload))


def test_values_that_are_no_numbers_become_null() -> None:
    assert gzip.decompress(base64.b64decode(pack({"y": [1.0, float("nan"), float("inf")]}))) == b'{"y":[1.0,null,null]}'


def test_long_texts_lose_their_middle() -> None:
    text = "a" * LONGEST_TEXT + "b" * LONGEST_TEXT
    short = shorten(text)
    assert short.startswith("aaa")
    assert short.endswith("bbb")
    assert "12,000 characters left out" in short
    assert shorten("short") == "short"


def test_runs_are_not_kept_in_memory(tmp_path: Path) -> None:
    alive: list[weakref.ref[ReportRun]] = []

    def runs() -> Iterator[ReportRun]:
        for index in range(6):
            gc.collect()
            assert sum(reference() is not None for reference in alive) <= 1
            run = sample_run(index)
            alive.append(weakref.ref(run))
            yield run
            del run

    assert write_report(runs(), tmp_path).runs == 6


def test_no_runs_is_a_report_too(tmp_path: Path) -> None:
    files = write_report([], tmp_path / "new/folder")
    assert files.runs == 0
    assert "There is nothing to report yet" in files.html.read_text()
    assert pq.read_table(files.claims).num_rows == 0


def test_a_false_final_figure_is_told_once_on_a_runs_page() -> None:
    stated = StatedScore(step=7, quote="MAE 1", value=1.0, grade=2.0, holds=False, gap=0.5, expected_gap=0.1)
    run = sample_run(3)
    result = run.result.model_copy(update={"stated": (stated,), "integrity": tuple(overstated([stated]))})
    mode = Failure(mode=FailureMode.NOT_BORNE_OUT, steps=(7,), note="the final answer states 1, the grade is 2")
    page = run_payload(run.model_copy(update={"result": result, "failures": (mode,)}))
    assert json.dumps(page).count("the final answer states 1") == 1
    assert page["failures"] == [{"mode": "self-reported value not borne out", "steps": [7], "note": ""}]
