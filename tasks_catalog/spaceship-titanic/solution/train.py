"""Predicts which passengers were transported, and writes submission.csv.

Boosted trees over all columns: cabins taken apart, money on a logarithmic scale, and the size of the
group.
"""

import os

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupShuffleSplit

SPENDING = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
CATEGORICAL = ["HomePlanet", "CryoSleep", "Destination", "VIP", "Deck", "Side"]

SEED = int(os.environ.get("SEED", "0"))


def features(passengers: pd.DataFrame) -> pd.DataFrame:
    cabin = passengers["Cabin"].str.split("/", expand=True)
    group = passengers["PassengerId"].str[:4]
    table = passengers[["HomePlanet", "CryoSleep", "Destination", "VIP", "Age", *SPENDING]].copy()
    table["Deck"], table["CabinNumber"], table["Side"] = cabin[0], cabin[1].astype(float), cabin[2]
    table["GroupSize"] = group.map(group.value_counts())
    table["Spent"] = np.log1p(table[SPENDING].fillna(0).sum(axis=1))
    table[SPENDING] = np.log1p(table[SPENDING])
    return pd.get_dummies(table, columns=CATEGORICAL, dummy_na=True).fillna(-1)


def fit_model(table, labels):
    model = GradientBoostingClassifier(
        learning_rate=0.05, n_estimators=150, max_depth=4, max_features=0.3, subsample=0.8, random_state=SEED
    )
    return model.fit(table, labels)


def main():
    train = pd.read_csv("data/train.csv", dtype={"CryoSleep": str, "VIP": str})
    test = pd.read_csv("data/test.csv", dtype={"CryoSleep": str, "VIP": str})
    both = features(pd.concat([train.drop(columns=["Transported"]), test], ignore_index=True))
    known, unknown = both.iloc[: len(train)], both.iloc[len(train) :]
    labels = train["Transported"]

    split = GroupShuffleSplit(n_splits=1, test_size=0.2, random_state=SEED)
    fit, valid = next(split.split(known, groups=train["PassengerId"].str[:4]))
    model = fit_model(known.iloc[fit], labels.iloc[fit])
    print(f"validation accuracy: {accuracy_score(labels.iloc[valid], model.predict(known.iloc[valid])):.4f}")

    predictions = fit_model(known, labels).predict(unknown)
    pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": predictions}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
