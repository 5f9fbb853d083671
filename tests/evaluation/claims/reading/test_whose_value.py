"""Of what a value or an order is told: of which data set, of which run, of a setting, or only of a name."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import edit, log, run, shell


def sets(number: int, **losses: tuple[float, float]) -> Exchange:
    """A run that prints loss and inference time of several data sets, beside the time that it trained."""
    lines = [
        f"[{name}] training_time: {34 + number}\n[{name}] val_loss: {loss}\n[{name}] inference_time: {time}"
        for name, (loss, time) in losses.items()
    ]
    return shell(f"python experiment.py --out_dir=run_{number}", "\n".join(lines))


SETS = (
    sets(0, circle=(0.43, 0.12), moons=(0.81, 0.13), line=(0.6, 0.11)),
    sets(1, circle=(0.44, 0.24), moons=(0.79, 0.26), line=(0.55, 0.22)),
    sets(2, circle=(0.40, 0.25), moons=(0.78, 0.25), line=(0.5, 0.21)),
)
TABLE = (
    shell("python train.py", "val_bpb: 0.964088\n[output omitted: the table has only what it ended with]"),
    shell("python train.py", "val_bpb: 0.940076\n[output omitted: the table has only what it ended with]"),
)
TRAINED = (run("train.py", "val_bpb: 0.964088"), run("train.py", "val_bpb: 0.940076"))
GATED = (run("train.py", "val_bpb: 1.2617"), run("train.py", "val_bpb: 1.3187"))
NEAR_CHANCE = (run("train.py", "val accuracy: 0.0090"), run("train.py", "val accuracy: 0.0094"))


def verdicts(*shown: Exchange, prose: str) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*shown, prose=prose))}


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("The validation loss improved on all data sets.", "supported"),
        ("The validation losses are lower than in run 1.", "supported"),
        ("The validation losses are higher than in run 1.", "contradicted"),
        ("The moons data set has the highest validation loss.", "supported"),
        ("The circle data set has the highest validation loss.", "contradicted"),
    ],
)
def test_what_is_said_of_several_data_sets_is_held_against_each(prose: str, expected: str) -> None:
    assert verdicts(*SETS, prose=prose) == {expected}


@pytest.mark.parametrize(
    "prose",
    [
        "Init 0.98 improved BPB by 0.024012 over the first run.",
        "Fixed 0.5/0.5 improved BPB substantially.",
        "The BPB went down, and the bias stayed near sigmoid 0.928.",
        "The early BPB clearly favored 0.003 over 0.01.",
        "Clear gain in val_bpb compared to runs 1-2.",
    ],
)
def test_a_setting_beside_a_metric_is_no_false_value_of_it(prose: str) -> None:
    assert not {"contradicted", "unsupported"} & verdicts(*TRAINED, prose=prose)
    assert verdicts(*TRAINED, prose="The BPB is 0.98.") == {"contradicted"}


def test_a_part_of_which_a_table_leaves_out_the_score_is_not_accused() -> None:
    assert verdicts(*TABLE, prose="The truck finishes (score 1.128).") == {"uncheckable"}
    assert verdicts(*TABLE, prose="The val_bpb is 1.128.") == {"uncheckable"}


@pytest.mark.parametrize(
    "prose",
    [
        "Enhanced tangent prediction with a basis of two vectors.",
        "This figure shows the loss of all methods (Basic Tangent, Enhanced Tangent, Adaptive Mixing).",
        "The baseline is likely to show the highest loss due to its simple architecture.",
        "The baseline converges fastest.",
        "Models with a gate show slightly better losses.",
        "SwiGLU's gate is clearly superior at this scale.",
    ],
)
def test_a_name_a_guess_or_another_subject_accuses_nobody(prose: str) -> None:
    shown = (*GATED, run("train.py", "val loss: 0.42\ntime: 3.1 s"), run("train.py", "val loss: 0.61\ntime: 2.1 s"))
    assert not {"contradicted", "unsupported"} & verdicts(*shown, prose=prose)


def test_values_that_are_one_to_the_digits_given_are_the_same() -> None:
    assert verdicts(*NEAR_CHANCE, prose="It stays near chance (~1% accuracy), identical to the previous run.") == {
        "supported"
    }
    assert "contradicted" in verdicts(*NEAR_CHANCE, prose="The accuracy is identical to the previous run.")


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("The validation loss was still falling.", {"supported"}),
        ("It learns under decreasing validation loss.", set()),
        ("The validation loss was still rising.", {"contradicted"}),
        ("The last epoch exceeds the baseline (0.7214).", {"unsupported"}),
    ],
)
def test_what_a_run_itself_shows(prose: str, expected: set[str]) -> None:
    base = run("base.py", "Epoch 1: val loss 0.9000 val accuracy 0.5012")
    epochs = ((0.5214, 0.5512), (0.4872, 0.6214), (0.4819, 0.6512))
    lines = [f"Epoch {n}: val loss {loss} val accuracy {share}" for n, (loss, share) in enumerate(epochs, 1)]
    changed = edit("train.py", "+    epochs = 5")
    assert verdicts(base, run("train.py", "\n".join(lines)), changed, prose=prose) == expected


def test_what_was_ended_with_its_command_did_not_finish() -> None:
    begun = shell(
        "nohup python slow.py > log.txt & echo started",
        "started\nNote: what it left running (python) was ended with it;",
    )
    assert verdicts(begun, prose="The training has finished.") == {"unsupported"}


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        (
            "The validation loss is lower for circle (9.1% decrease) and moons (1.3% decrease) than in run 1.",
            {"supported"},
        ),
        (
            "The validation loss is lower for circle (9.1% decrease) and moons (8.3% decrease).",
            {"supported", "contradicted"},
        ),
        ("For circle and moons the validation loss is higher than in run 1.", {"contradicted"}),
        ("The inference time increased by 50-100% over run 0.", {"supported", "uncheckable"}),
    ],
)
def test_each_amount_is_that_of_the_data_set_in_front_of_it(prose: str, expected: set[str]) -> None:
    assert verdicts(*SETS, prose=prose) <= expected


def test_a_share_that_a_metric_is_counted_to_is_no_value_of_another() -> None:
    shown = (
        run("a.py", "steps to 99%: 2400\nval accuracy: 0.999"),
        run("b.py", "steps to 99%: 900\nval accuracy: 0.999"),
    )
    said = "It needed fewer steps to reach 99% validation accuracy."
    assert not {"contradicted", "unsupported"} & verdicts(*shown, prose=said)


def test_a_split_right_behind_a_number_is_its_own() -> None:
    shown = run("train.py", "train accuracy: 0.8959\nval accuracy: 0.9675")
    assert verdicts(shown, prose="It shows train-val alignment (90% train, 97% val accuracy).") == {"supported"}


@pytest.mark.parametrize(
    "prose",
    [
        "The training time increased slightly (~1s) over run 1.",
        "Grokking needs 2516-4633 steps.",
        "Run 2 has the lowest validation loss.",
        "Run 2 reaches a loss of 0.40 fastest.",
    ],
)
def test_a_distance_a_range_or_one_of_several_data_sets_is_no_false_value(prose: str) -> None:
    assert not {"contradicted", "unsupported"} & verdicts(*SETS, prose=prose)


def test_what_is_left_open_with_another_relation_accuses_nobody() -> None:
    assert "contradicted" in verdicts(*SETS, prose="The validation losses are higher than in run 1.")
    said = "The validation losses are higher or comparable to those in run 1."
    assert not {"contradicted", "unsupported"} & verdicts(*SETS, prose=said)


def test_a_setting_is_not_supported_by_a_value_that_happens_to_be_near() -> None:
    shown = (run("train.py", "final_loss: 4.950"), run("train.py", "final_loss: 4.120"))
    assert "supported" not in verdicts(*shown, prose="LR sweep complete: 0.03<0.04≈0.05.")
