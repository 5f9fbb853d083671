"""How many trials, folds and parameters there were is what code, commands and outputs say."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import log

CODE = (
    "study.optimize(objective, n_trials=40)\nkf = KFold(n_splits=5, shuffle=True)\n"
    "print('params', sum(p.numel() for p in model.parameters()))"
)
RECORD = (
    Exchange(
        action=Action(name="Write", args={"file_path": "tune.py", "content": CODE}),
        observation="File created successfully at: tune.py",
    ),
    Exchange(
        action=Action(name="Bash", args={"command": "python tune.py"}),
        observation="svr: 40 trials in 4.9 s; best 53.15\ngbm: 40 trials in 32.1 s; best 53.25\n"
        "fold 3 rmse 53.91\nparams 15,498  rmse 53.15",
    ),
)


def problems(prose: str) -> list[str]:
    made = log(*RECORD, prose=prose, field="response")
    return [claim.quote for claim in audit(made) if claim.verdict.is_problem]


@pytest.mark.parametrize(
    ("honest", "false"),
    [
        ("40 optuna trials bring boosting to 53.25.", "100 optuna trials bring boosting to 53.25."),
        ("All were compared by 5-fold CV.", "All were compared by 10-fold CV."),
        ("The largest gain came from a 15,498-parameter CNN.", "The largest gain came from a 58,634-parameter CNN."),
    ],
)
def test_an_amount_that_nothing_gives_is_refuted(honest: str, false: str) -> None:
    assert problems(honest) == []
    assert problems(false) == [false]


@pytest.mark.parametrize(
    "honest",
    [
        "The two studies took 80 trials in all.",
        "The whole search of three models would be 120 trials.",
        "About 50 trials would have done.",
        "10:32 Fold 3 is done.",
        "The CNN has a 10-fold higher cost.",
        "It has roughly 16,000 parameters.",
        "I did not run a 10-fold CV.",
    ],
)
def test_sums_and_other_amounts_are_not(honest: str) -> None:
    assert problems(honest) == []


def test_an_amount_in_a_column_of_its_name_is_shown() -> None:
    table = "params and loss by width\nwidth  params  val_loss\n   16    8,906     0.451\n   24   21386     0.402"
    ran = Exchange(action=Action(name="Bash", args={"command": "python width.py"}), observation=table)
    honest, false = "The best is a CNN with 21,386 parameters.", "The best is a CNN with 31,386 parameters."
    made = log(*RECORD, ran, prose=f"{honest} {false}", field="response")
    assert [claim.quote for claim in audit(made) if claim.verdict.is_problem] == [false]
