"""Classifies movie reviews as positive or negative with a small transformer, and writes submission.csv."""

import os
import re
from collections import Counter

import numpy as np
import pandas as pd
import torch
from torch import nn

EPOCHS = 1  # 1..6
LEARNING_RATE = 0.001  # 0.0001..0.01
BATCH_SIZE = 64  # 16..128
DIMENSION = 32  # one of: 32, 64, 128
LAYERS = 1  # 0..2
DROPOUT = 0.1  # 0.0..0.5
MAX_WORDS = 48  # 16..256
VOCABULARY = 8000  # 2000..20000

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def words(text):
    return re.findall(r"[a-z0-9']+", text.lower())


def encode(texts, vocabulary):
    """Word numbers, one row a text: 0 pads, 1 is an unknown word."""
    rows = [[vocabulary.get(word, 1) for word in words(text)[:MAX_WORDS]] or [1] for text in texts]
    encoded = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for row, numbers in zip(encoded, rows):
        row[: len(numbers)] = numbers
    return torch.from_numpy(encoded)


class Classifier(nn.Module):
    def __init__(self, vocabulary_size):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary_size, DIMENSION, padding_idx=0)
        self.position = nn.Embedding(MAX_WORDS, DIMENSION)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(DIMENSION, 4, 2 * DIMENSION, DROPOUT, batch_first=True) for _ in range(LAYERS)
        )
        self.head = nn.Linear(DIMENSION, 2)

    def forward(self, tokens):
        padding = tokens == 0
        hidden = self.embedding(tokens) + self.position(torch.arange(tokens.shape[1], device=tokens.device))
        for layer in self.layers:
            hidden = layer(hidden, src_key_padding_mask=padding)
        kept = (~padding).unsqueeze(-1)
        return self.head((hidden * kept).sum(1) / kept.sum(1))


def predict(model, tokens):
    model.eval()
    with torch.no_grad():
        return torch.cat([model(batch.to(DEVICE)).softmax(-1).cpu() for batch in tokens.split(256)]).numpy()


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    train, test = pd.read_csv("data/train.csv"), pd.read_csv("data/test.csv")
    counts = Counter(word for text in train["text"] for word in words(text))
    vocabulary = {word: number + 2 for number, (word, _) in enumerate(counts.most_common(VOCABULARY))}
    tokens, labels = encode(train["text"], vocabulary), torch.tensor(train["label"].to_numpy())
    order = torch.randperm(len(labels))
    fit, valid = order[len(order) // 10 :], order[: len(order) // 10]

    model = Classifier(len(vocabulary) + 2).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in fit[torch.randperm(len(fit))].split(BATCH_SIZE):
            loss = nn.functional.cross_entropy(model(tokens[batch].to(DEVICE)), labels[batch].to(DEVICE))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        accuracy = (predict(model, tokens[valid]).argmax(1) == labels[valid].numpy()).mean()
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation accuracy: {accuracy:.4f}")

    negative, positive = predict(model, encode(test["text"], vocabulary)).T
    pd.DataFrame({"id": test["id"], "negative": negative, "positive": positive}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
