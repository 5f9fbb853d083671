"""Looks up lessons of earlier runs, and words them for an agent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from environment.records.experience import Experience, Lesson, Summary

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer

SHOWN_AT_FIRST = 6
_TERSE = 300


class Recall:
    """What an agent may recall.

    Args:
        experience: All that it may know.
    """

    def __init__(self, experience: Experience) -> None:
        self.lessons = experience.lessons
        self.summaries = experience.summaries

    def search(self, query: str, most: int) -> list[Lesson]:
        """The lessons nearest to a text, by the words they share (TF-IDF, cosine); the best of equally near ones first.

        Args:
            query: Any text.
            most: How many, at most.
        """
        if not self.lessons:
            return []
        vectorizer, matrix = self._index
        near = (matrix @ vectorizer.transform([query]).T).toarray().ravel()
        ranked = zip((-round(float(value), 6) for value in near), self.lessons, strict=True)
        return [lesson for _, lesson in sorted(ranked, key=lambda one: (one[0], -(one[1].gain or 0)))][:most]

    def section(self, goal: str) -> str:
        """What stands below a task's instruction: the lessons nearest to it, or nothing where there are none."""
        found = self.search(goal, SHOWN_AT_FIRST)
        if not found:
            return ""
        lessons = "\n".join(f"- {worded(lesson, _TERSE)}" for lesson in found)
        said = "".join(f"\n\n{spoken(one)}" for one in self._said_of(found))
        return f"\n\nWhat earlier runs on other data measured (Recall Experience finds more):\n{lessons}{said}"

    def _said_of(self, lessons: Sequence[Lesson]) -> list[Summary]:
        """What a model says of the tasks that some lessons are from."""
        return [one for one in self.summaries if one.data_of in {lesson.data_of for lesson in lessons}]

    @cached_property
    def _index(self) -> tuple[TfidfVectorizer, csr_matrix]:
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(sublinear_tf=True, token_pattern=r"[A-Za-z_]{2,}")
        return vectorizer, vectorizer.fit_transform(map(_searched, self.lessons))


def _searched(lesson: Lesson) -> str:
    """What a query is held against; the last word keeps the vocabulary from being empty."""
    return f"{lesson.task} {lesson.metric} {lesson.goal} {lesson.change} {' '.join(lesson.failures)} metric"


def spoken(summary: Summary) -> str:
    """What a model says, marked as such."""
    return f"What {summary.model} says of the runs on {summary.data_of}, which nothing measured:\n{summary.text}"


def worded(lesson: Lesson, length: int | None = None) -> str:
    """A lesson in words, with the training runs it is known from."""
    return f"{lesson.task}: {_what(lesson, length)}: {_effect(lesson)} [{_listed(lesson.runs)}]"


def _what(lesson: Lesson, length: int | None) -> str:
    if lesson.settings:
        return ", ".join(f"{name} = {value}" for name, value in lesson.settings.items())
    change = " ".join(lesson.change.split()) if length else f"\n{lesson.change}\n"
    return change if length is None or len(change) <= length else f"{change[:length]} …"


def _effect(lesson: Lesson) -> str:
    parts = []
    if lesson.gain is not None:
        scatter = f" ± {lesson.scatter:.1%}" if lesson.scatter is not None else ""
        times = f" in {len(lesson.gains)} runs" if len(lesson.gains) > 1 else ""
        word = "better" if lesson.gain >= 0 else "worse"
        parts.append(f"{lesson.metric} {abs(lesson.gain):.1%} {word}{scatter}{times}")
    if lesson.failures:
        parts.append(f"failed ({lesson.failures[0]})")
    return "; ".join(parts)


def _listed(runs: Sequence[str]) -> str:
    return ", ".join(runs[:3]) + (f" and {len(runs) - 3} more" if len(runs) > 3 else "")
