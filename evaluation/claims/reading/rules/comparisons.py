"""Reads comparisons: an order, a difference, a best or worst, a tendency."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from environment.metrics.names import is_setting
from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.numbers import (
    Mention,
    Result,
    inherited,
    inherited_split,
    is_factor,
    metrics_in,
    split_mentions,
    subject_of,
)
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.vocabulary import groups, phrases
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.order import Order
from evaluation.claims.types.tendency import Tendency
from evaluation.claims.types.value import Value
from evaluation.language.multiples import multiple_in
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Quantity
from evaluation.language.splits import GAP, TIMES, Split
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_HEDGE = 8
_BOUNDS = frozenset(
    {"more than", "less", "above", "below", "greater", "lower", "higher", "smaller", "exceed", "exceeds", "exceeded"}
)
"""Words that set a bound to the number behind them."""
_SPEED = {"faster": "lower", "slower": "higher"}
_ATTRIBUTE = re.compile(
    r"\b(?:the|a|an|this|our|its|with|of|these|more|use|using|used|uses|gradient|such|even)\s+$", re.IGNORECASE
)
_HAS_THE = re.compile(
    r"\b(?:has|have|had|achiev\w+|gives?|gave|gets?|got|yields?|ends? with|reach\w*|obtains?|shows?) (?:the|an?|still the) (?:much |slightly |\w+ly )?$",
    re.I,
)
_NOUN = re.compile(
    r"(?:improvement|gain|increase|reduction|drop|decrease|boost|rise|decline|speed-?up|same)", re.IGNORECASE
)
_OPEN = re.compile(r"\s*(?:than|by|to|over|from|on|in|for|with|and|or|[.,;:(]|$)", re.IGNORECASE)
_ARROW = re.compile(r"→|->|⟶")
_MULTIPLE = re.compile(
    r"(?:(?:more|less) than |over |under |about |almost |nearly |roughly )?(?:an? |the |by |in )*(?P<word>doubl(?:es?|ed)|twice|tripl(?:es?|ed)|(?<=in )half|(?<=by )half|halv(?:es?|ed)|half of|less than half(?! an?))\b(?! the number)",
    re.I,
)
_TIMES = {"dou": 2.0, "twi": 2.0, "tri": 3.0}
_VERSUS = re.compile(r"\W*(?:vs\.?|versus|against|compared (?:to|with)|to)\W*", re.IGNORECASE)
_AT_ONE = re.compile(
    r"\b(?:in|during|at|from|between) (?:the )?(?:\w+ )?(?:epoch|step|iteration|update)s?\b", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"\b(?:run|experiment|trial|attempt|version|seed|fold)s? #?\d+\b|\b(?:second|third|fourth|both|others?)\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\b(?:first|second|third|fourth|earlier|initial) (?:\w+)\b", re.IGNORECASE)
_STEADY = re.compile(r"\b(?:every|each|steadily|consistently|monotonic\w*|continuously|throughout)\b", re.IGNORECASE)
_OF_START = re.compile(r"\W*(?:the |our )?(?:baseline|original|starter|unmodified|default)\b", re.IGNORECASE)
_EVERY = re.compile(
    r"\b(?:all|every|each)(?: of the| the)?(?: \w+)? (?:fold|target|seed|measure|column|class|task|game)s?\b",
    re.IGNORECASE,
)
_LAST = re.compile(r"\b(?:last|final|first|second|after|at|from|since|best|some|few|between)\b", re.IGNORECASE)
_BUT = re.compile(
    r"\b(?:after|second|except|but|third|next to|among|maximum (?:score|reward)|possible)\b", re.IGNORECASE
)
_BOTH = re.compile(r"\b(?:both|all)\b", re.IGNORECASE)
_GAP = re.compile(r"\b(?:gap|difference|distance)\b[^.;]*\bbetween\b|\bgap\b", re.IGNORECASE)
_BEST = re.compile(
    r"\b(?:than|over|to|with|from|below|above|of|under|beats?|exceed\w*) (?:the |our |my |its )?(?:previous |current |so far )?best\b",
    re.I,
)
_WITHIN = re.compile(r"\b(?:epoch|step|iteration|fold|seed|checkpoint|target|threshold)s?\b", re.IGNORECASE)
_OF_ALL = re.compile(
    r"\b(?:so far|yet|overall|result|score|performance|model|run|configurations?|version|achieved|obtained)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """A relation that a clause names, and where."""

    relation: Relation
    start: int
    end: int
    is_time: bool


def relation_in(text: str) -> Said | None:
    """The first relation that a text names; a negated one before the plain one it holds."""
    hits = list(_relations(text))
    if not hits:
        return None
    start, _, name, end = min(hits)
    return Said(cast("Relation", _SPEED.get(name, name)), start, end, name in _SPEED)


def _relations(text: str) -> Iterator[tuple[int, int, str, int]]:
    """Every relation that a text names: its start, how long it is (the longest first), its name and its end."""
    bounds = [number.start for number in find_numbers(text) if number.bound]
    for name, pattern in groups("relations").items():
        for match in pattern.finditer(text):
            is_bound = any(0 <= start - match.start() <= len(match.group()) + _HEDGE for start in bounds)
            if not _is_attribute(text, match) and not (is_bound and match.group().lower() in _BOUNDS):
                yield match.start(), -len(match.group()), name, match.end()


def _is_attribute(text: str, match: re.Match[str]) -> bool:
    """Whether a word only describes a thing: "the improved model", "with a higher learning rate"."""
    if match.start() == 0 and match.group().lower().endswith("ing"):
        return True  # what was done, of which something follows
    if _HAS_THE.search(text[: match.start()]) and not is_setting(text[match.end() :].strip().split(" ")[0] or "x"):
        return False
    if not _ATTRIBUTE.search(text[: match.start()]) or _NOUN.match(match.group()):
        return False
    return not _OPEN.match(text[match.end() :])


def read_comparison(clause: Clause, known: Known, results: Sequence[Result]) -> Iterator[Assertion]:
    """The comparison that a clause makes, none where what is compared cannot be told.

    ``results`` are the numbers of the clause; the result that it goes on from stands first, where it names none.
    """
    if is_gap(clause):
        yield from _gap(clause, results)
        return
    amounts = [result for result in results if result.is_amount]
    if not amounts:
        simple = next(_tendency(clause, known), None) if not results else None
        if found := simple or _extreme(clause, known, results):
            yield found
            return
    said = relation_in(clause.text)
    if multiple := _multiple(clause, amounts):
        said = said or Said("lower" if multiple.is_part else "higher", 0, 0, is_time=False)
    if said is None:
        return
    splits = {each.what for each in split_mentions(clause.text)}
    if every := _every(clause, known, said, results):
        yield every
        return
    if not results and (_AT_ONE.search(clause.text) or (len(splits) > 1 and len(list(_relations(clause.text))) > 1)):
        return
    if not results and _WITHIN.search(clause.text) and not names_other_side(clause):
        yield from _course(clause, said, known)
        return
    if not results and not _is_about_results(clause, known, said):
        return
    splits = {each.what for each in split_mentions(clause.text)}
    if _BOTH.search(clause.text) and len(splits) > 1 and not results:
        metric = next((each.what for each in metrics_in(clause.text, known)), "")
        yield from _of_each(Meant(metric, None), cast("set[Split]", splits), said, known)
        return
    sides = _Sides.of(clause, known, said, [result for result in results if not result.is_amount], amounts)
    if sides is None:
        return
    about = {"metric": sides.what.metric, "split": sides.what.split, "left": sides.left, "right": sides.right}
    if multiple and not amounts:
        yield Difference(relation=said.relation, amount=multiple.quantity, is_factor=True, **about)  # type: ignore[arg-type]
        return
    for amount in amounts:
        number = replace(amount.number, value=abs(amount.number.value))
        yield Difference(relation=said.relation, amount=number, is_factor=is_factor(number, clause.text), **about)  # type: ignore[arg-type]
    if not amounts:
        yield Order(relation=said.relation, every=not sides.is_any, **about)  # type: ignore[arg-type]


@dataclass(frozen=True)
class _Multiple:
    """A factor in words: "doubled", "twice as fast", "cut in half"."""

    quantity: Quantity
    is_part: bool


def _multiple(clause: Clause, amounts: Sequence[Result]) -> _Multiple | None:
    found = _MULTIPLE.search(clause.text) if not amounts else None
    if found is None:
        return None
    is_part = "hal" in found["word"].lower()
    quantity = multiple_in(found.group(), 2.0 if is_part else _TIMES[found["word"][:3].lower()])
    return _Multiple(quantity, is_part) if quantity else None


def _every(clause: Clause, known: Known, said: Said, results: Sequence[Result]) -> Order | None:
    """ "All four targets improved": each labelled result against its own before."""
    metric = next((each.what for each in metrics_in(clause.text, known) if each.what), "")
    if results or not _EVERY.search(clause.text) or names_other_side(clause) or not known.trials:
        return None
    own = [
        row
        for row in known.trials[-1].finals.values()
        if row.label and references.is_of_what(known, row, Meant(metric, None))
    ]
    before = [
        row for trial in known.trials[:-1] for row in trial.finals.values() if row.words in {each.words for each in own}
    ]
    latest = [row for row in before if before and row.event is before[-1].event]
    if len(own) < 2 or len(latest) < 2:
        return None
    return Order(relation=said.relation, metric=metric, left=_operand([], own), right=_operand([], latest))


def _course(clause: Clause, said: Said, known: Known) -> Iterator[Tendency]:
    """How the values of one run went, where a clause speaks of its epochs: "the loss decreased with each epoch"."""
    tendency = {"higher": "rises", "lower": "falls", "better": "improves", "worse": "worsens"}.get(said.relation)
    mentions = [each for each in metrics_in(clause.text, known) if each.what]
    if tendency and mentions and not _LAST.search(clause.text):
        yield from _over(
            Meant(mentions[0].what, _one_split(clause)), tendency, known, is_steady=bool(_STEADY.search(clause.text))
        )


def _of_each(what: Meant, splits: set[Split], said: Said, known: Known) -> Iterator[Order]:
    """ "Both training and validation loss improved": an order for each split."""
    for split in sorted(splits):
        of = Meant(what.metric, split)
        own = references.current(known, of)
        yield Order(
            relation=said.relation,
            metric=of.metric,
            split=split,
            left=_operand([], own),
            right=_operand([], references.previous(known, of, own)),
        )


def how_far(clause: Clause, amount: Result, relation: Relation, order: Order) -> Difference:
    """The amount that a clause gives of the order in the clause before it."""
    number = replace(amount.number, value=abs(amount.number.value))
    return Difference(
        relation=relation,
        amount=number,
        is_factor=is_factor(number, clause.text),
        metric=order.metric,
        split=order.split,
        left=order.left,
        right=order.right,
    )


def left_of(clause: Clause, results: Sequence[Result]) -> list[Result]:
    """The results that a clause is about, without those they are held against."""
    text, against = clause.text, phrases("operands.against").search(clause.text)
    own = [
        each for each in results if not each.is_amount and not _is_right(each, text, against.end() if against else None)
    ]
    return [each for each in own if not groups("references")["baseline"].search(subject_of(text, each))]


def is_gap(clause: Clause) -> bool:
    """Whether a clause speaks of the distance of two results of one run."""
    return bool(_GAP.search(clause.text))


def names_other_side(clause: Clause) -> bool:
    """Whether a clause says itself what a result is held against."""
    return bool(
        phrases("operands.against").search(clause.text)
        or any(p.search(clause.text) for p in groups("references").values())
    )


def _gap(clause: Clause, results: Sequence[Result]) -> Iterator[Value]:
    """ "The gap between training and validation loss is 0.14"; of other distances nothing is read."""
    if len(results) == 1 and len({each.what for each in split_mentions(clause.text)}) > 1:
        yield Value(metric=GAP, stated=results[0].number)


def _is_about_results(clause: Clause, known: Known, said: Said) -> bool:
    """Whether what is said to stand so is a result: a metric is named, or the performance of something."""
    named = metrics_in(clause.text, known)
    if named or phrases("contest").search(clause.text[said.start : said.end]):
        return True
    return said.relation.removeprefix("not ") in ("better", "worse") and bool(
        phrases("performance").search(clause.text)
    )


@dataclass(frozen=True)
class _Sides:
    """Both sides of a comparison."""

    what: Meant
    left: Operand
    right: Operand
    is_any: bool = False

    @classmethod
    def of(
        cls, clause: Clause, known: Known, said: Said, stated: Sequence[Result], amounts: Sequence[Result]
    ) -> _Sides | None:
        """What stands on either side; ``None`` where that cannot be told."""
        text = clause.text
        against = _against(text, said)
        left = [result for result in stated if not _is_right(result, text, against)]
        right = [result for result in stated if _is_right(result, text, against)]
        if len(left) == 2 and not right and _ARROW.search(text):
            left, right = left[1:], left[:1]
        if len(right) == 2 and not left and _VERSUS.fullmatch(text[right[0].number.end : right[1].number.start]):
            left, right = right[:1], right[1:]
        if (
            len(left) > 1
            or len(right) > 1
            or (said.is_time and any(each.metric not in TIMES for each in [*left, *right]))
        ):
            return None
        what = _what(clause, known, next(iter([*left, *right]), None), said, amounts)
        of_two = _two_splits(clause, known, what, against)
        if of_two is not None and not left and not right:
            return cls(Meant(what.metric, None), *of_two)
        two = [*left, *right]
        if len(two) == 2 and two[0].split != two[1].split and None not in (two[0].split, two[1].split):
            rows = [references.bearing(known, Meant(each.metric, each.split), each.number) for each in two]
            return cls(Meant(what.metric, None), _operand(two[:1], rows[0]), _operand(two[1:], rows[1]))
        own = _left_rows(clause, known, what, left, against)
        if own is None:
            return None
        other = _right_rows(clause, known, what, right, own, against, is_amount=bool(amounts))
        if other is None:
            return None
        if not left and {row.id for row in own} <= {row.id for row in other}:
            own = []  # what is spoken of was not measured since
        return cls(what, _operand(left, own), _operand(right, other))


def _two_splits(clause: Clause, known: Known, what: Meant, against: int | None) -> tuple[Operand, Operand] | None:
    """One run's results on two splits that are held against each other."""
    mentions = split_mentions(clause.text)
    before = [each.what for each in mentions if against is not None and each.end <= against]
    behind = [each.what for each in mentions if against is not None and each.start >= against]
    if not before or not behind or before[-1] == behind[0]:
        return None
    rows = references.current(known, Meant(what.metric, cast("Split", before[-1])))
    others = [row for row in references.beside(known, rows) if row.split == behind[0] and row.epoch == rows[-1].epoch]
    return _operand([], rows), _operand([], others[-1:])


def _operand(stated: Sequence[Result], rows: Sequence[Measurement]) -> Operand:
    return Operand(stated=stated[0].number if stated else None, rows=tuple(row.id for row in rows))


def _what(clause: Clause, known: Known, named: Result | None, said: Said, amounts: Sequence[Result]) -> Meant:
    if named is not None and named.metric:
        return Meant(named.metric, named.split)
    if said.is_time:
        return Meant("time", None)
    mentions = [each for each in metrics_in(clause.text, known) if each.what]
    metric = (
        mentions[0].what if mentions else next((a.metric for a in amounts if a.metric), "") or inherited(clause, known)
    )
    splits = {each.what for each in split_mentions(clause.text)}
    split = cast("Split", splits.pop()) if len(splits) == 1 else None if splits else inherited_split(clause)
    return Meant(metric, split)


def _against(text: str, said: Said) -> int | None:
    """Where what a result is held against begins: behind the first "than" that follows the relation, or anywhere."""
    matches = list(phrases("operands.against").finditer(text))
    behind = [match for match in matches if match.end() >= said.end]
    chosen = behind or matches
    return chosen[0].end() if chosen else None


def _is_right(result: Result, text: str, against: int | None) -> bool:
    before = text[: result.number.start].rstrip(" (*`~")
    if result.number.start < 0:
        return False
    if re.search(r"\bfrom$", before, re.I):
        return True
    if re.search(r"(?:\bto|→|->)$", before, re.I) and re.search(r"\bfrom\b|\d\W*(?:→|->)$", before, re.I):
        return False
    if re.search(r"\bbaseline\W*(?:\w+ ){0,3}(?:of |at |is |was )?\W*$", text[: result.number.start], re.I):
        return True
    return against is not None and result.number.start >= against


def _left_rows(
    clause: Clause, known: Known, what: Meant, left: Sequence[Result], against: int | None
) -> list[Measurement] | None:
    subject = clause.text[: against or len(clause.text)]
    if left:
        return references.bearing(known, what, left[0].number)
    if references.is_unmeasured(subject, known):
        return []
    if _OF_START.match(subject):
        return references.baseline(known, what)
    rows = references.named(known, subject, what)
    if rows is None and _ORDINAL.search(subject):
        return None
    return references.current(known, what) if rows is None else rows


def _right_rows(
    clause: Clause,
    known: Known,
    what: Meant,
    right: Sequence[Result],
    own: Sequence[Measurement],
    against: int | None,
    *,
    is_amount: bool,
) -> list[Measurement] | None:
    text = clause.text
    if right:
        return references.bearing(known, what, right[0].number)
    phrase = text[against:] if against is not None else ""
    if _NUMBERED.search(phrase):
        return None
    rows = references.referred(known, phrase, what, own, every=is_amount) if phrase else None
    if rows is None and phrase:
        rows = references.named(known, phrase, what)
        if rows is None and references.name_words(phrase, known):
            return None
    if rows is None:
        rows = references.referred(known, text, what, own, every=is_amount)
    if rows is not None:
        return rows
    if _OF_START.match(text) and against is None:
        return references.current(known, what)
    rows = (
        [*references.earlier(known, what, own), *references.beside(known, own)]
        if is_amount
        else references.previous(known, what, own)
    )
    return rows or (None if known.trials else [])


def _extreme(clause: Clause, known: Known, results: Sequence[Result]) -> Extreme | None:
    text = clause.text
    hits = [(m.start(), name, m) for name, pattern in groups("extremes").items() if (m := pattern.search(text))]
    found = min(hits)[1:] if hits else None
    against = phrases("operands.against").search(text, found[1].end()) if found else None
    results = (
        [each for each in results if not _is_right(each, text, against.end() if against else None)]
        if len(results) > 1
        else results
    )
    if found is None or len(results) > 1 or _BEST.search(text) or _BUT.search(text):
        return None
    if not results and (_WITHIN.search(text) or re.match(r"\W*its?\b", text, re.I)):
        return None
    named = results[0] if results else None
    is_time = found[0] in ("fastest", "slowest")
    metric = (
        "time"
        if is_time
        else named.metric
        if named
        else next((m.what for m in metrics_in(text, known)), "" if _OF_ALL.search(text) else None)
    )
    if metric is None:
        return None
    what = Meant(metric, named.split if named else inherited_split(clause))
    subject = references.named(known, text, what) if not named else None
    if subject is None and not named and references.name_words(text, known):
        return None
    rows = references.bearing(known, what, named.number) if named else subject or references.current(known, what)
    among: tuple[str, ...] = ()
    if rows:
        pool = references.series(known, rows[-1]) if _WITHIN.search(text) else references.rivals(known, rows[-1])
        among = tuple(row.id for row in pool)
    extreme = cast(
        'Literal["best", "worst", "highest", "lowest"]',
        {"fastest": "lowest", "slowest": "highest"}.get(found[0], found[0]),
    )
    return Extreme(extreme=extreme, metric=metric, split=what.split, of=_operand(results[:1], rows), among=among)


def _tendency(clause: Clause, known: Known) -> Iterator[Tendency]:
    name = next((key for key, pattern in groups("tendencies").items() if pattern.search(clause.text)), None)
    mentions: list[Mention] = [each for each in metrics_in(clause.text, known) if each.what]
    if name is not None and mentions:
        yield from _over(
            Meant(mentions[0].what, _one_split(clause)), name, known, is_steady=bool(_STEADY.search(clause.text))
        )


def _one_split(clause: Clause) -> Split | None:
    splits = {each.what for each in split_mentions(clause.text)}
    return cast("Split", splits.pop()) if len(splits) == 1 else None


def _over(what: Meant, tendency: str, known: Known, *, is_steady: bool) -> Iterator[Tendency]:
    """The latest series of a metric."""
    for trial in reversed(known.trials):
        for row in reversed(trial.values):
            if (
                row.metric == what.metric
                and what.split in (None, row.split)
                and len(rows := references.series(known, row)) > 1
            ):
                goes = cast('Literal["rises", "falls", "improves", "worsens"]', tendency)
                yield Tendency(
                    tendency=goes,
                    metric=what.metric,
                    split=row.split,
                    rows=(rows[0].id, rows[-1].id),
                    is_steady=is_steady,
                )
                return
