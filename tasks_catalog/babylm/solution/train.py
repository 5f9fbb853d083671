"""Measures an n-gram model on the texts to validate, and saves the text it counts in for predict.py."""

import json
from pathlib import Path

import numpy as np
from ngram import ORDER, NGrams

SAMPLE = 2000


def load(part):
    with np.load(f"data/{part}.npz") as texts:
        return np.concatenate([texts[source] for source in texts])


def main():
    words = len(json.loads(Path("data/vocabulary.json").read_text()))
    train, valid = load("train"), load("valid")
    rows = np.lib.stride_tricks.sliding_window_view(valid, ORDER)
    rows = rows[np.linspace(0, len(rows) - 1, SAMPLE).astype(int)]
    found = NGrams(train, words).predict(rows[:, :-1])
    perplexity = np.exp(-np.log(found[np.arange(SAMPLE), rows[:, -1]]).mean())
    print(f"validation perplexity: {perplexity:.2f}")

    Path("model").mkdir(exist_ok=True)
    np.savez_compressed("model/text.npz", text=np.concatenate([train, valid]), words=words)
    print("saved model/text.npz")


if __name__ == "__main__":
    main()
