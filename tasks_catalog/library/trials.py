"""Runs of a submission that the harness made on hidden inputs, as a grader reads them.

Layout of the folder that a grader gets as ``trials``: ``<trial>/runs.json`` and, for each run that
gave its outputs, ``<trial>/<who>/<repetition>/<output file>``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, TypeAdapter

from foundation.records import Record
from tasks_catalog.library.errors import InvalidSubmissionError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

Who = Literal["submission", "starter"]


class TrialRun(Record):
    """One run of one trial.

    Attributes:
        who: Whose files were run.
        repetition: From 0; the starter and the submission get the same inputs in the same one.
        seconds: Wall time measured outside of the sandbox.
        problem: Why the run gave no usable outputs, without a value of its inputs; empty where it did.
        output: The end of what the starter printed; nothing that a submission prints on hidden inputs is kept.
        used: How often it used what the task offers: ``searches``, ``model_calls``, and ``tokens`` of the model.
    """

    who: Who
    repetition: int
    seconds: float
    problem: str = ""
    output: str = ""
    used: dict[str, int] = Field(default_factory=dict)


class Trial(Record):
    """All runs of one trial, and where their outputs lie."""

    folder: Path
    runs: tuple[TrialRun, ...]

    def outputs(self, who: Who, repetition: int) -> Path:
        """The folder of the output files of one run."""
        return self.folder / who / str(repetition)

    def of(self, who: Who) -> list[TrialRun]:
        """The runs of one side, by repetition."""
        return sorted((run for run in self.runs if run.who == who), key=lambda run: run.repetition)

    def typical_seconds(self, who: Who) -> float:
        """The median of one side's wall times.

        Each repetition has inputs of its own, so that who would buy it has to know more than half of them,
        and a disturbed machine has to disturb more than half.
        """
        return median(run.seconds for run in self.of(who))

    def array(self, who: Who, repetition: int, name: str, *, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """An array of finite numbers that one run saved.

        Raises:
            InvalidSubmissionError: It is not that; what it is instead is not told, since it could tell of the inputs.
        """
        # NumPy is the grader's, and whoever reads of a trial elsewhere does without.
        import numpy as np

        from tasks_catalog.library.submissions import read_array

        try:
            return read_array(self.outputs(who, repetition) / name, shape=shape, dtype=dtype)
        except InvalidSubmissionError as error:
            kind = np.dtype(dtype).name
            raise InvalidSubmissionError(
                f"run {repetition} of the submission on inputs it was not shown left a {name} that is no array of "
                f"finite {kind} numbers of shape {shape}"
            ) from error


_RUNS = TypeAdapter(tuple[TrialRun, ...])


def write_runs(folder: Path, runs: Sequence[TrialRun]) -> None:
    """Save the runs of a trial into its folder."""
    (folder / "runs.json").write_bytes(_RUNS.dump_json(tuple(runs)))


def read_trial(trials: Path, name: str) -> Trial:
    """The runs of one trial.

    Raises:
        InvalidSubmissionError: A run of the submission failed.
        RuntimeError: A run of the starter failed, which is no fault of the submission.
    """
    folder = trials / name
    trial = Trial(folder=folder, runs=_RUNS.validate_json((folder / "runs.json").read_bytes()))
    for run in trial.of("starter"):
        if run.problem:
            raise RuntimeError(f"the starter's run {run.repetition} of {name}: {run.problem}\n{run.output}")
    for run in trial.of("submission"):
        if run.problem:
            raise InvalidSubmissionError(
                f"run {run.repetition} of the submission on inputs it was not shown {run.problem}"
            )
    return trial
