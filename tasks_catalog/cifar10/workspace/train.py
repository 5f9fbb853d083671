"""Classifies small pictures with a small convolutional network, and writes submission.csv."""

import os

import numpy as np
import pandas as pd
import torch
from torch import nn

EPOCHS = 5  # 1..10
LEARNING_RATE = 0.001  # 0.0002..0.02
BATCH_SIZE = 64  # 32..256
CHANNELS = 6  # one of: 6, 16, 32
DROPOUT = 0.0  # 0.0..0.5

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def to_tensor(images):
    return torch.from_numpy(images).permute(0, 3, 1, 2).float() / 127.5 - 1


class Network(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, CHANNELS, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(CHANNELS, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Dropout(DROPOUT),
            nn.Linear(16 * 5 * 5, 120), nn.ReLU(),
            nn.Linear(120, 84), nn.ReLU(),
            nn.Linear(84, classes),
        )  # fmt: skip

    def forward(self, images):
        return self.layers(images)


def predict(model, images):
    model.eval()
    with torch.no_grad():
        return torch.cat([model(batch.to(DEVICE)).softmax(-1).cpu() for batch in images.split(500)]).numpy()


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    train, test = np.load("data/train.npz"), np.load("data/test.npz")
    images, labels = to_tensor(train["images"]), torch.from_numpy(train["labels"])
    order = torch.randperm(len(labels))
    fit, valid = order[len(order) // 10 :], order[: len(order) // 10]

    model = Network(int(labels.max()) + 1).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in fit[torch.randperm(len(fit))].split(BATCH_SIZE):
            loss = nn.functional.cross_entropy(model(images[batch].to(DEVICE)), labels[batch].to(DEVICE))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        accuracy = (predict(model, images[valid]).argmax(1) == labels[valid].numpy()).mean()
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation accuracy: {accuracy:.4f}")

    submission = pd.DataFrame(predict(model, to_tensor(test["images"])))
    submission.insert(0, "id", np.arange(len(submission)))
    submission.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(submission)} rows")


if __name__ == "__main__":
    main()
