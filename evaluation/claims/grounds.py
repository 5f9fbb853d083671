"""Whether an accusation has grounds: a record that would show it, and words that leave nothing else open.

Rules resolve what a sentence speaks of by a guess: the run before, one of several data sets, the metric that counts.
That guess alone refutes nothing. They accuse only where the log shows all of what was printed or written, where the
number stands nowhere under a name that they can't read, and where no other row that the words may mean makes the claim
true. A model and an agent that cites its runs name the rows that they mean, and need none of this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from environment.metrics.meaning import is_known
from evaluation.claims.claim import Verdict
from evaluation.claims.grounds_in_names import is_plain, of_names
from evaluation.claims.grounds_in_parts import is_of_setting, of_parts
from evaluation.claims.judging.finding import Finding, uncheckable
from evaluation.claims.judging.operands import GENERIC, is_on, is_shown, is_size, measurements
from evaluation.claims.reading.reader import Reading
from evaluation.claims.reading.rules.meanings import is_of_any, readings
from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.names import covered, names_of_rows, names_of_scope
from evaluation.claims.reading.rules.relations import names_other_side, relation_in
from evaluation.claims.reading.rules.values import AT_EPOCH
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion, Measured
from evaluation.claims.types.deed import Deed, Doing
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.order import Order
from evaluation.claims.types.value import Value
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Quantity, Unit
from evaluation.language.splits import TIMES
from evaluation.record.columns import first_names, repeats_names
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import UNNAMED, Measurement
from evaluation.record.worked_out import may_be_worked_out

_OF_SOME = re.compile(
    r"\bsingle (?:model|net\w*|learner|run)\b"
    r"|\b(?:of|among) (?:the|all|our|these) (?:(?P<n>two|three|four|five)\b|\w+ (?:models|variants)\b)",
    re.IGNORECASE,
)
"""Of fewer results than there are: "the best of the three networks", "of the boosting models"."""
_KIND = re.compile(
    r"\b(?:best|worst|highest|lowest|fastest|slowest|largest|smallest|hardest|easiest|weakest)[ -]"
    r"((?:(?!(?:is|was|on|of|in|at|for|with|by|so|and|among|to|but)\b)[\w-]+(?: |$|(?=[:,;.(]))){1,3})",
    re.IGNORECASE,
)
"""What is the best of its kind."""
_THING = re.compile(r"\b(?:column|measure|class|target|data ?set)s?\b", re.IGNORECASE)
_COMMAND = 400
_CONDITION = re.compile(
    r"^\W*(?:neither|none|no (?:config(?:uration)?|setting|variant|version|model|run|choice|method))\b"
    r"|\b(?:except|only (?:with|without|when|if|for|on|at|in|under))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\W*(?:its?|they|their)\b", re.IGNORECASE)
_THAN = re.compile(r"\b(?:than|above|below)\b", re.IGNORECASE)
_DIGITS, _LONG = 0.001, 100
"""Resolution of a number that is rather measured than set, and lines of an output that may be one for each thing."""
_FEW, _MOST = 3, 200
"""Latest rows of a number whose columns are looked at, and readings of one claim that are tried."""


def judged(reading: Reading, known: Known) -> Finding:
    """The verdict on what rules have read; no problem without grounds."""
    finding = reading.says.judge(known)
    if not finding.verdict.is_problem:
        return finding
    if of_part := of_parts(reading.says, reading.quote, measurements(known, finding.rows)):
        return uncheckable(of_part)
    if is_plain(reading, finding, known):
        return finding
    is_nowhere = isinstance(reading.says, Value) and finding.verdict is Verdict.UNSUPPORTED
    if isinstance(reading.says, Measured) and not is_nowhere and is_of_any(reading.quote, reading.says, known):
        return uncheckable("many things were measured, any of which may be meant")
    if isinstance(reading.says, Value) and set(reading.says.rows) & known.index.tables.ids:
        return finding  # the words name the row
    doubt = _lack(reading.says, known) or _openness(reading, finding, known) or _other_meaning(reading, known)
    doubt = doubt or of_names(reading, finding, known)
    return uncheckable(doubt) if doubt else finding


def _lack(says: Assertion, known: Known) -> str:
    """What the log leaves out that would show the claim to be true."""
    if isinstance(says, Measured):
        if known.leaves_unread:
            return "outputs hold much that has no name"
        return "outputs are cut or too long to keep, or runs went on unseen" if known.hides_values(says.metric) else ""
    if not isinstance(says, Deed) or (says.events and not says.instead):
        return ""
    is_of_code = says.doing is Doing.CHANGED or known.of_kind(EventKind.RUN, EventKind.SCORE)
    is_hidden = known.cuts_code if says.found else known.hides_code
    return "the log leaves out code" if is_of_code and is_hidden else ""


def _openness(reading: Reading, finding: Finding, known: Known) -> str:
    """Why the words refute nothing, whichever rows they mean."""
    says = reading.says
    rows = measurements(known, finding.rows) if isinstance(says, Measured) else []
    if isinstance(says, Deed):
        return _of_deed(says.new, bool(says.instead), known) if says.new else ""
    doubt = _of_comparison(says, reading.quote, finding, rows, known)
    if doubt or not isinstance(says, Value | Order) or (stated := says.quantity) is None or stated.bound:
        return doubt
    return _of_number(stated, says, reading.quote, finding, known)


def _of_deed(new: Quantity, is_refuted: bool, known: Known) -> str:
    """Why the number that a deed is told with may be none that was set."""
    if is_refuted and new.resolution <= _DIGITS and (known.stating(new) or is_shown(known, new)):
        return f"{new.value:g} was measured, not set"
    lines = max((event.observation.count("\n") for event in known.events if event.shows_output), default=0)
    if _LONG <= new.value <= lines:
        return "an output has as many lines"
    is_open = is_shown(known, new) and not known.of_kind(EventKind.RUN, EventKind.SCORE)
    return f"{new.value:g} was shown, and nothing ran before" if is_open else ""


def _of_comparison(says: Assertion, quote: str, finding: Finding, rows: Sequence[Measurement], known: Known) -> str:
    """Why it is open which results are held against each other, or how near is near."""
    if isinstance(says, Extreme) and (_is_of_fewer(quote, says) or _is_of_kind(quote, rows)):
        return "which of the results are held against each other is not said"
    if isinstance(says, Extreme | Order | Difference) and is_of_setting(quote, rows):
        return "it may be said of the results of one setting alone"
    is_of_part = isinstance(says, Value | Extreme) and phrases("words.of_part").search(quote)
    if is_of_part or (isinstance(says, Order | Value) and _CONDITION.search(quote)):
        return "of which results it is said to hold is left open"
    is_open_same = isinstance(says, Order) and says.relation == "same" and (says.quantity or not says.metric)
    if is_open_same or (isinstance(says, Order) and says.relation == "similar"):
        return "nothing says how near is near"
    if isinstance(says, Order | Difference) and _is_unresolved(says, finding, quote, known):
        return "which results are held against each other is not told by their names"
    if isinstance(says, Order | Difference) and (_is_run_open(says, quote) or _is_one_of_several(quote, rows, known)):
        return "what it is held against is left open"
    if isinstance(says, Order | Difference) and _is_told_by_lines(says, rows, known):
        return "its output tells several rows of that name apart"
    if isinstance(says, Difference) and says.amount.bound and any(says.amount.is_near(row.value) for row in rows):
        return f"{says.amount.value:g} is one of the results, not how far they lie apart"
    if isinstance(says, Difference) and known.index.printed.differs_by(says.amount, known.step):
        return f"{says.amount.value:g} was printed, and may be the difference of other results"
    return ""


def _of_number(stated: Quantity, says: Value | Order, quote: str, finding: Finding, known: Known) -> str:
    """Why a number may be of something else than the metric that it was read of."""
    borne, value = known.stating(stated), f"{stated.value:g}"
    if not borne and may_be_worked_out(known, stated, says.metric):
        return f"{value} may be worked out from what is on record"
    is_metric = not says.metric or is_known(says.metric) or says.metric in GENERIC or "@" in says.metric
    is_named = is_metric and any(each.what == says.metric for each in metrics_in(quote, known))
    may_be_distance = finding.verdict is Verdict.UNSUPPORTED and stated.is_telling and not is_named
    if may_be_distance and known.index.tables.differ_by(stated, known.step):
        return f"{value} is how far two rows of a table lie apart"
    if stated.unit is Unit.NONE and not is_named and (not stated.is_telling or f"${value}" in quote):
        return f"{value} is rather a count, a setting or a price"
    if known.index.printed.is_reported(stated, known.step):
        return f"{value} is what another agent reports"
    may_be_shown = isinstance(says, Value) and (stated.is_telling or stated.unit is Unit.SECONDS)
    if may_be_shown and is_shown(known, stated) and not is_size(known, stated, says.metric):
        return f"{value} was printed, but under no name that tells what it is"
    if _are_columns_mixed(measurements(known, finding.rows), borne[-_FEW:]):
        return f"{value} stands in one of several columns of one name"
    if not borne or any(row.metric == says.metric for row in borne):
        return ""
    unnamed = (row for row in borne if row.metric == UNNAMED and is_on(known, row, says.split))
    if isinstance(says, Value) and stated.is_telling and any(unnamed):
        return f"{value} was printed, but under no name that tells what it is"
    is_of_time = stated.unit is Unit.SECONDS and not is_known(borne[-1].metric)
    if not is_named or is_of_time or (stated.unit is Unit.NONE and says.metric in TIMES):
        return f"{value} was printed as {borne[-1].metric}, which may be meant"
    return ""


def _is_run_open(says: Order | Difference, quote: str) -> bool:
    """Whether a gain is denied and no words say over what: it may be none over the best."""
    is_denied = says.relation == "not better" and says.left.rows and says.right.stated is None
    return bool(is_denied) and not names_other_side(quote)


def _is_one_of_several(quote: str, rows: Sequence[Measurement], known: Known) -> bool:
    """Whether a pronoun, or nothing, says of which of the results that one output tells apart it is said."""
    begins = _PRONOUN.match(quote) or ((at := relation_in(quote)) and not quote[: at.start].strip())  # "behind by 3"
    if not begins or not rows:
        return False
    beside = {row.words for row in known.finals_of(rows[0]) if row.event is rows[0].event}
    return len(beside) > 1


def _is_told_by_lines(says: Order | Difference, rows: Sequence[Measurement], known: Known) -> bool:
    """Whether a side is guessed whose lines tell more than its rows' name: "C,ridge,353.2" and "C,gbm,295.4"."""
    if says.left.stated is not None and says.right.stated is not None:
        return False
    shown = [(row, known.index.of_event(row.event)) for row in rows]
    alike = ([each.text for each in of if (each.key, each.words) == (row.key, row.words)] for row, of in shown)
    return any(len(set(map(first_names, texts)) - {""}) > 1 for texts in alike)


def _is_unresolved(says: Order | Difference, finding: Finding, quote: str, known: Known) -> bool:
    """Whether nothing was found for what is said of an epoch, or of a metric that is held against another one."""
    named = metrics_in(quote[other.end() :], known) if (other := _THAN.search(quote)) else ()
    is_of_epoch = says.quantity is None and AT_EPOCH.search(quote) is not None
    is_open = is_of_epoch or any(each.what not in ("", says.metric) for each in named)
    return is_open and finding.verdict is Verdict.UNSUPPORTED


def _are_columns_mixed(refuting: Sequence[Measurement], bearing: Sequence[Measurement]) -> bool:
    """Whether what refutes a number stands below or above it, in a table whose columns a line above tells apart."""
    events = {row.event.id for row in bearing}
    beside = [(row.event.observation.split("\n"), row.line) for row in refuting if row.event.id in events and row.line]
    return any(repeats_names(texts, line - 1) for texts, line in beside)


def _is_of_kind(quote: str, rows: Sequence[Measurement]) -> bool:
    """Whether words say of which kind a result is the best, and what is beyond it is not called so: "best unigram"."""
    if "peak" in quote.lower():
        return True  # of its own run
    found = _KIND.search(quote)
    kind = _THING.sub(" ", phrases("words.of_all").sub(" ", found[1])) if found else ""
    named = [(rows[:1], names_of_rows(kind)), (rows[-1:], names_of_scope(quote))]  # what is beyond it, and itself
    told = [(" ".join(f"{row.words} {row.event.command[:_COMMAND]}" for row in of), words) for of, words in named]
    return any(not covered((word,), tuple(words_of(called))) for called, words in told for word in words)


def _is_of_fewer(quote: str, says: Extreme) -> bool:
    """Whether a result is called the best of a kind, or of another number than it is held against."""
    some = _OF_SOME.search(quote)
    among = len({*says.among, *says.of.rows})
    return some is not None and (some["n"] is None or find_numbers(some["n"])[0].value != among)


def _other_meaning(reading: Reading, known: Known) -> str:
    """The rows, if any, that the words may mean as well, of which the claim holds."""
    says = reading.says
    others = readings(reading.quote, says, known) if isinstance(says, Measured) else ()
    for other in islice(others, _MOST):
        found = other.judge(known)
        if found.verdict is Verdict.SUPPORTED:
            return f"it holds of {' and '.join(found.rows)}, which may be meant as well"
    return ""
