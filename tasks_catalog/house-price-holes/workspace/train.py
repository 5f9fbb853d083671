"""Predicts sale prices from the tabular data in data/, and writes submission.csv. Parts are missing: see TODO."""

import os

import pandas as pd
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split

SEED = int(os.environ.get("SEED", "0"))


def prepare(houses: pd.DataFrame) -> pd.DataFrame:
    # TODO: read data_description.md, and turn its columns into what a model can learn from.
    raise NotImplementedError("TODO: prepare the columns")


def build_model():
    # TODO: choose a regression model with fit and predict.
    raise NotImplementedError("TODO: choose a model")


def main():
    train, test = pd.read_csv("data/train.csv"), pd.read_csv("data/test.csv")
    features, prices = prepare(train.drop(columns=["Id", "SalePrice"])), train["SalePrice"]

    fit_x, valid_x, fit_y, valid_y = train_test_split(features, prices, test_size=0.2, random_state=SEED)
    model = build_model().fit(fit_x, fit_y)
    print(f"train MAE: {mean_absolute_error(fit_y, model.predict(fit_x)):.2f}")
    print(f"validation MAE: {mean_absolute_error(valid_y, model.predict(valid_x)):.2f}")

    predictions = build_model().fit(features, prices).predict(prepare(test.drop(columns=["Id"])))
    pd.DataFrame({"Id": test["Id"], "SalePrice": predictions}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
