"""Predicts six scores of essays, and writes submission.csv. Parts are missing: see TODO."""

import os

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

SEED = int(os.environ.get("SEED", "0"))
MEASURES = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]


def mcrmse(true, predicted):
    """Mean over the columns of the root mean squared error."""
    return np.sqrt(((true - predicted) ** 2).mean(axis=0)).mean()


def train_model(texts, scores):
    # TODO: fit a language model, or another one, to the scores (texts, 6).
    raise NotImplementedError("TODO: train a model")


def predict(model, texts):
    # TODO: the six scores of each text (texts, 6).
    raise NotImplementedError("TODO: predict the scores")


def main():
    train, test = pd.read_csv("data/train.csv"), pd.read_csv("data/test.csv")
    fit, valid = train_test_split(train, test_size=0.2, random_state=SEED)
    model = train_model(fit["full_text"], fit[MEASURES].to_numpy())
    print(f"validation MCRMSE: {mcrmse(valid[MEASURES].to_numpy(), predict(model, valid['full_text'])):.4f}")

    submission = pd.DataFrame(predict(model, test["full_text"]), columns=MEASURES)
    submission.insert(0, "text_id", test["text_id"])
    submission.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
