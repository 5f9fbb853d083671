from __future__ import annotations

from pathlib import Path

from tasks_catalog.library.data.cifar import accuracy
from tasks_catalog.library.grade import Grade


def score(artifacts: Path, private: Path) -> Grade:
    """Accuracy of the likeliest of a hundred classes over the hidden pictures."""
    return accuracy(artifacts, private, classes=100)
