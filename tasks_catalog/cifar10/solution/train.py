"""Classifies small pictures with a convolutional network, and writes submission.csv.

Three blocks with batch normalisation, Adam with a one-cycle learning rate, and shifted pictures.
"""

import os

import numpy as np
import pandas as pd
import torch
from torch import nn

EPOCHS = 10
LEARNING_RATE = 0.01
BATCH_SIZE = 64
CHANNELS = (16, 32, 64)

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def to_tensor(images):
    return torch.from_numpy(images).permute(0, 3, 1, 2).float() / 127.5 - 1


class Network(nn.Module):
    def __init__(self, classes):
        super().__init__()
        layers, before = [], 3
        for channels in CHANNELS:
            layers += [nn.Conv2d(before, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(), nn.MaxPool2d(2)]
            before = channels
        self.layers = nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.2), nn.Linear(before * 4 * 4, classes))

    def forward(self, images):
        return self.layers(images)


def shifted(images):
    """The pictures of a batch, moved by up to two pixels."""
    down, right = torch.randint(-2, 3, (2,)).tolist()
    return torch.roll(images, (down, right), (2, 3))


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
    optimizer = torch.optim.Adam(model.parameters())
    batches = -(-len(fit) // BATCH_SIZE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=EPOCHS * batches)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in fit[torch.randperm(len(fit))].split(BATCH_SIZE):
            loss = nn.functional.cross_entropy(model(shifted(images[batch]).to(DEVICE)), labels[batch].to(DEVICE))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        accuracy = (predict(model, images[valid]).argmax(1) == labels[valid].numpy()).mean()
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation accuracy: {accuracy:.4f}")

    submission = pd.DataFrame(predict(model, to_tensor(test["images"])))
    submission.insert(0, "id", np.arange(len(submission)))
    submission.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(submission)} rows")


if __name__ == "__main__":
    main()
