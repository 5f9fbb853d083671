"""The tasks about literature: what their graders take, and that nothing hidden is given away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tasks_catalog.catalog import load_task
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grader import Answer, run_grader
from tasks_catalog.library.literature.bibtex import fields_of, read_entries, written
from tasks_catalog.library.literature.corpus import papers, topics
from tasks_catalog.library.trials import TrialRun, write_runs

REVIEW, BIBTEX = load_task("literature-review-tool"), load_task("bibtex-generation")


def graded(task: str, output: str, content: str, hidden: object, folder: Path) -> Answer:
    spec = load_task(task)
    trial = folder / "trials" / spec.spec.trials[0].name
    (trial / "submission" / "0").mkdir(parents=True)
    (trial / "submission" / "0" / output).write_text(content)
    used = {"searches": 5, "model_calls": 1, "tokens": 9}
    write_runs(trial, [TrialRun(who="submission", repetition=0, seconds=1, used=used)])
    private = folder / "private"
    private.mkdir()
    name = "relevant.json" if output == "found.json" else "references.json"
    (private / name).write_text(json.dumps(hidden))
    return run_grader(spec.grade_script, folder, private, folder / "trials")


@pytest.mark.parametrize(
    ("found", "score"),
    [
        ({"a": ["X", "Y"], "b": ["Z"]}, 1.0),
        ({"a": ["Y ", "x!"], "b": ["z"]}, 1.0),
        ({"a": ["other", "X"], "b": []}, (1 / 1.5849625) / (1 + 1 / 1.5849625) / 2),
    ],
)
def test_a_review_is_scored_by_what_stands_first(found: object, score: float, tmp_path: Path) -> None:
    answer = graded(REVIEW.name, "found.json", json.dumps(found), {"a": ["X", "Y"], "b": ["Z"]}, tmp_path)
    assert answer.grade is not None
    assert answer.grade.score == pytest.approx(score)
    assert answer.grade.details == {"searches": 5, "model_calls": 1, "tokens": 9}


@pytest.mark.parametrize(
    "found",
    ['{"a": []}', "[]", "{", '{"a": "X", "b": []}', '{"a": [1], "b": []}', '{"a": ["X", "x"], "b": []}', "[" * 9_999],
)
def test_a_review_of_another_form_is_refused(found: str, tmp_path: Path) -> None:
    answer = graded(REVIEW.name, "found.json", found, {"a": ["X", "Y"], "b": ["Z"]}, tmp_path)
    assert answer.grade is None
    assert "found.json" in (answer.invalid or "")


def test_fields_count_when_they_are_exact(tmp_path: Path) -> None:
    reference = fields_of(papers()[0].found())
    wrong = {**reference, "year": "1066", "author": "Nobody"}
    text = written("m0", reference) + written("m1", wrong)
    answer = graded(BIBTEX.name, "references.bib", text, {"m0": reference, "m1": reference}, tmp_path)
    assert answer.grade is not None
    assert answer.grade.score == pytest.approx(8 / 10)
    assert answer.grade.details["whole_entries"] == 0.5


def test_bibtex_is_read_in_its_usual_forms() -> None:
    text = 'words\n@Article{ a ,\n Title = "The {B}est  of\n two {"}", year=1999 , journal = {J {of} K},}\n@misc{b, }'
    assert read_entries(text) == {
        "a": {"type": "article", "title": 'The Best of two "', "year": "1999", "journal": "J of K"},
        "b": {"type": "misc"},
    }
    for paper in papers():
        assert read_entries(written("k", fields_of(paper.found()))) == {"k": fields_of(paper.found())}


@pytest.mark.parametrize(
    "text",
    ["@misc", "@misc{a", "@misc{a, title = {x}", "@misc{a, title = }", "@misc{a,}@misc{a,}", "@misc{a, t = {" * 3],
)
def test_broken_bibtex_is_refused_without_a_word_of_it(text: str) -> None:
    with pytest.raises(InvalidSubmissionError, match=r"entry \d of the bibliography") as refused:
        read_entries(text)
    assert "title" not in str(refused.value)


def test_each_paper_is_on_a_topic_and_each_topic_has_papers() -> None:
    known = papers()
    assert len({paper.title for paper in known}) == len({paper.known_as for paper in known}) == len(known) > 100
    named = [name for paper in known for name in paper.topics]
    assert set(named) == set(topics())
    assert min(named.count(name) for name in topics()) >= 3
    assert sum(topic.public for topic in topics().values()) < len(topics()) / 2
