from __future__ import annotations

from pathlib import Path

import numpy as np
from pydantic import Field, ValidationError

from foundation.records import Record
from foundation.sizes import MiB
from foundation.validation import faults
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.submissions import check_regular_file, read_arrays

MODEL = Path(__file__).parent / "workspace" / "model.py"
"""The starter's own file: what the agent made of it counts for nothing."""


class Config(Record):
    """The choices that ``config.json`` makes, within what the grader can run."""

    hidden: int = Field(ge=1, le=128)
    triplet: int = Field(ge=1, le=32)
    steps: int = Field(ge=0, le=64)
    keep_pairs: bool
    normalise: bool
    positions: bool


def score(artifacts: Path, private: Path) -> Grade:
    """The share of right pointers over all pairs of nodes of the hidden graphs, as CLRS scores pointers."""
    import torch

    model = load_module(MODEL, "clrs_model").Reasoner(**read_config(artifacts / "config.json").model_dump())
    shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    weights = read_arrays(artifacts / "weights.npz", shapes=shapes, dtype=np.float32)
    model.load_state_dict({name: torch.tensor(value) for name, value in weights.items()})
    right = []
    for path in sorted(private.glob("test_*.npz")):
        with np.load(path, allow_pickle=False) as graphs, torch.inference_mode():
            for graph, pointers in zip(graphs["weights"], graphs["pointers"], strict=True):
                found = model(torch.from_numpy(graph)[None])[0].argmax(-1).numpy()
                right.append(float((found == pointers).mean()))
    return Grade(score=float(np.mean(right)))


def read_config(path: Path) -> Config:
    """The submitted choices.

    Raises:
        InvalidSubmissionError: They are no JSON, not all there, or out of range.
    """
    check_regular_file(path, MiB)
    try:
        return Config.model_validate_json(path.read_bytes(), strict=True)
    except ValidationError as error:
        raise InvalidSubmissionError(f"{path.name} is not a configuration: {'; '.join(faults(error)[:5])}") from None
