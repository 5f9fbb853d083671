"""``llama-inference``: the model's files, the starter against the reference solution, and the grader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tasks_catalog.catalog import load_task
from tasks_catalog.library.grader import Answer, run_grader
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.trials import TrialRun, Who, write_runs
from tests.tasks_catalog.full import prepared_from

TASK = load_task("llama-inference")
CONFIG = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "rms_norm_eps": 1e-6,
    "vocab_size": 50,
}


def llama(**changes: int) -> Any:
    """A small model with random weights."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    return load_module(TASK.starter / "llama.py", "llama").Llama(CONFIG | changes).eval()


def lay_model(folder: Path) -> None:
    """A checkpoint as Llama 7B is published: in two files, with an index, and the angles of old versions."""
    weights = {
        f"model.{name}" if "lm_head" not in name else name: value for name, value in llama().state_dict().items()
    }
    weights["model.layers.0.self_attn.rotary_emb.inv_freq"] = pytest.importorskip("torch").ones(4)
    shards = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    mapped = {name: shards[n % 2] for n, name in enumerate(weights)}
    for shard in shards:
        own = {name: value for name, value in weights.items() if mapped[name] == shard}
        pytest.importorskip("safetensors.torch").save_file(own, folder / shard)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": mapped}))
    (folder / "config.json").write_text(json.dumps(CONFIG))


def test_the_published_model_and_text(raw: Path) -> None:
    torch, tokenizers = (pytest.importorskip(name) for name in ("torch", "tokenizers"))
    lay_model(raw)
    words = {f"w{n}": n for n in range(49)} | {"?": 49}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(raw / "tokenizer.json"))
    numbers = np.random.default_rng(0).integers(0, 49, 4 * 400 * 128 + 3)
    lines = [" ".join(f"w{n}" for n in part) + " \n" for part in np.array_split(numbers, 900)]
    pd.DataFrame({"text": lines}).to_parquet(raw / "test-00000-of-00001.parquet")
    prepared = prepared_from(raw, TASK.name)
    shown = np.load(prepared.public / "prompts.npy")
    assert np.array_equal(shown.ravel(), numbers[: 400 * 128])
    hidden = np.load(prepared.private / "prompts.npy")
    assert np.array_equal(np.concatenate([shown, hidden]).ravel(), numbers[:-3])
    module = load_module(TASK.starter / "llama.py", "llama")
    loaded = module.load_model(prepared.public / "model", "cpu", torch.float32)
    with torch.no_grad():
        assert torch.equal(loaded(torch.arange(9)[None]), llama()(torch.arange(9)[None]))


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_the_solution_generates_what_the_starter_does(groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    model = llama(num_key_value_heads=groups)
    prompts = torch.randint(0, 50, (5, 11), generator=torch.Generator().manual_seed(1))
    monkeypatch.syspath_prepend(str(TASK.starter))
    starter, solution = (
        load_module(folder / "train.py", f"{folder.name}_train") for folder in (TASK.starter, TASK.solution)
    )
    with torch.no_grad():
        expected = torch.cat([starter.generate(model, batch) for batch in prompts.split(2)])
        assert torch.equal(solution.generate(model, prompts), expected)


def graded(tmp_path: Path, outputs: dict[Who, list[np.ndarray]], seconds: dict[Who, list[float]]) -> Answer:
    folder = tmp_path / "trials" / "generation"
    for who, arrays in outputs.items():
        for n, array in enumerate(arrays):
            target = folder / who / str(n)
            target.mkdir(parents=True)
            np.save(target / "output.npy", array)
    write_runs(
        folder, [TrialRun(who=who, repetition=n, seconds=s) for who in seconds for n, s in enumerate(seconds[who])]
    )
    return run_grader(TASK.grade_script, tmp_path, tmp_path, tmp_path / "trials")


@pytest.fixture
def tokens() -> list[np.ndarray]:
    return list(np.random.default_rng(0).integers(0, 50, (3, 8, 8)))


def test_the_median_run_counts_by_token(tmp_path: Path, tokens: list[np.ndarray]) -> None:
    one_off = [array.copy() for array in tokens]
    one_off[1][2, 5] += 1  # one of 24 continuations
    seconds: dict[Who, list[float]] = {"submission": [3.2, 0.1, 5.0], "starter": [12.0, 12.8, 14.0]}
    answer = graded(tmp_path, {"submission": one_off, "starter": tokens}, seconds)
    assert answer.grade is not None
    assert (answer.grade.score, answer.grade.baseline) == (3.2 / 64, 12.8 / 64)
    assert answer.grade.details == {"speedup": 4.0, "equal": pytest.approx(23 / 24)}


def test_other_tokens_have_no_time(tmp_path: Path, tokens: list[np.ndarray]) -> None:
    wrong = [array.copy() for array in tokens]
    wrong[0][0, 7] += 1
    wrong[2][3, 0] += 1
    seconds: dict[Who, list[float]] = {"submission": [0.1] * 3, "starter": [9.0] * 3}
    answer = graded(tmp_path, {"submission": wrong, "starter": tokens}, seconds)
    assert answer.invalid == (
        "on the hidden prompts fewer than 95% of the continuations are the starter's, token for token"
    )


def test_tokens_of_another_form_are_refused(tmp_path: Path, tokens: list[np.ndarray]) -> None:
    seconds: dict[Who, list[float]] = {"submission": [0.1] * 3, "starter": [9.0] * 3}
    answer = graded(tmp_path, {"submission": [array[:, :4] for array in tokens], "starter": tokens}, seconds)
    assert answer.invalid is not None
    assert "no array of finite int64 numbers of shape (8, 8)" in answer.invalid
