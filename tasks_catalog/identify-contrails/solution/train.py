"""Marks contrails in satellite pictures with a small U-Net, and writes submission.csv.

The network sees the surroundings of each pixel, is trained on Dice and cross-entropy together with turned
and mirrored pictures, and the threshold is the one that is best on pictures held back.
"""

import os

import numpy as np
import pandas as pd
import torch
from torch import nn

from encode import encode

EPOCHS = 9
LEARNING_RATE = 0.01
BATCH_SIZE = 16
CHANNELS = (8, 16, 24)
THRESHOLDS = np.linspace(0.2, 0.8, 13)

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def to_tensor(images):
    return torch.from_numpy(np.array(images, dtype=np.float32)).permute(0, 3, 1, 2).to(DEVICE) / 127.5 - 1


def block(before, after):
    return nn.Sequential(
        nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU(),
        nn.Conv2d(after, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU(),
    )  # fmt: skip


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList(block(before, after) for before, after in zip((3, *CHANNELS), CHANNELS))
        self.up = nn.ModuleList(block(low + high, high) for high, low in zip(CHANNELS, CHANNELS[1:]))
        self.head = nn.Conv2d(CHANNELS[0], 1, 1)

    def forward(self, x):
        kept = []
        for level, layer in enumerate(self.down):
            x = layer(nn.functional.max_pool2d(x, 2) if level else x)
            kept.append(x)
        for layer, beside in zip(reversed(self.up), reversed(kept[:-1])):
            x = layer(torch.cat([nn.functional.interpolate(x, scale_factor=2.0), beside], dim=1))
        return self.head(x)[:, 0]


def loss_of(logits, wanted):
    found = logits.sigmoid()
    dice_loss = 1 - (2 * (found * wanted).sum() + 1) / (found.sum() + wanted.sum() + 1)
    return dice_loss + nn.functional.binary_cross_entropy_with_logits(logits, wanted)


def turned(images, masks):
    """The pictures of a batch and their masks, turned by a multiple of 90 degrees, and mirrored or not."""
    turns = int(torch.randint(4, ()))
    images, masks = torch.rot90(images, turns, (2, 3)), torch.rot90(masks, turns, (1, 2))
    return (images.flip(3), masks.flip(2)) if torch.rand(()) < 0.5 else (images, masks)


def predict(model, images):
    """How likely each pixel is one of a contrail."""
    model.eval()
    with torch.no_grad():
        batches = [images[start : start + 50] for start in range(0, len(images), 50)]
        return np.concatenate([model(to_tensor(batch)).sigmoid().cpu().numpy() for batch in batches])


def dice(true, predicted):
    """Twice the pixels marked in both, by the sum of those marked in each, over all pictures together."""
    return 2 * (true & predicted).sum() / max(true.sum() + predicted.sum(), 1)


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    images, masks = (np.load(f"data/train_{kind}.npy", mmap_mode="r") for kind in ("images", "masks"))
    order = torch.randperm(len(images))
    fit, valid = order[len(order) // 10 :], order[: len(order) // 10]

    model = UNet().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters())
    steps = EPOCHS * -(-len(fit) // BATCH_SIZE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in fit[torch.randperm(len(fit))].split(BATCH_SIZE):
            wanted = torch.from_numpy(masks[batch]).float().to(DEVICE)
            pictures, wanted = turned(to_tensor(images[batch]), wanted)
            loss = loss_of(model(pictures), wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        likely = predict(model, images[valid])
        scores = [dice(masks[valid], likely > threshold) for threshold in THRESHOLDS]
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation Dice: {max(scores):.4f}")

    threshold = THRESHOLDS[int(np.argmax(scores))]
    test = pd.read_csv("data/test.csv", dtype=str)
    likely = predict(model, np.load("data/test_images.npy", mmap_mode="r"))
    test["encoded_pixels"] = [encode(mask) for mask in likely > threshold]
    test.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows, threshold {threshold:.2f}")


if __name__ == "__main__":
    main()
