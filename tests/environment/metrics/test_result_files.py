"""Result files that scripts write: which are read, and what is found in them."""

from __future__ import annotations

import json
import struct

import pytest

from environment.metrics.files.reader import holds_results, read_results


def found(name: str, content: str | bytes) -> list[str]:
    points = read_results(name, content.encode() if isinstance(content, str) else content)
    return [
        " ".join(
            part
            for part in (
                point.part,
                point.split or "",
                f"{point.name}={point.value:g}",
                "" if point.epoch is None else f"epoch {point.epoch:g}",
                f"at {point.key}" + (f" line {point.line}" if point.line else ""),
            )
            if part
        )
        for point in points
    ]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "out/results.json",
            json.dumps({"accuracy": 0.9, "val": {"f1": "0.8"}, "lr": 0.1, "epochs": 5, "model": "x", "ok": True}),
            ["accuracy=0.9 at accuracy", "validation f1=0.8 at val.f1"],
        ),
        (
            "metrics.json",
            '{"accuracy": {"val": 0.8, "test": 0.7}}',
            ["validation accuracy=0.8 at accuracy.val", "test accuracy=0.7 at accuracy.test"],
        ),
        (
            "run_0/final_info.json",
            '{"enwik8": {"means": {"best_val_loss_mean": 1.5}}, "text8": {"means": {"best_val_loss_mean": 1.4}}}',
            [
                "enwik8 validation best loss_mean=1.5 at enwik8.means.best_val_loss_mean",
                "text8 validation best loss_mean=1.4 at text8.means.best_val_loss_mean",
            ],
        ),
        (
            "trainer_state.json",
            json.dumps({"log_history": [{"loss": 0.6, "epoch": 1.0}, {"eval_loss": 0.5, "epoch": 1.0}]}),
            ["train loss=0.6 epoch 1 at log_history.loss", "validation loss=0.5 epoch 1 at log_history.eval_loss"],
        ),
        (
            "wandb/run-1/files/wandb-summary.json",
            json.dumps({"_timestamp": 1.77e9, "_step": 30, "val/acc": 0.83, "_wandb": {"runtime": 12}}),
            ["validation acc=0.83 at val/acc", "_wandb runtime=12 at _wandb.runtime"],
        ),
        (
            "results.yaml",
            "model: x\naccuracy: 0.9\nval: {f1: 0.8}\nfolds:\n- rmse: 1.5e-3\n",
            ["accuracy=0.9 at accuracy", "validation f1=0.8 at val.f1", "folds rmse=0.0015 at folds.rmse"],
        ),
        ("metrics.yml", "accuracy: *unknown", []),
        ("scores.yml", "!!python/object/apply:os.getcwd []", []),
        (
            "mlruns/0/0123456789abcdef0123456789abcdef/metrics/val_loss",
            "1700000000000 0.5 0\n1700000000900 0.4 1\ntorn\n",
            ["validation loss=0.5 at val_loss line 1", "validation loss=0.4 at val_loss line 2"],
        ),
        (
            "results.tsv",
            "# kept, and thrown out, by hand\n#\nname\taccuracy\nbase\t0.71\n",
            ["base accuracy=0.71 at base.accuracy line 4"],
        ),
        ("history.csv", "# epoch,loss\n1,0.5\n", ["loss=0.5 at loss line 2"]),
        (
            "metrics.jsonl",
            '{"epoch": 1, "val_acc": 0.5}\nnot json\n{"epoch": 2, "val_acc": 0.6}\n',
            ["validation acc=0.5 epoch 1 at val_acc line 1", "validation acc=0.6 epoch 2 at val_acc line 3"],
        ),
        (
            "lightning_logs/version_0/metrics.csv",
            "epoch,step,train_loss,val_loss\n0,9,,0.5\n0,9,0.6,\n",
            ["validation loss=0.5 epoch 0 at val_loss line 2", "train loss=0.6 epoch 0 at train_loss line 3"],
        ),
        (
            "training.log",
            "epoch,loss,val_loss\n0,1.2,1.1\n",
            ["train loss=1.2 epoch 0 at loss line 2", "validation loss=1.1 epoch 0 at val_loss line 2"],
        ),
        (
            "results.tsv",
            "commit\tval_bpb\tmemory_gb\tstatus\na1b\t1.01\t44.0\tkeep\nb2c\t0.99\t44.2\tdrop\n",
            ["a1b validation bpb=1.01 at a1b.val_bpb line 2", "b2c validation bpb=0.99 at b2c.val_bpb line 3"],
        ),
        (
            "lightning_logs/version_1/metrics.csv",
            "epoch,step,train_loss_step,train_loss_epoch,val_acc\n0,9,0.5,,\n0,9,,0.6,\n0,9,,,0.8\n",
            [
                "train loss_step=0.5 epoch 0 at train_loss_step line 2",
                "train loss_epoch=0.6 epoch 0 at train_loss_epoch line 3",
                "validation acc=0.8 epoch 0 at val_acc line 4",
            ],
        ),
        (
            "runs/detect/train/results.csv",
            "   epoch,   train/box_loss,   metrics/mAP50(B)\n       0,     1.2,    0.5\n",
            ["train box_loss=1.2 epoch 0 at train/box_loss line 2", "mAP50(B)=0.5 epoch 0 at metrics/mAP50(B) line 2"],
        ),
        (
            "wandb/run-1/files/wandb-summary.json",
            '{"_step": 10, "_runtime": 12.5, "_timestamp": 1.7e9, "val/acc": 0.91, "loss": "NaN"}',
            ["runtime=12.5 at _runtime", "validation acc=0.91 at val/acc", "loss=nan at loss"],
        ),
        (
            "results.json",
            json.dumps({"results": {"piqa": {"acc,none": 0.7}}, "versions": {"piqa": 1.0}, "config": {"x": 0.5}}),
            ["piqa acc=0.7 at results.piqa.acc,none"],
        ),
        ("results.json", '{"predictions": [0.1, 0.9], "cv_scores": [0.8]}', ["validation scores=0.8 at cv_scores"]),
        ("metrics.json", '{"loss": 0.5}\n{"loss": 0.4}\n', ["loss=0.5 at loss line 1", "loss=0.4 at loss line 2"]),
        ("results.csv", "model;accuracy\nrf;0,91\n", ["rf accuracy=0.91 at rf.accuracy line 2"]),
        (
            "results.txt",
            "Model: forest\nAccuracy: 0.91\nval loss: 0.3\n",
            ["Accuracy=0.91 at Accuracy line 2", "validation loss=0.3 at validation loss line 3"],
        ),
        ("results.md", "| model | acc |\n|---|---|\n| **rf** | 0.9 |\n", ["rf acc=0.9 at rf acc line 3"]),
        ("results.json", '{"acc": NaN}', ["acc=nan at acc"]),
        ("results.json", "{", []),
        ("results.json", "[" * 20_000, []),
        ("log.csv", "id,score\n" + "1,0.5\n" * 600, []),
        ("history.csv", "a,b\n1,2\n", []),
        ("results.csv", 'loss,x\n"open,1', []),
    ],
)  # fmt: skip
def test_files(name: str, content: str, expected: list[str]) -> None:
    assert holds_results(name)
    assert found(name, content) == expected


@pytest.mark.parametrize("name", ["submission.csv", "train.csv", "data.json", "train.py", "eval_predictions.csv"])
def test_other_files_are_left_alone(name: str) -> None:
    assert not holds_results(name)


def varint(value: int) -> bytes:
    head, rest = value & 0x7F, value >> 7
    return bytes([head | 0x80]) + varint(rest) if rest else bytes([head])


def message(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def event(step: int, tag: str, value: bytes) -> bytes:
    body = varint(2 << 3) + varint(step) + message(5, message(1, message(1, tag.encode()) + value))
    return struct.pack("<QI", len(body), 0) + body + struct.pack("<I", 0)


def test_scalars_of_tensorboard() -> None:
    simple = varint(2 << 3 | 5) + struct.pack("<f", 0.9)
    tensor = message(8, varint(1 << 3) + varint(1) + message(4, struct.pack("<f", 0.25)))
    whole = event(300, "val/accuracy", simple) + event(301, "Loss/train", tensor)
    name = "runs/events.out.tfevents.1.host"
    expected = ["validation accuracy=0.9 at val.accuracy", "train Loss=0.25 at Loss.train"]
    assert found(name, whole) == expected
    assert [point.step for point in read_results(name, whole)] == [300, 301]
    assert found(name, whole[:-7]) == expected[:1]
    for cut in range(len(whole)):
        read_results(name, whole[cut:] + whole[:cut])  # torn files end quietly


def test_scalars_of_keras_have_the_split_of_their_folder_and_epochs() -> None:
    simple = varint(2 << 3 | 5) + struct.pack("<f", 0.5)
    whole = event(3, "epoch_loss", simple) + event(3, "epoch_learning_rate", simple)
    assert found("logs/validation/events.out.tfevents.1.host.v2", whole) == ["validation loss=0.5 epoch 3 at loss"]
    assert found("logs/run/events.out.tfevents.1.host.v2", whole) == ["loss=0.5 epoch 3 at loss"]
    own = event(3, "train/loss", simple)
    assert found("logs/validation/events.out.tfevents.1.host.v2", own) == ["train loss=0.5 at train.loss"]
