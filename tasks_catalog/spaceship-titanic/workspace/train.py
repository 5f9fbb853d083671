"""Predicts which passengers were transported, and writes submission.csv."""

import os

import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

N_ESTIMATORS = 50  # 20..400
MAX_DEPTH = 3  # 2..16
MIN_SAMPLES_LEAF = 1  # 1..30
SPENDING = False  # one of: False, True

SEED = int(os.environ.get("SEED", "0"))

CATEGORICAL = ["HomePlanet", "Destination", "VIP"]
NUMERIC = ["Age"]
if SPENDING:
    NUMERIC += ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]


def build_model():
    encode = make_column_transformer(
        (SimpleImputer(strategy="median"), NUMERIC),
        (OneHotEncoder(handle_unknown="ignore"), CATEGORICAL),
    )
    forest = RandomForestClassifier(
        n_estimators=N_ESTIMATORS, max_depth=MAX_DEPTH, min_samples_leaf=MIN_SAMPLES_LEAF, random_state=SEED
    )
    return make_pipeline(encode, forest)


def main():
    train = pd.read_csv("data/train.csv", dtype={name: str for name in CATEGORICAL})
    test = pd.read_csv("data/test.csv", dtype={name: str for name in CATEGORICAL})
    fit, valid = train_test_split(train, test_size=0.2, random_state=SEED)

    model = build_model().fit(fit, fit["Transported"])
    print(f"train accuracy: {accuracy_score(fit['Transported'], model.predict(fit)):.4f}")
    print(f"validation accuracy: {accuracy_score(valid['Transported'], model.predict(valid)):.4f}")

    model = build_model().fit(train, train["Transported"])
    predictions = pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": model.predict(test)})
    predictions.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
