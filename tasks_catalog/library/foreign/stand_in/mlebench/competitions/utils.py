"""Shared steps of competitions' graders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlebench.grade_helpers import InvalidSubmissionError
from mlebench.utils import get_logger

__all__ = ["get_logger"]


def df_to_one_hot(df: pd.DataFrame, id_column: str, target_column: str, classes: list[str]) -> pd.DataFrame:
    """The id and a column of 0 or 1 for each class."""
    columns = {name: (df[target_column] == name).astype(int) for name in classes}
    return pd.DataFrame({id_column: df[id_column], **columns})


def one_hot_dfs_to_log_loss_inputs(
    submission_one_hot: pd.DataFrame,
    answers_one_hot: pd.DataFrame,
    id_column: str = "id",
    apply_softmax: bool = True,
) -> dict[str, Any]:
    """Matrices of true classes and predicted probabilities, rows by id and columns as in the answers."""
    columns = list(answers_one_hot.columns)
    if missing := set(columns) - set(submission_one_hot.columns):
        raise InvalidSubmissionError(f"the columns {sorted(map(str, missing))} are missing")
    submission = submission_one_hot[columns].sort_values(id_column)
    answers = answers_one_hot.sort_values(id_column)
    if submission[id_column].tolist() != answers[id_column].tolist():
        raise InvalidSubmissionError(f"the values of {id_column} are not the test set's")
    true = answers.drop(columns=[id_column]).to_numpy()
    found = submission.drop(columns=[id_column]).to_numpy()
    if apply_softmax and not is_one_hot_encoded(found):
        raised = np.exp(found - found.max(axis=-1, keepdims=True))
        found = raised / raised.sum(axis=-1, keepdims=True)
    return {"y_true": true, "y_pred": found}


def is_one_hot_encoded(xs: np.ndarray) -> bool:
    """Whether each row of a matrix is a single 1 among zeros."""
    assert xs.ndim == 2, f"expected a matrix, not {xs.ndim} dimensions"
    return bool(np.isin(xs, (0, 1)).all() and np.allclose(xs.sum(axis=-1), 1))


def rle_decode(rle_string: str, height: int, width: int) -> np.ndarray:
    """The mask of a run-length code: starts from 1 and lengths in turn, down the columns from left to right."""
    assert isinstance(rle_string, str), f"expected a text, not {rle_string!r}"
    numbers = [int(word) for word in rle_string.split()]
    starts, lengths = numbers[0::2], numbers[1::2]
    assert starts == sorted(starts), "the runs must be sorted"
    assert all(number > 0 for number in numbers), "starts and lengths must be positive"
    mask = np.zeros(height * width, dtype=bool)
    begins = np.array(starts, dtype=int) - 1
    ends = begins + np.array(lengths, dtype=int)  # as in MLE-bench: numpy lets one length count for two starts
    for begin, end in zip(begins, ends, strict=False):
        assert not mask[begin:end].any(), "the runs must not overlap"
        mask[begin:end] = True
    return mask.reshape((width, height)).T


def rle_encode(x: np.ndarray, fg_val: int = 1) -> list[int]:
    """The run-length code of a mask; see ``rle_decode``."""
    inside = np.concatenate([[False], x.T.flatten() == fg_val, [False]])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[0::2], edges[1::2]
    return [int(number) for pair in zip(starts + 1, ends - starts, strict=True) for number in pair]


def rles_to_masks(
    rl_encodings: Sequence[str], image_heights: Sequence[int], image_widths: Sequence[int]
) -> list[np.ndarray]:
    """The masks of several run-length codes."""
    sizes = zip(rl_encodings, image_heights, image_widths, strict=False)
    return [rle_decode(code, height=height, width=width) for code, height, width in sizes]


def get_ids_from_tf_records(tf_record_path: Path, id_feature: str = "image_name") -> list[str]:
    """The ids in a file of TensorFlow's examples, read without TensorFlow."""
    from foundation.wire import fields, records

    def inside(message: bytes, number: int) -> list[bytes]:
        return [field.content for field in fields(message) if field.number == number]

    ids = []
    for example in records(Path(tf_record_path).read_bytes()):
        features = {
            inside(entry, 1)[0].decode(): inside(entry, 2)[0]
            for part in inside(example, 1)
            for entry in inside(part, 1)
        }
        texts = inside(inside(features[id_feature], 1)[0], 1)
        ids.append(texts[0].decode("utf-8"))
    return ids


def prepare_for_accuracy_metric(
    submission: pd.DataFrame, answers: pd.DataFrame, target_column: str, id_column: str
) -> dict[str, Any]:
    """True and predicted labels, ordered by id."""
    true, found = _aligned(submission, answers, id_column, target_column)
    return {"y_true": true, "y_pred": found}


def prepare_for_auroc_metric(
    submission: pd.DataFrame, answers: pd.DataFrame, id_col: str, target_col: str
) -> dict[str, Any]:
    """True labels and predicted probabilities, ordered by id."""
    true, found = _aligned(submission, answers, id_col, target_col)
    try:
        found = pd.to_numeric(pd.Series(found)).to_numpy()
    except ValueError:
        raise InvalidSubmissionError(f"{target_col} must hold numbers") from None
    if found.min() < 0 or found.max() > 1:
        raise InvalidSubmissionError(f"{target_col} must hold probabilities")
    return {"y_true": true, "y_score": found}


def _aligned(submission: pd.DataFrame, answers: pd.DataFrame, key: str, target: str) -> tuple[np.ndarray, np.ndarray]:
    for column in (key, target):
        if column not in submission.columns:
            raise InvalidSubmissionError(f"the column {column} is missing")
    if len(submission) != len(answers):
        raise InvalidSubmissionError(f"there are {len(submission)} rows, not {len(answers)}")
    submission, answers = submission.sort_values(key), answers.sort_values(key)
    if (submission[key].to_numpy() != answers[key].to_numpy()).any():
        raise InvalidSubmissionError(f"the values of {key} are not the test set's")
    return answers[target].to_numpy(), submission[target].to_numpy()
