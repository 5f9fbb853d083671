"""Tells active from inactive molecules, and writes submission.csv.

Circular fingerprints (Rogers & Hahn 2010): the surroundings of each atom up to a radius, hashed; a
linear model learns from how often each occurs.
"""

import os
from collections import Counter

import numpy as np
import pandas as pd
from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

RADIUS = 3
SEED = int(os.environ.get("SEED", "0"))


def surroundings(atoms, bonds):
    """How often each surrounding of an atom occurs in a molecule, for every radius up to RADIUS."""
    neighbours = [[] for _ in atoms]
    for one, other, *kind in bonds.tolist():
        neighbours[one].append((other, kind[0]))
        neighbours[other].append((one, kind[0]))
    names = [hash(tuple(atom)) for atom in np.delete(atoms, 1, axis=1).tolist()]  # all but the chirality
    found = Counter(names)
    for _ in range(RADIUS):
        names = [
            hash((names[atom], *sorted((kind, names[other]) for other, kind in neighbours[atom])))
            for atom in range(len(atoms))
        ]
        found.update(names)
    return {str(name): np.log1p(count) for name, count in found.items()}


def load_fingerprints():
    with np.load("data/molecules.npz") as packed:
        atoms = np.split(packed["atoms"], np.cumsum(packed["atom_counts"])[:-1])
        bonds = np.split(packed["bonds"], np.cumsum(packed["bond_counts"])[:-1])
    return FeatureHasher(2**14, alternate_sign=False).transform(map(surroundings, atoms, bonds))


def fit_score(known, labels, unseen):
    model = LogisticRegression(C=1.0, class_weight="balanced", max_iter=1000, random_state=SEED)
    return model.fit(known, labels).predict_proba(unseen)[:, 1]


def main():
    train, valid, test = (pd.read_csv(f"data/{part}.csv") for part in ("train", "valid", "test"))
    prints = load_fingerprints()
    scores = fit_score(prints[train["molecule"]], train["label"], prints[valid["molecule"]])
    print(f"validation ROC-AUC: {roc_auc_score(valid['label'], scores):.4f}")

    known = pd.concat([train, valid])
    scores = fit_score(prints[known["molecule"]], known["label"], prints[test["molecule"]])
    pd.DataFrame({"molecule": test["molecule"], "score": scores}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
