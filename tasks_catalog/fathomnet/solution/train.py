"""Names the animals in pictures of the sea floor with a convolutional network, and writes submission.csv.

Four blocks with batch normalisation, mirrored pictures, and the strongest response anywhere in the picture
for each category. The less sure the network is of its likeliest category, the likelier the picture is
out-of-sample (Hendrycks and Gimpel 2017).
"""

import os

import numpy as np
import pandas as pd
import torch
from torch import nn

EPOCHS = 10
LEARNING_RATE = 0.01
BATCH_SIZE = 64
CHANNELS = (12, 24, 48, 64)
NAMED = 20

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def to_tensor(images):
    return torch.from_numpy(images).permute(0, 3, 1, 2).float().to(DEVICE) / 127.5 - 1


def to_targets(categories, count):
    """One row a picture, with a 1 for each category in it."""
    targets = torch.zeros(len(categories), count)
    for row, text in zip(targets, categories):
        row[[int(category) - 1 for category in text.split()]] = 1
    return targets


class Network(nn.Module):
    def __init__(self, categories):
        super().__init__()
        layers = []
        for before, after in zip((3, *CHANNELS), CHANNELS):
            layers += [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
            layers += [nn.MaxPool2d(2)] if after < CHANNELS[-1] else []
        self.layers = nn.Sequential(*layers)
        self.head = nn.Conv2d(CHANNELS[-1], categories, 1)
        nn.init.constant_(self.head.bias, -4.0)

    def forward(self, images):
        return self.head(self.layers(images)).amax((2, 3))


def predict(model, images):
    """How likely each category is in each picture (pictures, categories)."""
    model.eval()
    with torch.no_grad():
        batches = [images[start : start + 200] for start in range(0, len(images), 200)]
        return np.concatenate([model(to_tensor(batch)).sigmoid().cpu().numpy() for batch in batches])


def mean_average_precision(targets, likely):
    """MAP of the NAMED likeliest categories."""
    ranked = np.argsort(-likely, axis=1)[:, :NAMED]
    right = np.take_along_axis(targets, ranked, axis=1)
    precision = right.cumsum(axis=1) / np.arange(1, NAMED + 1)
    return ((precision * right).sum(axis=1) / targets.sum(axis=1)).mean()


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    categories = len(pd.read_csv("data/category_key.csv"))
    images, test_images = (np.load(f"data/{part}.npz")["images"] for part in ("train", "test"))
    targets = to_targets(pd.read_csv("data/train.csv", dtype=str)["categories"], categories)
    order = torch.randperm(len(images))
    fit, valid = order[len(order) // 10 :], order[: len(order) // 10]

    model = Network(categories).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters())
    steps = EPOCHS * -(-len(fit) // BATCH_SIZE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in fit[torch.randperm(len(fit))].split(BATCH_SIZE):
            pictures = to_tensor(images[batch])
            pictures = pictures.flip(3) if torch.rand(()) < 0.5 else pictures
            loss = nn.functional.binary_cross_entropy_with_logits(model(pictures), targets[batch].to(DEVICE))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        precision = mean_average_precision(targets[valid].numpy(), predict(model, images[valid]))
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation MAP@20: {precision:.4f}")

    test = pd.read_csv("data/test.csv", dtype=str)
    likely = predict(model, test_images)
    ranked = np.argsort(-likely, axis=1)[:, :NAMED] + 1
    test["categories"] = [" ".join(map(str, row)) for row in ranked]
    test["osd"] = 1 - likely.max(axis=1)
    test.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
