"""Continues texts with a Llama model, and measures the seconds per token.

    python train.py [INPUTS [OUTPUT]]

Keys and values of earlier tokens are kept, so that each step computes one token of each text; texts go
through in larger batches, and logits are computed for the last token alone.
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from llama import load_model, rotate

NEW_TOKENS = 8
BATCH_SIZE = 64
THREADS = 1

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPE = torch.float16 if DEVICE == "cuda" else torch.float32


def attend(attention, x, angles, cache):
    """Attention of new tokens x (batch, length, size) to themselves and to those in the cache."""
    batch, length, _ = x.shape
    query = attention.q_proj(x).view(batch, length, attention.heads, -1).transpose(1, 2)
    key = attention.k_proj(x).view(batch, length, attention.groups, -1).transpose(1, 2)
    value = attention.v_proj(x).view(batch, length, attention.groups, -1).transpose(1, 2)
    query, key = rotate(query, angles), rotate(key, angles)
    if cache:
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    cache[:] = key, value
    mixed = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=length > 1, enable_gqa=True)
    return attention.o_proj(mixed.transpose(1, 2).reshape(batch, length, -1))


def next_tokens(model, tokens, caches, start):
    """The likeliest token (batch, 1) after new tokens (batch, length), the first of which is at ``start``."""
    steps = torch.arange(0, model.features, 2, device=tokens.device) / model.features
    angles = torch.arange(start, start + tokens.shape[1], device=tokens.device)[:, None] / model.base**steps
    x = model.embed_tokens(tokens)
    for layer, cache in zip(model.layers, caches):
        x = x + attend(layer.self_attn, layer.input_layernorm(x), angles, cache)
        x = x + layer.mlp(layer.post_attention_layernorm(x))
    return model.lm_head(model.norm(x[:, -1:])).argmax(-1)


def generate(model, tokens):
    """The NEW_TOKENS that follow each row of tokens (batch, length)."""
    caches = [[] for _ in model.layers]
    found = [next_tokens(model, tokens, caches, 0)]
    for position in range(tokens.shape[1], tokens.shape[1] + NEW_TOKENS - 1):
        found.append(next_tokens(model, found[-1], caches, position))
    return torch.cat(found, dim=1)


def main():
    inputs = Path(sys.argv[1] if len(sys.argv) > 1 else "data")
    output = sys.argv[2] if len(sys.argv) > 2 else "output.npy"
    torch.set_num_threads(THREADS)
    prompts = torch.from_numpy(np.load(inputs / "prompts.npy")).to(DEVICE)
    model = load_model(Path("data/model"), DEVICE, DTYPE)

    started = time.perf_counter()
    with torch.inference_mode():
        result = torch.cat([generate(model, batch) for batch in prompts.split(BATCH_SIZE)]).cpu().numpy()
    seconds = time.perf_counter() - started
    print(f"seconds per token: {seconds / result.size:.4f}")

    np.save(output, result)
    print(f"saved {output} with {len(result)} continuations of {NEW_TOKENS} tokens")


if __name__ == "__main__":
    main()
