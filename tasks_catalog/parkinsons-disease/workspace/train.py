"""Predicts the progression of Parkinson's disease, and writes submission.csv."""

import os

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

N_ESTIMATORS = 50  # 10..300
MAX_DEPTH = 4  # 2..12
MIN_SAMPLES_LEAF = 1  # 1..50
CRITERION = "squared_error"  # one of: squared_error, absolute_error
PROTEINS = 0  # 0..40 (how many proteins are used besides the month)

SEED = int(os.environ.get("SEED", "0"))
SCORES = ["updrs_1", "updrs_2", "updrs_3", "updrs_4"]


def smape_plus_1(true, predicted):
    """Symmetric mean absolute percentage error, in per cent, of the values plus 1."""
    true, predicted = np.asarray(true) + 1, np.asarray(predicted) + 1
    return 100 * np.mean(2 * np.abs(predicted - true) / (np.abs(predicted) + np.abs(true)))


def build_features(visits, proteins, names, months):
    """The month to predict, and the logarithm of protein levels at the visit; an unknown level is 0."""
    levels = proteins.pivot_table(index="visit_id", columns="UniProt", values="NPX").reindex(columns=names)
    levels = np.log(levels).reindex(visits)
    return np.column_stack([months, (levels - levels.mean()).fillna(0).to_numpy()])


def main():
    clinical = pd.read_csv("data/train_clinical_data.csv")
    proteins = pd.read_csv("data/train_proteins.csv")
    names = sorted(proteins["UniProt"].unique())[:PROTEINS]
    test, test_proteins = pd.read_csv("data/test.csv"), pd.read_csv("data/test_proteins.csv")

    patients = clinical["patient_id"].drop_duplicates().sample(frac=0.2, random_state=SEED)
    errors, parts = [], []
    for score in SCORES:
        known = clinical.dropna(subset=[score])
        held_back = known["patient_id"].isin(patients).to_numpy()
        inputs = build_features(known["visit_id"], proteins, names, known["visit_month"])
        settings = dict(max_depth=MAX_DEPTH, min_samples_leaf=MIN_SAMPLES_LEAF, criterion=CRITERION, random_state=SEED)
        model = RandomForestRegressor(N_ESTIMATORS, **settings)
        model.fit(inputs[~held_back], known[score][~held_back])
        errors.append((known[score][held_back], model.predict(inputs[held_back])))

        model.fit(inputs, known[score])
        asked = test[test["score"] == score]
        months = asked["visit_month"] + asked["plus_months"]
        rating = model.predict(build_features(asked["visit_id"], test_proteins, names, months))
        parts.append(pd.DataFrame({"prediction_id": asked["prediction_id"], "rating": rating}))
    print(f"validation SMAPE: {smape_plus_1(*map(np.concatenate, zip(*errors))):.3f}")

    pd.concat(parts).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
