"""Shared steps of competitions' graders."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mlebench.grade_helpers import InvalidSubmissionError


def df_to_one_hot(df: pd.DataFrame, id_column: str, class_column: str, classes: list[str]) -> pd.DataFrame:
    """The id and a column of 0 or 1 for each class."""
    columns = {name: (df[class_column] == name).astype(int) for name in classes}
    return pd.DataFrame({id_column: df[id_column], **columns})


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
    if not pd.api.types.is_numeric_dtype(found) or not found.between(0, 1).all():
        raise InvalidSubmissionError(f"{target_col} must hold probabilities")
    return {"y_true": true, "y_score": found}


def _aligned(submission: pd.DataFrame, answers: pd.DataFrame, key: str, target: str) -> tuple[pd.Series, pd.Series]:
    for column in (key, target):
        if column not in submission.columns:
            raise InvalidSubmissionError(f"the column {column} is missing")
    if sorted(submission[key]) != sorted(answers[key]):
        raise InvalidSubmissionError(f"the values of {key} are not the test set's")
    return answers.sort_values(key)[target], submission.sort_values(key)[target]
