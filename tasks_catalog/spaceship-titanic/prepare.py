from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

COMPETITION = "spaceship-titanic"
HIDDEN_EVERY = 5

GROUPS = 2500
SEED = 0x27381BC5D1CF0EE94D0E1546F1C867670860EE80F4DEC147CA634F069747E659
"""Drawn once, so that nobody finds it by trying."""
MISSING = 0.02
PLANETS = {"Earth": 0.53, "Europa": 0.25, "Mars": 0.22}
DESTINATIONS = {"TRAPPIST-1e": 0.69, "55 Cancri e": 0.22, "PSO J318.5-22": 0.09}
DECKS = {"Earth": "EFG", "Europa": "ABCDE", "Mars": "DEF"}
SPENDING = {"RoomService": -0.35, "FoodCourt": 0.16, "ShoppingMall": 0.12, "Spa": -0.38, "VRDeck": -0.36}
"""Columns of money spent, and what a unit of its logarithm adds to the log-odds of being transported."""
SYLLABLES = ("ra", "mo", "ti", "lu", "ke", "sha", "no", "vi", "den", "pol", "ar", "wy")


def prepare(job: PrepareJob) -> None:
    """Hide every fifth group of passengers who travel together."""
    passengers = read_passengers(job)
    hidden = passengers["PassengerId"].str[:4].astype(int) % HIDDEN_EVERY == 0
    test = passengers[hidden]
    passengers[~hidden].to_csv(job.public / "train.csv", index=False)
    test.drop(columns=["Transported"]).to_csv(job.public / "test.csv", index=False)
    test[["PassengerId", "Transported"]].to_csv(job.private / "answers.csv", index=False)


def read_passengers(job: PrepareJob) -> pd.DataFrame:
    """The labelled passengers: the competition's, or made up."""
    if job.variant is Variant.FULL:
        content = job.sources.kaggle(COMPETITION, "train.csv").read_bytes()
        return pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    return generate(np.random.default_rng(SEED))


def generate(random: np.random.Generator) -> pd.DataFrame:
    """A passenger list with the columns, gaps and kinds of dependence of the competition's."""
    group = np.repeat(np.arange(1, GROUPS + 1), random.choice(5, GROUPS, p=[0.56, 0.2, 0.12, 0.08, 0.04]) + 1)
    place = np.arange(len(group)) - np.searchsorted(group, group) + 1
    planet = random.choice(list(PLANETS), GROUPS, p=list(PLANETS.values()))[group - 1]
    table = pd.DataFrame(
        {
            "PassengerId": [f"{g:04d}_{p:02d}" for g, p in zip(group, place, strict=True)],
            "HomePlanet": planet,
            "CryoSleep": random.random(len(group)) < 0.35,
            "Cabin": draw_cabins(random, group, planet),
            "Destination": random.choice(list(DESTINATIONS), len(group), p=list(DESTINATIONS.values())),
            "Age": np.maximum(0, random.normal(29, 14, len(group)).round()),
            "VIP": random.random(len(group)) < 0.02,
        }
    )
    spends = ~table["CryoSleep"] & (table["Age"] >= 13)
    wealth = table["HomePlanet"].map({"Earth": 4.2, "Europa": 6.3, "Mars": 5.2})
    for name in SPENDING:
        amount = np.exp(random.normal(wealth, 1.6)).round()
        table[name] = np.where(spends & (random.random(len(table)) < 0.55), amount, 0.0)
    surname = draw_names(random, GROUPS)[group - 1]
    table["Name"] = [f"{first} {last}" for first, last in zip(draw_names(random, len(table)), surname, strict=True)]
    table["Transported"] = random.random(len(table)) < 1 / (1 + np.exp(-log_odds(table)))
    for column in table.columns.drop(["PassengerId", "Transported"]):
        table[column] = table[column].astype(object).mask(random.random(len(table)) < MISSING)
    return table


def draw_cabins(random: np.random.Generator, group: npt.NDArray[np.int_], planet: npt.NDArray[np.str_]) -> list[str]:
    """A cabin (deck/number/side) for each group, on a deck of its planet."""
    number, side, deck = random.integers(0, 1500, GROUPS), random.integers(0, 2, GROUPS), random.random(GROUPS)
    return [
        f"{DECKS[home][int(deck[g - 1] * len(DECKS[home]))]}/{number[g - 1]}/{'PS'[side[g - 1]]}"
        for g, home in zip(group, planet, strict=True)
    ]


def draw_names(random: np.random.Generator, count: int) -> npt.NDArray[np.str_]:
    """Made-up names of three syllables."""
    return np.array(["".join(syllables).capitalize() for syllables in random.choice(SYLLABLES, (count, 3))])


def log_odds(table: pd.DataFrame) -> pd.Series:
    """How likely each passenger was transported."""
    spent = sum(weight * np.log1p(table[name]) for name, weight in SPENDING.items())
    planet = table["HomePlanet"].map({"Earth": -0.35, "Europa": 0.75, "Mars": 0.05})
    side = table["Cabin"].str.endswith("S").map({True: 0.35, False: -0.35})
    deck = table["Cabin"].str[0].map({"A": 0.0, "B": 0.7, "C": 0.5, "D": -0.1, "E": -0.5, "F": 0.1, "G": 0.2})
    child = (table["Age"] < 13) * 0.5
    return 1.6 * (spent + planet + side + deck + child + table["CryoSleep"] * 0.4 + 0.5)
