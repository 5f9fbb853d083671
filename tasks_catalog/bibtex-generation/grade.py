from __future__ import annotations

import json
from pathlib import Path

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.literature.bibtex import read_entries
from tasks_catalog.library.submissions import read_text
from tasks_catalog.library.trials import read_trial


def score(artifacts: Path, private: Path, trials: Path) -> Grade:  # noqa: ARG001 (the run holds all that counts)
    """Share of the fields that are exactly right, and what the tool used of search and model."""
    references = json.loads((private / "references.json").read_text(encoding="utf-8"))
    trial = read_trial(trials, "hidden-mentions")
    found = read_entries(read_text(trial.outputs("submission", 0) / "references.bib"))
    if set(found) != set(references):
        raise InvalidSubmissionError("references.bib has not just one entry for the id of each mention")
    fields = [found[key].get(name) == value for key, entry in references.items() for name, value in entry.items()]
    used = {name: float(count) for name, count in trial.of("submission")[0].used.items()}
    whole = [all(found[key].get(name) == value for name, value in entry.items()) for key, entry in references.items()]
    details = {"whole_entries": sum(whole) / len(whole), **used}
    return Grade(score=sum(fields) / len(fields), details=details)
