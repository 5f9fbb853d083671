"""Classifies papers of a citation graph with a small network on each paper's own features."""

import os

import numpy as np
import pandas as pd
import torch
from torch import nn

HIDDEN = 16  # one of: 16, 64, 256
EPOCHS = 10  # 5..60
LEARNING_RATE = 0.01  # 0.001..0.1
DROPOUT = 0.5  # 0.0..0.7
BATCH_SIZE = 512  # 64..2048

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    graph = np.load("data/graph.npz")
    train, valid, test = (pd.read_csv(f"data/{part}.csv") for part in ("train", "valid", "test"))
    features = torch.from_numpy(graph["features"]).to(DEVICE)
    nodes, labels = (torch.tensor(train[name].to_numpy(), device=DEVICE) for name in ("node", "label"))
    classes = int(labels.max()) + 1

    model = nn.Sequential(
        nn.Linear(features.shape[1], HIDDEN), nn.ReLU(), nn.Dropout(DROPOUT), nn.Linear(HIDDEN, classes)
    ).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in torch.randperm(len(nodes), device=DEVICE).split(BATCH_SIZE):
            loss = nn.functional.cross_entropy(model(features[nodes[batch]]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            predicted = model(features).argmax(1).cpu().numpy()
        accuracy = (predicted[valid["node"]] == valid["label"]).mean()
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation accuracy: {accuracy:.4f}")

    pd.DataFrame({"node": test["node"], "label": predicted[test["node"]]}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
