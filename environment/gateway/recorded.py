"""A model for machines without one: it gives the recorded answer to the recorded question that is nearest."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from foundation.records import Record

UNKNOWN = "I do not know."
"""What it says to a question that is like none of the recorded ones."""
_LEAST = 0.35
"""Share of a recorded question's weight that must be found in what is asked."""
_WORD = re.compile(r"[a-z0-9]+")


class RecordedAnswer(Record):
    """What a model was asked, and what it said."""

    question: str
    answer: str


_ANSWERS = TypeAdapter(list[RecordedAnswer])


class RecordedModel:
    """Answers by the words that a question shares with recorded ones, rare words counting more.

    Args:
        answers: What was recorded.
    """

    def __init__(self, answers: Sequence[RecordedAnswer]) -> None:
        self._answers = [(answer, _words(answer.question)) for answer in answers]
        seen = Counter(word for _, words in self._answers for word in words)
        self._weights = {word: math.log(1 + len(answers) / count) for word, count in seen.items()}

    def answer(self, question: str) -> str:
        """The nearest recorded answer; of equally near ones the first."""
        asked = _words(question)
        nearness, best = 0.0, UNKNOWN
        for answer, words in self._answers:
            share = self._weight(words & asked) / self._weight(words)
            if share > max(nearness, _LEAST):
                nearness, best = share, answer.answer
        return best

    def _weight(self, words: set[str]) -> float:
        return sum(self._weights[word] for word in words) or 1.0


def read_answers(path: Path) -> list[RecordedAnswer]:
    """The recorded answers of a JSON file."""
    return _ANSWERS.validate_json(path.read_bytes())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
