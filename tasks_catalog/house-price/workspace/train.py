"""Predicts sale prices from the tabular data in data/, and writes submission.csv."""

import os

import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

MODEL = "forest"  # one of: forest, boosting
N_ESTIMATORS = 50  # 20..600
MAX_DEPTH = 6  # 2..12
LEARNING_RATE = 0.1  # 0.01..0.3 (boosting only)
SUBSAMPLE = 0.8  # 0.4..1.0 (boosting only)
MAX_FEATURES = 1.0  # 0.1..1.0
CATEGORICAL = False  # one of: False, True

SEED = int(os.environ.get("SEED", "0"))


def build_model(columns: pd.DataFrame):
    numeric = columns.select_dtypes("number").columns
    encoders = [(SimpleImputer(strategy="median"), numeric)]
    if CATEGORICAL:
        categorical = columns.columns.difference(numeric)
        encoders.append((OneHotEncoder(handle_unknown="ignore", min_frequency=10, sparse_output=False), categorical))
    settings = dict(n_estimators=N_ESTIMATORS, max_depth=MAX_DEPTH, max_features=MAX_FEATURES, random_state=SEED)
    if MODEL == "forest":
        regressor = RandomForestRegressor(**settings, n_jobs=-1)
    else:
        regressor = GradientBoostingRegressor(**settings, learning_rate=LEARNING_RATE, subsample=SUBSAMPLE)
    return make_pipeline(make_column_transformer(*encoders), regressor)


def fit_model(features: pd.DataFrame, prices: pd.Series):
    model = build_model(features).fit(features, prices)
    if MODEL == "forest":
        model[-1].n_jobs = 1  # threads add the trees up in the order they finish: other last digits each time
    return model


def main():
    train = pd.read_csv("data/train.csv")
    test = pd.read_csv("data/test.csv")
    features = train.drop(columns=["Id", "SalePrice"])
    prices = train["SalePrice"]

    fit_x, valid_x, fit_y, valid_y = train_test_split(features, prices, test_size=0.2, random_state=SEED)
    model = fit_model(fit_x, fit_y)
    print(f"train MAE: {mean_absolute_error(fit_y, model.predict(fit_x)):.2f}")
    print(f"validation MAE: {mean_absolute_error(valid_y, model.predict(valid_x)):.2f}")

    model = fit_model(features, prices)
    predictions = model.predict(test.drop(columns=["Id"]))
    pd.DataFrame({"Id": test["Id"], "SalePrice": predictions}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
