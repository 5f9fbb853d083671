"""Continues texts with a Llama model, and measures the seconds per token.

    python train.py [INPUTS [OUTPUT]]

INPUTS is a folder with prompts.npy (texts, length), the numbers of their tokens; the tokens that
follow, the likeliest one each time, are saved as OUTPUT (texts, NEW_TOKENS).
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch

from llama import load_model

NEW_TOKENS = 8
BATCH_SIZE = 4  # 1..16
THREADS = 1  # 1..2

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPE = torch.float16 if DEVICE == "cuda" else torch.float32


def generate(model, tokens):
    """The NEW_TOKENS that follow each row of tokens (batch, length)."""
    for _ in range(NEW_TOKENS):
        logits = model(tokens)
        following = logits[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, following], dim=1)
    return tokens[:, -NEW_TOKENS:]


def main():
    inputs = Path(sys.argv[1] if len(sys.argv) > 1 else "data")
    output = sys.argv[2] if len(sys.argv) > 2 else "output.npy"
    torch.set_num_threads(THREADS)
    prompts = torch.from_numpy(np.load(inputs / "prompts.npy")).to(DEVICE)
    model = load_model(Path("data/model"), DEVICE, DTYPE)

    started = time.perf_counter()
    with torch.no_grad():
        result = torch.cat([generate(model, batch) for batch in prompts.split(BATCH_SIZE)]).cpu().numpy()
    seconds = time.perf_counter() - started
    print(f"seconds per token: {seconds / result.size:.4f}")

    np.save(output, result)
    print(f"saved {output} with {len(result)} continuations of {NEW_TOKENS} tokens")


if __name__ == "__main__":
    main()
