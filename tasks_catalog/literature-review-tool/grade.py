from __future__ import annotations

import json
import math
from pathlib import Path

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import read_json
from tasks_catalog.library.trials import read_trial

MOST = 10


def score(artifacts: Path, private: Path, trials: Path) -> Grade:  # noqa: ARG001 (the run holds all that counts)
    """Mean nDCG at 10 over the hidden questions, and what the tool used of search and model."""
    relevant = json.loads((private / "relevant.json").read_text(encoding="utf-8"))
    trial = read_trial(trials, "hidden-questions")
    found = read_json(trial.outputs("submission", 0) / "found.json")
    if not isinstance(found, dict) or set(found) != set(relevant):
        raise InvalidSubmissionError("found.json has not just one entry for the id of each question")
    gains = [ndcg(titles, relevant[name]) for name, titles in found.items()]
    used = {name: float(count) for name, count in trial.of("submission")[0].used.items()}
    return Grade(score=sum(gains) / len(gains), details=used)


def ndcg(found: object, relevant: list[str]) -> float:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002) with gains of 0 and 1."""
    if not isinstance(found, list) or not all(isinstance(title, str) for title in found):
        raise InvalidSubmissionError("found.json has an entry that is no list of titles")
    titles = [normal(title) for title in found]
    if len(titles) > MOST or len(set(titles)) < len(titles):
        raise InvalidSubmissionError(f"found.json has an entry with more than {MOST} titles, or with one twice")
    wanted = {normal(title) for title in relevant}
    gain = sum(1 / math.log2(place + 2) for place, title in enumerate(titles) if title in wanted)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(len(wanted), MOST)))


def normal(title: str) -> str:
    """A title without what differs from source to source."""
    return "".join(character for character in title.lower() if character.isalnum())
