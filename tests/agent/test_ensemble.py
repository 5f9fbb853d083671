"""The ensemble: what it keeps, what it blends, and what it does where nothing can be blended."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agent.protocol import AgentContext
from agent.tuner.blending import blend
from agent.tuner.ensemble import EnsembleAgent
from environment.records import Budget
from tests.agent.bench import ACTIONS, Bench, spec

SCRIPT = """A = 1.5  # 0.0..4.0

with open("submission.csv", "w") as file:
    file.write("id,value,label\\n")
    for n in range(3):
        file.write(f"{n},{A + n},{'high' if A > 2 else 'low'}\\n")
print(f"validation mae: {abs(A - 2)}")
"""
COPY = spec("Copy File", source="a file", destination="a path")


def bench(tmp_path: Path, script: str = SCRIPT, *, steps: int = 60) -> Bench:
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "train.py").write_text(script)
    return Bench(tmp_path, budget=Budget(steps=steps), actions=(*ACTIONS, COPY))


def make(**settings: float) -> EnsembleAgent:
    return EnsembleAgent(AgentContext(seed=0, settings=dict(settings)))


def test_the_submission_is_the_mean_of_the_best(tmp_path: Path) -> None:
    run = bench(tmp_path)
    steps = run.run(lambda: make(trials=6, members=3, least_gain=0))
    assert [step.decision.action.name for step in steps[-3:]] == ["Write File", "Execute Script", "Final Answer"]
    answer = str(steps[-1].decision.action.args["final_answer"])
    assert "Nothing measured the blend itself" in answer
    numbers = {int(word.strip(",")) for word in answer.split("predict.")[0].split() if word.strip(",").isdigit()}
    assert len(numbers | ({0} if "the starter" in answer.split("predict.")[0] else set())) == 3
    kept = {path.stem: path.read_text().splitlines() for path in (tmp_path / "variants").iterdir()}
    firsts = sorted(abs(float(lines[1].split(",")[1]) - 2) for lines in kept.values())
    blended = float((tmp_path / "submission.csv").read_text().splitlines()[1].split(",")[1])
    assert abs(blended - 2) <= max(firsts[:3]) + 1e-9


def test_what_gains_much_less_than_the_best_is_no_member(tmp_path: Path) -> None:
    steps = bench(tmp_path, SCRIPT.replace("A = 1.5  # 0.0..4.0", "A = 9.0  # one of: 9.0, 1.9, 2.1, 8.0")).run(make)
    answer = str(steps[-1].decision.action.args["final_answer"])
    assert "the starter" not in answer
    assert sorted((tmp_path / "submission.csv").read_text().splitlines())[0] == "0,2.0,low"


def test_a_resumed_ensemble_is_the_same(tmp_path: Path) -> None:
    undisturbed, resumed = bench(tmp_path / "a"), bench(tmp_path / "b")
    undisturbed.run(lambda: make(trials=4))
    resumed.run(lambda: make(trials=4), fresh_each_step=True)
    assert [s.decision for s in undisturbed.steps] == [s.decision for s in resumed.steps]


@pytest.mark.parametrize("steps", [4, 8, 9, 11, 14])
def test_it_submits_within_the_steps(tmp_path: Path, steps: int) -> None:
    assert bench(tmp_path, steps=steps).run(make)[-1].effect.final


@pytest.mark.parametrize(
    "change",
    [
        ("submission.csv", "model.bin"),
        ("range(3)", "range(3 + int(9 * A))"),
        ("{n},{A + n}", "{n},{int(999 * A) * (n + 1)}"),
    ],
)
def test_what_cannot_be_blended_is_submitted_as_by_the_tuner(tmp_path: Path, change: tuple[str, str]) -> None:
    script = SCRIPT.replace(*change).replace("range(3)", "range(300)")
    steps = bench(tmp_path, script).run(lambda: make(trials=5))
    assert steps[-1].effect.final
    assert "I submit a run with validation mae" in str(steps[-1].decision.action.args["final_answer"])
    runs = [step.effect.training_run for step in steps if step.effect.training_run]
    measured = [run.metrics[-1].value for run in runs if run.metrics]
    assert measured[-1] == min(measured)


def tables(folder: Path, *texts: str) -> list[str]:
    paths = [folder / f"{n}.csv" for n in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def test_fractions_are_averaged_and_labels_voted_on(tmp_path: Path) -> None:
    paths = tables(tmp_path, "id,p,y\n1,0.25,True\n", "id,p,y\n1,0.5,False\n", "id,p,y\n1,0.75,False\n")
    assert blend(paths, str(tmp_path / "out.csv")) == "p: mean, y: vote"
    assert (tmp_path / "out.csv").read_text().split() == ["id,p,y", "1,0.5,False"]


def test_of_a_tie_the_best_file_s_label_counts(tmp_path: Path) -> None:
    paths = tables(tmp_path, "id,y\n1,a\n", "id,y\n1,b\n")
    blend(paths, str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_text().split() == ["id,y", "1,a"]


def test_tables_of_different_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="differ in rows"):
        blend(tables(tmp_path, "id,p\n1,0.5\n", "id,p\n1,0.5\n2,0.5\n"), str(tmp_path / "out.csv"))


@pytest.mark.parametrize("kind", [".npy", ".npz"])
def test_arrays_are_averaged(tmp_path: Path, kind: str) -> None:
    paths = [str(tmp_path / f"{n}{kind}") for n in range(2)]
    for n, path in enumerate(paths):
        values = np.full(3, n, dtype=np.float32)
        np.save(path, values) if kind == ".npy" else np.savez(path, ids=np.arange(3), p=values)
    output = str(tmp_path / f"out{kind}")
    assert blend(paths, output) == "mean"
    found = np.load(output)
    assert np.asarray(found if kind == ".npy" else found["p"]).tolist() == [0.5, 0.5, 0.5]
    if kind == ".npz":
        assert found["ids"].tolist() == [0, 1, 2]
