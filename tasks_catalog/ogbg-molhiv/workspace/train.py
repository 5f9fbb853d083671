"""Tells active from inactive molecules with a small graph network, and writes submission.csv."""

import os

import numpy as np
import pandas as pd
import torch
from sklearn.metrics import roc_auc_score
from torch import nn

LAYERS = 2  # 1..5
WIDTH = 32  # 16..256
EPOCHS = 5  # 2..40
LEARNING_RATE = 0.001  # 0.0001..0.01 log
DROPOUT = 0.5  # 0.0..0.7
BATCH_SIZE = 64  # 16..512

SEED = int(os.environ.get("SEED", "0"))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def load_molecules():
    """One pair for each molecule: the features of its atoms, and its bonds in both directions."""
    with np.load("data/molecules.npz") as packed:
        atoms = np.split(packed["atoms"].astype(np.int64), np.cumsum(packed["atom_counts"])[:-1])
        bonds = np.split(packed["bonds"].astype(np.int64), np.cumsum(packed["bond_counts"])[:-1])
    ends = [np.vstack([bond[:, :2], bond[:, 1::-1]]).T for bond in bonds]
    return [(torch.from_numpy(atom), torch.from_numpy(end)) for atom, end in zip(atoms, ends)]


def join(molecules):
    """Several molecules as one graph: atoms, bonds, and the molecule of each atom."""
    sizes = torch.tensor([len(atoms) for atoms, _ in molecules])
    starts = torch.cumsum(sizes, 0) - sizes
    atoms = torch.cat([atoms for atoms, _ in molecules])
    bonds = torch.cat([bonds + start for (_, bonds), start in zip(molecules, starts)], dim=1)
    return atoms.to(DEVICE), bonds.to(DEVICE), torch.repeat_interleave(torch.arange(len(sizes)), sizes).to(DEVICE)


class GraphNetwork(nn.Module):
    """A graph convolution: each atom takes up the mean of its neighbours; the molecule is the mean of its atoms."""

    def __init__(self):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(128, WIDTH) for _ in range(9))
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))
        self.dropout = nn.Dropout(DROPOUT)
        self.out = nn.Linear(WIDTH, 1)

    def forward(self, atoms, bonds, molecule):
        state = sum(embed(column) for embed, column in zip(self.embed, atoms.T))
        for layer in self.layers:
            state = self.dropout(torch.relu(layer(state + mean(state[bonds[0]], bonds[1], len(state)))))
        return self.out(mean(state, molecule, int(molecule.max()) + 1)).squeeze(1)


def mean(rows, group, count):
    """The mean of the rows of each group."""
    total = torch.zeros(count, rows.shape[1], device=rows.device).index_add(0, group, rows)
    size = torch.zeros(count, device=rows.device).index_add(0, group, torch.ones(len(rows), device=rows.device))
    return total / size.clamp(min=1).unsqueeze(1)


def predict(model, molecules, numbers):
    """The probability of the label 1 for each of the molecules with these numbers."""
    model.eval()
    with torch.no_grad():
        parts = [model(*join([molecules[n] for n in part])) for part in np.array_split(numbers, len(numbers) // 256 + 1)]
    return torch.sigmoid(torch.cat(parts)).cpu().numpy()


def main():
    torch.set_num_threads(1)  # the batches are small: more threads cost more than they give
    torch.manual_seed(SEED)
    molecules = load_molecules()
    train, valid, test = (pd.read_csv(f"data/{part}.csv") for part in ("train", "valid", "test"))
    numbers, labels = train["molecule"].to_numpy(), torch.tensor(train["label"].to_numpy(), dtype=torch.float32)

    model = GraphNetwork().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in torch.randperm(len(numbers)).split(BATCH_SIZE):
            score = model(*join([molecules[n] for n in numbers[batch]]))
            loss = nn.functional.binary_cross_entropy_with_logits(score, labels[batch].to(DEVICE))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        auc = roc_auc_score(valid["label"], predict(model, molecules, valid["molecule"].to_numpy()))
        print(f"epoch {epoch + 1}: train loss: {np.mean(losses):.4f} validation ROC-AUC: {auc:.4f}")

    scores = predict(model, molecules, test["molecule"].to_numpy())
    pd.DataFrame({"molecule": test["molecule"], "score": scores}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
