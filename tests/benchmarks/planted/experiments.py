"""Made-up experiments: arms that differ in one thing, and what each would measure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from random import Random
from statistics import stdev

EPOCHS = 6


@dataclass(frozen=True)
class Metric:
    """A metric as scripts print it and as prose calls it."""

    name: str  # as printed
    said: tuple[str, ...]
    higher: bool  # whether more is better
    low: float
    high: float
    percent: bool = False

    def shown(self, value: float) -> str:
        """A value as it is printed, and as an exact writer repeats it."""
        return f"{value:.2f}%" if self.percent else f"{value:.2f}" if self.high > 1.5 else f"{value:.4f}"


@dataclass(frozen=True)
class Arm:
    """One experiment: how prose calls it, its options and its label in tables, and what it measures."""

    said: str
    options: str
    label: str
    curve: tuple[float, ...]  # of the metric, epoch by epoch, as printed; the last is its result
    seeds: tuple[float, ...]  # of the metric, seed by seed
    seconds: float

    @property
    def value(self) -> float:
        """Its result."""
        return self.curve[-1]

    def is_steady(self, higher: bool) -> bool:
        """Whether each epoch is better than the one before it."""
        return all((after > before) == higher and after != before for before, after in pairwise(self.curve))

    @property
    def std(self) -> float:
        """Over its seeds, of a sample."""
        return stdev(self.seeds)


@dataclass(frozen=True)
class Experiments:
    """Several arms measured by one metric; the first is the baseline."""

    metric: Metric
    arms: tuple[Arm, ...]
    is_deep: bool  # trained by epochs

    def ranked(self) -> list[Arm]:
        """The arms, the best first."""
        return sorted(self.arms, key=lambda arm: arm.value, reverse=self.metric.higher)

    def is_better(self, arm: Arm, other: Arm) -> bool:
        """Whether an arm has the better result."""
        return arm.value > other.value if self.metric.higher else arm.value < other.value


DEEP = (
    Metric("val_acc", ("validation accuracy", "val accuracy", "val acc"), True, 61.0, 94.0, percent=True),
    Metric("val_acc", ("validation accuracy", "val accuracy"), True, 0.61, 0.94),
    Metric("val_loss", ("validation loss", "val loss"), False, 0.31, 1.4),
    Metric("test_f1", ("test F1", "F1 on the test set"), True, 0.42, 0.88),
)
TABULAR = (
    Metric("test_rmse", ("test RMSE", "RMSE on test"), False, 11.0, 48.0),
    Metric("val_auc", ("validation AUC", "val AUC"), True, 0.71, 0.95),
    Metric("cv_mae", ("MAE", "cross-validated MAE"), False, 2.1, 9.0),
)
_DEEP_ARMS = (
    ("the dropout run", "--dropout 0.3", "dropout0.3"),
    ("label smoothing", "--label-smoothing 0.1", "label_smoothing"),
    ("the cosine schedule", "--schedule cosine", "cosine"),
    ("the wider net", "--width 512", "wide"),
    ("the deeper network", "--depth 6", "deep"),
    ("lr=3e-4", "--lr 3e-4", "lr3e-4"),
    ("weight decay", "--weight-decay 0.01", "weight_decay"),
    ("data augmentation", "--augment", "augment"),
)
_TABULAR_ARMS = (
    ("gradient boosting", "--model gbm", "gbm"),
    ("the random forest", "--model rf", "random_forest"),
    ("k-NN", "--model knn", "knn"),
    ("the MLP", "--model mlp", "mlp"),
    ("the SVM", "--model svm", "svm"),
    ("extra trees", "--model extra_trees", "extra_trees"),
)


def experiments(random: Random) -> Experiments:
    """Three to six arms whose results lie apart by more than a printed digit."""
    is_deep = random.random() < 0.6
    metric = random.choice(DEEP if is_deep else TABULAR)
    pool = random.sample(_DEEP_ARMS if is_deep else _TABULAR_ARMS, random.randint(2, 5))
    base = ("the baseline", "", "baseline") if is_deep else ("logistic regression", "--model logreg", "logreg")
    if not is_deep and not metric.higher:
        base = ("linear regression", "--model linear", "linear")
    step = (metric.high - metric.low) / 12
    levels = random.sample(range(1, 12), len(pool) + 1)
    values = [metric.low + step * (level + random.uniform(-0.3, 0.3)) for level in levels]
    arms = (_arm(random, metric, *one, value) for one, value in zip((base, *pool), values, strict=True))
    return Experiments(metric, tuple(arms), is_deep)


def _arm(random: Random, metric: Metric, said: str, options: str, label: str, value: float) -> Arm:
    """An arm with that result; half of the curves go steadily, the others peak before they end."""
    gain = (metric.high - metric.low) / 40 * (1 if metric.higher else -1)
    steady = accumulate((-gain * random.uniform(0.6, 1.4) for _ in range(EPOCHS - 1)), initial=value)
    curve = [*steady][::-1]
    if random.random() < 0.5:
        peak = random.randint(2, EPOCHS - 2)
        curve = [*(value + gain * (3.5 - 1.2 * abs(n - peak)) for n in range(EPOCHS - 1)), value]
    digits = 4 if metric.high <= 1.5 else 2
    rounded = tuple(round(each, digits) for each in curve)
    apart = round(abs(gain) * random.uniform(0.3, 0.8), digits)
    seeds = (rounded[-1] - apart, rounded[-1], rounded[-1] + apart)  # whose mean is the result itself
    return Arm(said, options, label, rounded, seeds, random.uniform(8, 90))
