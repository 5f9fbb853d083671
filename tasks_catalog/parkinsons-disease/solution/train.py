"""Predicts the progression of Parkinson's disease, and writes submission.csv.

Boosted trees on all protein levels of the visit, fitted to the absolute error of the logarithm, which
is close to what SMAPE measures; pairs of an earlier visit and a later score teach the horizon.
"""

import os

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingRegressor

SEED = int(os.environ.get("SEED", "0"))
SCORES = ["updrs_1", "updrs_2", "updrs_3", "updrs_4"]
HORIZONS = [0, 6, 12, 24]


def smape_plus_1(true, predicted):
    """Symmetric mean absolute percentage error, in per cent, of the values plus 1."""
    true, predicted = np.asarray(true) + 1, np.asarray(predicted) + 1
    return 100 * np.mean(2 * np.abs(predicted - true) / (np.abs(predicted) + np.abs(true)))


def log_levels(*tables):
    levels = [np.log(t.pivot_table(index="visit_id", columns="UniProt", values="NPX")) for t in tables]
    typical = levels[0].mean()
    return [level.reindex(columns=typical.index).fillna(typical) for level in levels]


def inputs(pairs, levels):
    of_visit = levels.reindex(pairs["visit_id"]).fillna(levels.mean()).to_numpy()
    return np.column_stack([pairs["visit_month"], pairs["plus_months"], of_visit])


def pair_visits(clinical, score):
    """Each visit with the score measured at it and at each horizon after it."""
    later = clinical[["patient_id", "visit_month", score]].dropna().rename(columns={"visit_month": "target"})
    pairs = clinical[["visit_id", "patient_id", "visit_month"]].merge(later, on="patient_id")
    pairs["plus_months"] = pairs["target"] - pairs["visit_month"]
    return pairs[pairs["plus_months"].isin(HORIZONS)]


def fit(pairs, score, levels):
    model = GradientBoostingRegressor(
        loss="absolute_error", n_estimators=120, learning_rate=0.08, max_depth=3, max_features=0.3, subsample=0.6,
        min_samples_leaf=10, random_state=SEED,
    )
    return model.fit(inputs(pairs, levels), np.log1p(pairs[score]))


def main():
    clinical = pd.read_csv("data/train_clinical_data.csv")
    test = pd.read_csv("data/test.csv")
    levels, test_levels = log_levels(pd.read_csv("data/train_proteins.csv"), pd.read_csv("data/test_proteins.csv"))
    patients = clinical["patient_id"].drop_duplicates().sample(frac=0.2, random_state=SEED)
    errors, parts = [], []
    for score in SCORES:
        pairs = pair_visits(clinical, score)
        held_back = pairs["patient_id"].isin(patients)
        model = fit(pairs[~held_back], score, levels)
        errors.append((pairs[score][held_back], np.expm1(model.predict(inputs(pairs[held_back], levels)))))
        asked = test[test["score"] == score]
        rating = np.expm1(fit(pairs, score, levels).predict(inputs(asked, test_levels))).clip(0)
        parts.append(pd.DataFrame({"prediction_id": asked["prediction_id"], "rating": rating}))
    print(f"validation SMAPE: {smape_plus_1(*map(np.concatenate, zip(*errors))):.3f}")

    pd.concat(parts).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
