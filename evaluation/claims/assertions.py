"""What a clause asserts, before anything is checked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evaluation.claims.claim import Kind
from evaluation.claims.sentences import Clause
from evaluation.language.numbers import Number
from evaluation.language.quantity import Unit
from evaluation.language.splits import Split


class Relation(StrEnum):
    """How the newer value stands to the reference."""

    BETTER = "better"
    WORSE = "worse"
    HIGHER = "higher"
    LOWER = "lower"
    SAME = "same"
    SIMILAR = "similar"
    BEST = "best"
    WORST = "worst"
    HIGHEST = "highest"
    LOWEST = "lowest"
    NOT_BETTER = "not better"
    NOT_WORSE = "not worse"

    @property
    def denied(self) -> Relation:
        """What is asserted when this is denied."""
        return _DENIED.get(self, self)

    @property
    def of_performance(self) -> Relation:
        """What the order means for performance: higher is better, whichever way the metric goes."""
        return _OF_PERFORMANCE.get(self, self)


_DENIED = {
    Relation.BETTER: Relation.NOT_BETTER,
    Relation.BEST: Relation.NOT_BETTER,
    Relation.WORSE: Relation.NOT_WORSE,
    Relation.WORST: Relation.NOT_WORSE,
    Relation.HIGHER: Relation.LOWER,
    Relation.HIGHEST: Relation.LOWER,
    Relation.LOWER: Relation.HIGHER,
    Relation.LOWEST: Relation.HIGHER,
}
_OF_PERFORMANCE = {
    Relation.HIGHER: Relation.BETTER,
    Relation.HIGHEST: Relation.BEST,
    Relation.LOWER: Relation.WORSE,
    Relation.LOWEST: Relation.WORST,
}


class Reference(StrEnum):
    """What a value is compared with."""

    BASELINE = "baseline"
    PREVIOUS = "previous"
    ALL = "all"  # every earlier value
    BEST = "best"  # the best earlier value
    NAMED = "named"  # another thing called by name
    WITHIN = "within"  # an earlier epoch of the same run


class Deed(StrEnum):
    """What kind of doing a verb names."""

    CHANGE = "change"
    USE = "use"
    RUN = "run"
    SAVE = "save"
    READ = "read"
    UNDO = "undo"
    INSTALL = "install"
    FAIL = "fail"
    SUCCEED = "succeed"
    SUBMIT = "submit"


@dataclass(frozen=True)
class Assertion:
    """A claim to be: where it stands and what it says.

    Attributes:
        kind: Result, comparison or execution.
        quote: Exact text.
        start: Offset of the quote in its prose.
        context: The sentence it stands in, with the sentence before.
        metric: Canonical name; ``None`` where "performance" is meant.
        split: The split meant, where it says one.
    """

    kind: Kind
    quote: str
    start: int
    context: str
    metric: str | None = None
    split: Split | None = None

    @property
    def number(self) -> Number | None:
        """The number the claim is about."""
        return None

    @property
    def unit(self) -> Unit:
        """The unit as stated; a bare number between 0 and 1 of a metric is a fraction."""
        number = self.number
        if number is None:
            return Unit.NONE
        if (
            number.unit is Unit.NONE
            and self.kind is not Kind.EXECUTION
            and 0 <= number.value <= 1
            and self.metric in FRACTIONS
        ):
            return Unit.FRACTION
        return number.unit


FRACTIONS = {
    "accuracy",
    "f1",
    "auc",
    "precision",
    "recall",
    "iou",
    "dice",
    "error rate",
    "win rate",
    "feature importance",
}


@dataclass(frozen=True)
class Result(Assertion):
    """A metric with a value; ``stated`` is ``None`` for "performs very well", ``upto`` the other end of a span.

    With ``is_spread`` the value is the distance between the lowest and the highest of several values.
    """

    stated: Number | None = None
    upto: Number | None = None
    is_spread: bool = False
    epoch: float | None = None
    of_baseline: bool = False
    subject: str = ""

    @property
    def number(self) -> Number | None:
        """The stated value."""
        return self.stated


@dataclass(frozen=True)
class Comparison(Assertion):
    """An order or a difference.

    Attributes:
        relation: The order asserted.
        references: What is compared with; more than one in "both … and".
        new: The newer value, where stated.
        old: The reference value, where stated.
        delta: The difference, where stated.
        negated: Universal or plain denial was already folded into ``relation``; kept for "none of them".
        hedged: A degree that no record fixes ("significantly") under a denial.
        factor: The larger value over the smaller as stated ("halved": 2), and ">" or "<" where it is a bound.
        splits: All splits meant, where the claim is about more than one.
        subject: The words in front of the relation.
        other_split: The split that is itself compared with.
        other: The words after it, what is compared with.
        is_goal: The reference is a goal that is said to be reached, or missed.
        epoch: The epoch whose value it is about.
        share: How many of how many it is said of ("three of the four"), where it is said of all or some.
        missed: It is said of a goal that it was not reached.
        attributed: It says which part of a gain came from which part of a change.
        tendency: It is about how results go with the setting named in ``other``.
    """

    relation: Relation = Relation.BETTER
    references: tuple[Reference, ...] = ()
    new: Number | None = None
    old: Number | None = None
    delta: Number | None = None
    threshold: bool = False
    every: bool = False
    negated: bool = False
    factor: tuple[float, str] | None = None
    hedged: bool = False
    splits: tuple[Split, ...] = ()
    subject: str = ""
    other: str = ""
    other_split: Split | None = None
    is_goal: bool = False
    epoch: float | None = None
    share: str = ""
    tendency: bool = False
    missed: bool = False
    attributed: bool = False

    @property
    def number(self) -> Number | None:
        """The difference, else the newer value, else the reference."""
        return self.delta or self.new or self.old


def compared_in(clause: Clause) -> Comparison:
    """A comparison that quotes a clause, and says nothing yet of what it compares."""
    return Comparison(kind=Kind.COMPARISON, quote=clause.quote, start=clause.start, context=clause.sentence.text)


@dataclass(frozen=True)
class Execution(Assertion):
    """Something done.

    Attributes:
        deeds: What was done, one for each verb.
        verbs: The verbs, in the same order.
        negated: It is said not to have been done.
        numbers: Numbers in the clause.
        about: The words that say what it was done to.
    """

    deeds: tuple[Deed, ...] = ()
    verbs: tuple[str, ...] = ()
    negated: bool = False
    numbers: tuple[Number, ...] = ()
    about: str = ""

    @property
    def number(self) -> Number | None:
        """The number set or reached, the last one."""
        return self.numbers[-1] if self.numbers else None
