"""Marks contrails in satellite pictures with a convolution, and writes submission.csv."""

import os

import numpy as np
import pandas as pd
import torch
from torch import nn

from encode import encode

EPOCHS = 5  # 1..10
LEARNING_RATE = 0.1  # 0.001..0.2 log
BATCH_SIZE = 16  # 4..32
KERNEL = 1  # one of: 1, 3, 5, 7
POSITIVE_WEIGHT = 10.0  # 1..30 (contrails are rare: how much more a pixel of one counts)
THRESHOLD = 0.5  # 0.1..0.9

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def to_tensor(images):
    return torch.from_numpy(np.array(images, dtype=np.float32)).permute(0, 3, 1, 2).to(DEVICE) / 127.5 - 1


def predict(model, images):
    model.eval()
    with torch.no_grad():
        batches = [images[start : start + 50] for start in range(0, len(images), 50)]
        return np.concatenate([(model(to_tensor(batch))[:, 0].sigmoid() > THRESHOLD).cpu().numpy() for batch in batches])


def dice(true, predicted):
    """Twice the pixels marked in both, by the sum of those marked in each, over all pictures together."""
    return 2 * (true & predicted).sum() / max(true.sum() + predicted.sum(), 1)


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    images, masks = (np.load(f"data/train_{kind}.npy", mmap_mode="r") for kind in ("images", "masks"))
    order = torch.randperm(len(images))
    fit, valid = order[len(order) // 10 :], order[: len(order) // 10]

    model = nn.Conv2d(3, 1, KERNEL, padding=KERNEL // 2).to(DEVICE)
    loss_of = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(POSITIVE_WEIGHT, device=DEVICE))
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in fit[torch.randperm(len(fit))].split(BATCH_SIZE):
            wanted = torch.from_numpy(masks[batch]).float().to(DEVICE)
            loss = loss_of(model(to_tensor(images[batch]))[:, 0], wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        score = dice(masks[valid], predict(model, images[valid]))
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation Dice: {score:.4f}")

    test = pd.read_csv("data/test.csv", dtype=str)
    test["encoded_pixels"] = [encode(mask) for mask in predict(model, np.load("data/test_images.npy", mmap_mode="r"))]
    test.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
