"""Trains a network to follow Floyd and Warshall's algorithm, and writes weights.npz and config.json.

Pairs of nodes remember what they heard, over a number of steps that does not grow with the graph; nodes
have no number, which means nothing on other graphs; and the rate of learning rises and falls.
"""

import json
import os
from pathlib import Path

import numpy as np
import torch
from model import Reasoner
from torch import nn

CONFIG = {"hidden": 32, "triplet": 16, "steps": 4, "keep_pairs": True, "normalise": False, "positions": False}
TRAINING_STEPS = 800
LEARNING_RATE = 0.003
BATCH_SIZE = 32

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def load(path):
    with np.load(path) as graphs:
        return {name: torch.from_numpy(graphs[name]).to(DEVICE) for name in ("weights", "pointers")}


def accuracy(model, graphs):
    """The share of pointers that are right."""
    with torch.no_grad():
        found = torch.cat([model(part).argmax(-1) for part in graphs["weights"].split(16)])
    return (found == graphs["pointers"]).float().mean().item()


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    train = [load(path) for path in sorted(Path("data").glob("train_*.npz"))]
    valid = [load(path) for path in sorted(Path("data").glob("valid_*.npz"))]

    model = Reasoner(**CONFIG).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=TRAINING_STEPS)
    losses = []
    for step in range(1, TRAINING_STEPS + 1):
        graphs = train[step % len(train)]
        batch = torch.randint(len(graphs["weights"]), (BATCH_SIZE,), device=DEVICE)
        logits = model(graphs["weights"][batch])
        loss = nn.functional.cross_entropy(logits.flatten(0, 2), graphs["pointers"][batch].flatten().long())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % (TRAINING_STEPS // 5) == 0:
            right = np.mean([accuracy(model, graphs) for graphs in valid])
            print(f"step {step}: train loss: {np.mean(losses[-50:]):.4f} validation accuracy: {right:.4f}")

    np.savez("weights.npz", **{name: value.cpu().numpy() for name, value in model.state_dict().items()})
    Path("config.json").write_text(json.dumps(CONFIG, indent=2))
    print("wrote weights.npz and config.json")


if __name__ == "__main__":
    main()
