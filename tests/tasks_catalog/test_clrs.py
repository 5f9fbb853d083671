"""What the generator of dm-clrs gives, and how submitted networks are graded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import floyd_warshall

from tasks_catalog.catalog import load_task
from tasks_catalog.library.drawing import draw_exam, new_secret
from tasks_catalog.library.grader import Answer, run_grader
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Variant

CONFIG = {"hidden": 4, "triplet": 2, "steps": 1, "keep_pairs": False, "normalise": True, "positions": False}


@pytest.fixture
def prepared(shared_folder: Path) -> Prepared:
    pytest.importorskip("torch")
    folder = shared_folder / "data" / "clrs" / "mini"
    return prepare(load_task("clrs"), Variant.MINI, folder, shared_folder / "downloads")


@pytest.fixture
def exam(prepared: Prepared, tmp_path: Path) -> Path:
    """The graphs of one grade."""
    draw_exam(load_task("clrs"), Variant.MINI, prepared, new_secret(), tmp_path / "exam")
    return tmp_path / "exam"


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    """A network as it comes, before it has learned anything."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    model = load_module(load_task("clrs").starter / "model.py", "clrs_model_of_tests").Reasoner(**CONFIG)
    folder = tmp_path / "artifacts"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    np.savez(folder / "weights.npz", **{name: value.numpy() for name, value in model.state_dict().items()})
    return folder


def test_the_pointers_are_those_of_scipy(prepared: Prepared, exam: Path) -> None:
    paths = [*prepared.public.glob("*.npz"), *exam.glob("*.npz")]
    assert sorted(path.name for path in paths) == [
        "test_16.npz", "train_4.npz", "train_6.npz", "train_8.npz", "valid_8.npz",
    ]  # fmt: skip
    for path in paths:
        with np.load(path) as graphs:
            for weights, pointers in list(zip(graphs["weights"], graphs["pointers"], strict=True))[:30]:
                _, before = floyd_warshall(weights.astype(float), return_predecessors=True)
                reached = before >= 0
                assert (pointers[reached] == before[reached]).all()


def test_the_steps_lead_to_the_pointers(prepared: Prepared) -> None:
    with np.load(prepared.public / "valid_8.npz") as graphs:
        assert graphs["step_pointers"].shape == (64, 8, 8, 8)
        assert (graphs["step_pointers"][:, 0] == np.arange(8)[:, None]).all()
        assert (graphs["step_distances"][:, 0] == graphs["weights"]).all()
        unchanged = graphs["step_pointers"][:, -1] == graphs["pointers"]
        assert 0.8 < unchanged.mean() < 1
        assert not (graphs["step_reached"][:, :-1] & ~graphs["step_reached"][:, 1:]).any()


def grade(exam: Path, submitted: Path) -> Answer:
    return run_grader(load_task("clrs").grade_script, submitted, exam, submitted)


def test_the_score_is_the_share_of_right_pointers(exam: Path, submitted: Path) -> None:
    import torch

    model = load_module(load_task("clrs").starter / "model.py", "clrs_model_of_tests").Reasoner(**CONFIG)
    with np.load(submitted / "weights.npz") as weights, np.load(exam / "test_16.npz") as graphs:
        model.load_state_dict({name: torch.tensor(weights[name]) for name in weights})
        found = model(torch.tensor(graphs["weights"])).argmax(-1).numpy()
        expected = (found == graphs["pointers"]).mean()
    answer = grade(exam, submitted)
    assert answer.grade is not None
    assert answer.grade.score == pytest.approx(expected, abs=1e-3)  # sums over a batch may round otherwise


def set_config(**changes: Any) -> Callable[[Path], object]:
    return lambda folder: (folder / "config.json").write_text(json.dumps(CONFIG | changes))


def spoil_weights(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], object]:
    def spoil(folder: Path) -> None:
        with np.load(folder / "weights.npz") as weights:
            arrays = {name: weights[name].copy() for name in weights}
        change(arrays)
        np.savez(folder / "weights.npz", **arrays)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (set_config(hidden=10**6), "hidden: Input should be less than or equal to 128"),
        (set_config(hidden=5), "expected float32 of shape"),
        (set_config(code="import os"), "code: is not known here"),
        (set_config(steps="many"), "steps: Input should be a valid integer"),
        (lambda folder: (folder / "config.json").write_text("{"), "is not a configuration"),
        (lambda folder: (folder / "config.json").unlink(), r"config.json is missing"),
        (lambda folder: (folder / "weights.npz").write_bytes(b"\x80\x04pickled"), "is not a .npz file"),
        (spoil_weights(lambda arrays: arrays["out.bias"].fill(np.nan)), "out.bias in weights.npz holds NaN"),
        (spoil_weights(lambda arrays: arrays.pop("out.bias")), "other arrays than expected: out.bias"),
    ],
)
def test_a_broken_submission_is_explained(
    exam: Path, submitted: Path, spoil: Callable[[Path], object], reason: str
) -> None:
    spoil(submitted)
    assert reason in (grade(exam, submitted).invalid or "")
