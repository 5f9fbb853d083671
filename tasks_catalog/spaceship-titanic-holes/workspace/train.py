"""Predicts which passengers were transported, and writes submission.csv. Parts are missing: see TODO."""

import os

import pandas as pd
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split

SEED = int(os.environ.get("SEED", "0"))


def prepare(passengers: pd.DataFrame) -> pd.DataFrame:
    # TODO: choose columns, fill what is missing in them, and turn them into numbers.
    raise NotImplementedError("TODO: prepare the columns")


def build_model():
    # TODO: choose a classifier with fit and predict.
    raise NotImplementedError("TODO: choose a model")


def main():
    train, test = pd.read_csv("data/train.csv"), pd.read_csv("data/test.csv")
    features, labels = prepare(train.drop(columns=["Transported"])), train["Transported"]

    fit_x, valid_x, fit_y, valid_y = train_test_split(features, labels, test_size=0.2, random_state=SEED)
    model = build_model().fit(fit_x, fit_y)
    print(f"train accuracy: {accuracy_score(fit_y, model.predict(fit_x)):.4f}")
    print(f"validation accuracy: {accuracy_score(valid_y, model.predict(valid_x)):.4f}")

    transported = build_model().fit(features, labels).predict(prepare(test))
    predictions = pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": transported})
    predictions.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
