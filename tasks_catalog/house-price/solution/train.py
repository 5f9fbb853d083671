"""Predicts sale prices from the tabular data in data/, and writes submission.csv.

Gradient boosting on the logarithm of the price, over all columns and a few sums that matter to a
buyer, averaged over several seeds.
"""

import os

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

MODELS = 2
QUALITY = {"Po": 1, "Fa": 2, "TA": 3, "Gd": 4, "Ex": 5}

SEED = int(os.environ.get("SEED", "0"))


def add_features(houses: pd.DataFrame) -> pd.DataFrame:
    houses = houses.copy()
    for column in houses.columns:
        values = houses[column].dropna()
        if len(values) and values.isin(QUALITY.keys()).all():
            houses[column] = houses[column].map(QUALITY).astype(float).fillna(0)
    houses["TotalArea"] = houses["GrLivArea"] + houses["TotalBsmtSF"].fillna(0)
    houses["Baths"] = houses["FullBath"] + houses["BsmtFullBath"].fillna(0) + houses["HalfBath"] / 2
    houses["Age"] = houses["YrSold"] - houses["YearBuilt"]
    houses["SinceRemodel"] = houses["YrSold"] - houses["YearRemodAdd"]
    houses["QualityArea"] = houses["OverallQual"] * houses["TotalArea"]
    return houses


def build_model(columns: pd.DataFrame, seed: int):
    numeric = columns.select_dtypes("number").columns
    encode = make_column_transformer(
        (SimpleImputer(strategy="median"), numeric),
        (
            OneHotEncoder(handle_unknown="ignore", min_frequency=10, sparse_output=False),
            columns.columns.difference(numeric),
        ),
    )
    boosting = GradientBoostingRegressor(
        n_estimators=500,
        learning_rate=0.04,
        max_depth=4,
        max_features=0.2,
        subsample=0.7,
        random_state=seed,
    )
    return make_pipeline(encode, boosting)


def predict(train_x, train_y, test_x) -> np.ndarray:
    models = [build_model(train_x, MODELS * SEED + n).fit(train_x, np.log1p(train_y)) for n in range(MODELS)]
    return np.expm1(np.mean([model.predict(test_x) for model in models], axis=0))


def main():
    train = pd.read_csv("data/train.csv")
    test = pd.read_csv("data/test.csv")
    both = add_features(pd.concat([train, test], ignore_index=True).drop(columns=["Id", "SalePrice"]))
    features, test_features = both.iloc[: len(train)], both.iloc[len(train) :]
    prices = train["SalePrice"]

    fit_x, valid_x, fit_y, valid_y = train_test_split(features, prices, test_size=0.2, random_state=SEED)
    print(f"validation MAE: {mean_absolute_error(valid_y, predict(fit_x, fit_y, valid_x)):.2f}")

    predictions = predict(features, prices, test_features)
    pd.DataFrame({"Id": test["Id"], "SalePrice": predictions}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
