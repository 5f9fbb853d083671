from __future__ import annotations

import io

import numpy as np
import pandas as pd

from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

COMPETITION = "amp-parkinsons-disease-progression-prediction"
TABLES = ("train_clinical_data.csv", "train_proteins.csv", "train_peptides.csv")
SCORES = ["updrs_1", "updrs_2", "updrs_3", "updrs_4"]
HORIZONS = [0, 6, 12, 24]
HIDDEN_EVERY = 4

PATIENTS = 248
PROTEINS = 40
SEED = 0x05310164F32DBB045A043A0F18EB0BC5C1CBC6942E8B0E11B65BD8892E861883
"""Drawn once, so that nobody finds it by trying."""
MONTHS = [0, 6, 12, 18, 24, 36, 48, 60]


def prepare(job: PrepareJob) -> None:
    """Hide every fourth patient: their scores at each visit and 6, 12 and 24 months after it."""
    clinical, proteins, peptides = read_full(job) if job.variant is Variant.FULL else generate()
    patients = sorted(clinical["patient_id"].unique())
    hidden = set(patients[::HIDDEN_EVERY])
    for name, table in zip(("clinical_data", "proteins", "peptides"), (clinical, proteins, peptides), strict=True):
        of_hidden = table["patient_id"].isin(hidden)
        table[~of_hidden].to_csv(job.public / f"train_{name}.csv", index=False)
        if name != "clinical_data":
            table[of_hidden].to_csv(job.public / f"test_{name}.csv", index=False)
    questions = ask(clinical[clinical["patient_id"].isin(hidden)])
    questions.drop(columns=["rating"]).to_csv(job.public / "test.csv", index=False)
    questions[["prediction_id", "rating"]].to_csv(job.private / "answers.csv", index=False)


def read_full(job: PrepareJob) -> tuple[pd.DataFrame, ...]:
    """The competition's three training tables; its own test set is behind an interface that is closed."""
    tables = [pd.read_csv(io.BytesIO(job.sources.kaggle(COMPETITION, name).read_bytes())) for name in TABLES]
    return tuple(tables)


def ask(clinical: pd.DataFrame) -> pd.DataFrame:
    """One row for each score that was measured at a visit or a horizon after it."""
    measured = clinical.melt(["patient_id", "visit_month"], SCORES, "score", "rating").dropna(subset=["rating"])
    visits = clinical[["visit_id", "patient_id", "visit_month"]].merge(pd.Series(HORIZONS, name="plus_months"), "cross")
    visits["target_month"] = visits["visit_month"] + visits["plus_months"]
    asked = visits.merge(measured.rename(columns={"visit_month": "target_month"}), on=["patient_id", "target_month"])
    asked["prediction_id"] = (
        asked["visit_id"] + "_" + asked["score"] + "_plus_" + asked["plus_months"].astype(str) + "_months"
    )
    columns = ["prediction_id", "visit_id", "patient_id", "visit_month", "score", "plus_months", "rating"]
    return asked[columns].sort_values("prediction_id", ignore_index=True)


def generate() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Patients whose scores rise with time at a rate that some of their proteins follow; a third are healthy."""
    draw = np.random.default_rng(SEED)
    ids = np.sort(draw.choice(65_000, PATIENTS, replace=False))
    visits = pd.DataFrame(
        [(patient, month) for patient in ids for month in MONTHS if month == 0 or draw.random() < 0.75],
        columns=["patient_id", "visit_month"],
    )
    visits.insert(0, "visit_id", visits["patient_id"].astype(str) + "_" + visits["visit_month"].astype(str))
    ill = draw.random(PATIENTS) < 2 / 3
    severity = np.where(ill, draw.gamma(4.0, 0.35, PATIENTS), draw.gamma(1.0, 0.12, PATIENTS))
    speed = np.where(ill, draw.gamma(2.0, 0.004, PATIENTS), 0.0)
    place = np.searchsorted(ids, visits["patient_id"])
    state = severity[place] + speed[place] * visits["visit_month"].to_numpy() + draw.normal(0, 0.06, len(visits))
    clinical = score_visits(visits, np.maximum(state, 0), draw)
    return clinical, *measure_proteins(visits, state, draw)


def score_visits(visits: pd.DataFrame, state: np.ndarray, draw: np.random.Generator) -> pd.DataFrame:
    """The four scores, whole numbers; the fourth is mostly 0 and often not taken."""
    table = visits.copy()
    for name, scale, offset in (("updrs_1", 5, 1.5), ("updrs_2", 6, 0.2), ("updrs_3", 16, 1.0)):
        table[name] = draw.poisson(scale * state + offset).astype(float)
    table["updrs_4"] = draw.poisson(np.maximum(0, 1.6 * (state - 1.4))).astype(float)
    table.loc[draw.random(len(table)) < 0.4, "updrs_4"] = np.nan
    on_medication = np.where(draw.random(len(table)) < 0.5, None, np.where(state > 1.0, "On", "Off"))
    table["upd23b_clinical_state_on_medication"] = on_medication
    return table


def measure_proteins(
    visits: pd.DataFrame, state: np.ndarray, draw: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Protein levels (NPX) and two peptides of each; a quarter of the proteins follow the state, some are not found."""
    names = [f"P{number:05d}" for number in np.sort(draw.choice(99_999, PROTEINS, replace=False))]
    loading = np.where(
        np.arange(PROTEINS) % 4 == 0, draw.choice([-1, 1], PROTEINS) * draw.uniform(0.3, 0.7, PROTEINS), 0
    )
    base = draw.uniform(9, 16, PROTEINS)
    log_level = base + np.outer(state, loading) + draw.normal(0, 0.35, (len(visits), PROTEINS))
    found = draw.random(log_level.shape) > 0.08
    row, column = np.nonzero(found)
    proteins = visits.iloc[row].reset_index(drop=True)
    proteins["UniProt"] = np.array(names)[column]
    proteins["NPX"] = np.round(np.exp(log_level[row, column]), 2)
    halves = [
        proteins.assign(Peptide=proteins["UniProt"].map({name: peptide(name, n) for name in names})) for n in (0, 1)
    ]
    peptides = pd.concat(halves, ignore_index=True)
    peptides["PeptideAbundance"] = np.round(peptides["NPX"] / 2 * np.exp(draw.normal(0, 0.2, len(peptides))), 2)
    return proteins, peptides.drop(columns=["NPX"])


def peptide(protein: str, part: int) -> str:
    """A made-up sequence of amino acids, always the same for a protein and part."""
    draw = np.random.default_rng([int(protein[1:]), part])
    return "".join(draw.choice(list("ACDEFGHIKLMNPQRSTVWY"), 9)) + "K"
