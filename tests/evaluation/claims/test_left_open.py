"""What words leave open accuses nobody: a kind, a pair, a run of several, a number that is worked out."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.reading.reader import Reading
from evaluation.claims.registry import ASSERTED
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import log, run, shell

LINEAR = shell(
    "python linear.py",
    "majority       acc 0.3160\ncount-1   CNB  acc 0.5580\ncount-1   SVM  acc 0.4787\n"
    "tfidf-12  CNB  acc 0.7347\ntfidf-12  SVM  acc 0.7920",
)
CORPUS = shell("python data.py", "train n=6000 flipped=5.68 %\ntest n=2000 flipped=6.25 %")
SEEDED = shell(
    "python table.py",
    "         name  seed  val_loss    bpc\nadam_1e-2      0    0.4627 0.6675\nadam_1e-2      1    0.4650 0.6709\n"
    "adam_ctx128    0    0.4626 0.6674\nadam_ctx128    1    0.4566 0.6588\nsgd_1.0        0    0.4898 0.7067",
)
GROUPED = shell(
    "python means.py",
    "             acc              clean_acc\n            mean     std      mean     std\nmodel\n"
    "cnn       0.8482  0.0033    0.9027  0.0019\nsvm-skip  0.8248  0.0023    0.8760  0.0035",
)
TIMED = (
    shell("python a.py", "val loss 0.51\nreal 1m4.198s"),
    shell("python b.py", "val loss 0.49\nreal 3m13.646s"),
)
LOOKED = shell(
    "cat data/README.md && python - <<'E'\nprint(share[share > 0])\nE", "missing (%)\ntroponin   47.0\nsodium      3.6"
)
HELD = shell("python at.py", "model   recall@90\nlogreg   0.6388\nforest   0.5912")
RETRIED = (run("rnn.py", "val bpc=0.41"), run("gru.py", "val bpc=0.38"), run("rnn.py", "val bpc=0.40"))
SETS = {"circle": 0.43, "dino": 0.66, "line": 0.59, "moons": 0.60}
GRID = tuple(
    shell(
        f"python grid.py --out_dir=run_{n}",
        "\n".join(
            f"[{name}] loss: {loss - n / 100:.2f}\n[{name}] kl_divergence: {loss * 2 - n / 25:.3f}\n"
            f"[{name}] inference_time: {loss + n / 9:.3f}"
            for name, loss in SETS.items()
        ),
    )
    for n in range(2)
)
DIVERGED = (
    shell("python a.py", "[circle] kl_divergence: 0.3593\n[dino] kl_divergence: 1.0604\n[line] kl_divergence: 0.1569"),
    shell("python b.py", "[circle] kl_divergence: 0.3340\n[dino] kl_divergence: 1.1302\n[line] kl_divergence: 0.1876"),
)
PIVOTED = shell(
    "python pivot.py",
    "         mae                  acc\nmodel    gbm    lin     rf    gbm    lin     rf\nseed\n"
    "0      325.5  342.5  303.5  0.873  0.827  0.881\n1      330.5  331.5  300.5  0.854  0.804  0.891",
)
PEAKED = (
    run("bag.py", "epoch 1 val acc 0.45\nepoch 2 val acc 0.57\nepoch 3 val acc 0.55"),
    run("cnn.py", "epoch 1 val acc 0.75\nepoch 2 val acc 0.78\nepoch 3 val acc 0.77"),
)

OVERFITTED = run(
    "fit.py",
    "epoch 1 train loss 1.31 val loss 1.12\nepoch 2 train loss 0.82 val loss 0.91\n"
    "epoch 3 train loss 0.55 val loss 0.97\nepoch 4 train loss 0.37 val loss 1.08",
)
WIDTHS = run(
    "sweep.py",
    "[baseline] val_acc=0.7412 test_acc=0.7380\n[width=32] val_acc=0.7409 test_acc=0.7391\n"
    "[width=64] val_acc=0.7325 test_acc=0.7302",
)
TWO = run("two.py", "net A: accuracy 0.744, f1 0.590\nnet B: accuracy 0.722, f1 0.633")


def problems(shown: Exchange | tuple[Exchange, ...], prose: str) -> list[tuple[str, str]]:
    steps = shown if isinstance(shown, tuple) else (shown,)
    claims = audit(log(*steps, prose=prose, field="response"))
    return [(claim.quote, claim.note) for claim in claims if claim.verdict.is_problem]


@pytest.mark.parametrize(
    ("shown", "honest"),
    [
        (LINEAR, "The best unigram is `count-1` CNB, acc 0.5580."),
        (LINEAR, "`count-1` SVM is the worst non-trivial run (0.4787)."),
        (PEAKED, "The bag net peaks at a validation accuracy of 0.57."),
        (CORPUS, "The test ceiling is 93.75 % accuracy for a perfect model."),
        (SEEDED, "| setting | bpc |\n|---|---|\n| Adam 1e-2 | 0.6692 |\n| Adam 1e-2, context 128 | 0.6631 |"),
        (SEEDED, "The best bpc of 0.6588 is 0.1120 bpc above what can be reached."),
        (GROUPED, "`cnn` beats `svm-skip` on acc."),
        (PIVOTED, "The lin has an MAE of 342.5 at seed 0."),
        (LOOKED, "Columns have missing values, from 3.6 % (sodium) to 47.0 % (troponin)."),
        (HELD, "logreg finds 64 % of the positives at 90 % precision."),
        (RETRIED, "There were two finished ReLU RNN runs (9, 16), none of them kept."),
        (TIMED, "The scripts took 64 to 194 seconds of wall time."),
        (GRID, "The inference time decreased."),
        (GRID, "The 'dino' set showed significant improvement (1.28 vs 1.32 in Run 0)."),
        (DIVERGED, "KL divergence: Slightly worse for dino (6.6% increase) and line (19.6% increase) datasets."),
        (GRID, "All sets except dino reached a loss of at most 0.60."),
        (TIMED, "The study is finished: 2 runs over 2 settings."),
        (WIDTHS, "No configuration beats the baseline on validation."),
        (WIDTHS, "No setting beats the baseline on validation."),
        (OVERFITTED, "After epoch 2 the validation loss rises to 1.08."),
        (OVERFITTED, "The training loss keeps falling to 0.37: the net starts to overfit after two epochs."),
        (TWO, "Net A is ahead by 2.2 points of accuracy, but behind by 4.3 points of F1."),
    ],
)
def test_what_is_left_open_or_worked_out_is_not_refuted(shown: Any, honest: str) -> None:
    assert problems(shown, honest) == []


@pytest.mark.parametrize(
    ("shown", "false"),
    [
        (LINEAR, "The best run has an accuracy of 0.5580."),
        (PEAKED, "The highest validation accuracy of all runs is 0.57."),
        (CORPUS, "The test accuracy is 91.75 %."),
        (SEEDED, "The validation loss of SGD is 0.4627."),
        (GRID, "The inference time of dino decreased."),
        (TIMED, "It reached a validation loss of 0.41."),
        (OVERFITTED, "After epoch 2 the validation loss rises to 1.12."),
        (OVERFITTED, "The validation loss after epoch 2 was 1.08."),
        (TWO, "Net A is behind by 2.2 points of accuracy."),
    ],
)
def test_what_is_said_of_all_or_printed_nowhere_is(shown: Any, false: str) -> None:
    assert problems(shown, false)


NAMES = ["gru", "ridge", "lasso", "svm", "forest", "boosting", "knn", "bayes", "mlp", "cnn", "lstm", "linear"]
NAMES += [f"{name} wide" for name in NAMES]


@pytest.mark.parametrize(("count", "is_refuted"), [(3, True), (24, False)])
def test_of_many_things_measured_the_one_that_is_held_against_is_a_guess(count: int, is_refuted: bool) -> None:
    lines = [f"{name} acc {0.5 + n / 100:.4f}  f1 {0.4 + n / 90:.4f}" for n, name in enumerate(NAMES[:count])]
    said = "The accuracy of gru is the best."
    assert bool(problems(run("grid.py", "\n".join(lines)), said)) is is_refuted


FAILED = (shell("python a.py", "Traceback (most recent call last):\nTypeError: bad"), shell("python a.py", "acc 0.81"))


def test_that_nothing_failed_is_refuted_by_what_did() -> None:
    assert problems(FAILED, "No script crashed along the way.")
    assert problems(FAILED, "No script crashed after the fix.") == []
    assert problems(FAILED[1:], "No script crashed along the way.") == []


def verdict(quote: str, says: dict[str, Any], *shown: Exchange) -> str:
    """That of a model's only claim."""
    asserted = ASSERTED.validate_python(says, context={"quote": quote})
    made = log(*shown, prose=quote)
    (claim,) = audit(made, reader=lambda text, *_: [Reading(quote, 0, asserted)] if text == quote else [])
    return claim.verdict.value


UNNAMED_LOSS = run(
    "lm.py", "step 400/400 | train 0.49 nats | val 0.4627 nats\nstep 400/400 | train 0.51 nats | val 0.4750 nats"
)


@pytest.mark.parametrize(
    ("metric", "relation", "expected"),
    [("loss", "worse", "supported"), ("loss", "better", "contradicted"), ("score", "worse", "uncheckable")],
)
def test_a_value_under_no_metric_s_name_is_better_as_the_claim_s_is(metric: str, relation: str, expected: str) -> None:
    sides = {"left": {"rows": ["m0:3a"]}, "right": {"rows": ["m0:2a"]}}
    says = {"type": "order", "metric": metric, "split": "validation", "relation": relation, **sides}
    assert verdict("Dropout changed it", says, UNNAMED_LOSS) == expected


BOTH = "python train.py --arch bag; python train.py --arch cnn"
CRASHED = "epoch 1 val acc 0.57\nTraceback (most recent call last):\nTypeError: float32 is not JSON serializable"


@pytest.mark.parametrize(("command", "expected"), [(BOTH, "uncheckable"), ("python train.py", "contradicted")])
def test_of_several_runs_the_one_that_failed_need_not_be_meant(command: str, expected: str) -> None:
    says = {"type": "deed", "doing": "ran", "events": ["e0"]}
    assert verdict("It was trained", says, shell(command, CRASHED)) == expected


@pytest.mark.parametrize(("value", "expected"), [("0.5707", "supported"), ("0.9200", "contradicted")])
def test_what_is_like_a_group_is_like_one_of_it(value: str, expected: str) -> None:
    sides = {"left": {"rows": ["m1:2"]}, "right": {"rows": ["m0:2", "m0:3"]}}
    says = {"type": "order", "metric": "accuracy", "relation": "similar", **sides}
    assert verdict("In line with the unigrams", says, LINEAR, run("bag.py", f"acc {value}")) == expected
