"""Trains a small GPT from scratch, and saves it in model/ for predict.py."""

import json
import math
import os
from pathlib import Path

import numpy as np
import torch
from model import GPT
from torch import nn

CONTEXT = 32  # 16..256
WIDTH = 32  # 32..512
LAYERS = 2  # 1..8
HEADS = 4  # one of: 2, 4, 8
DROPOUT = 0.1  # 0.0..0.5
EPOCHS = 1  # 1..10
LEARNING_RATE = 0.001  # 0.0001..0.01 log
BATCH_SIZE = 32  # 4..128

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def load(part):
    """All texts of one part, one after the other, in rows of CONTEXT tokens and the one that follows."""
    with np.load(f"data/{part}.npz") as texts:
        tokens = np.concatenate([texts[source] for source in texts]).astype(np.int64)
    starts = np.arange(0, len(tokens) - CONTEXT, CONTEXT)
    return torch.from_numpy(np.stack([tokens[start : start + CONTEXT + 1] for start in starts]))


def loss_of(model, rows):
    logits = model(rows[:, :-1])
    return nn.functional.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())


def perplexity(model, rows):
    model.eval()
    with torch.no_grad():
        losses = [loss_of(model, part.to(DEVICE)).item() for part in rows.split(64)]
    return math.exp(np.mean(losses))


def main():
    torch.manual_seed(SEED)
    words = len(json.loads(Path("data/vocabulary.json").read_text()))
    train, valid = load("train"), load("valid")
    config = {
        "words": words,
        "context": CONTEXT,
        "width": WIDTH,
        "layers": LAYERS,
        "heads": HEADS,
        "dropout": DROPOUT,
    }

    model = GPT(**config).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(EPOCHS):
        losses = []
        for number, batch in enumerate(torch.randperm(len(train)).split(BATCH_SIZE), 1):
            model.train()
            loss = loss_of(model, train[batch].to(DEVICE))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
            if number % 200 == 0:
                print(f"epoch {epoch + 1}, batch {number}: train loss: {np.mean(losses[-200:]):.4f}")
        print(f"epoch {epoch + 1}: validation perplexity: {perplexity(model, valid):.2f}")

    Path("model").mkdir(exist_ok=True)
    Path("model/config.json").write_text(json.dumps(config))
    torch.save(model.state_dict(), "model/weights.pt")
    print("saved model/config.json and model/weights.pt")


if __name__ == "__main__":
    main()
