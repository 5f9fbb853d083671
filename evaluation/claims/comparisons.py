"""Reads orders and differences out of a clause: "improved from A to B", "better than the baseline", "best so far"."""

from __future__ import annotations

import re
from collections.abc import Collection

from evaluation.claims.assertions import Comparison, Reference, Relation
from evaluation.claims.claim import Kind, Unit
from evaluation.claims.metric_names import names_in
from evaluation.claims.modality import is_hedged, is_plan, is_target, without_purpose
from evaluation.claims.numbers import Number, find_numbers
from evaluation.claims.results import is_value, split_near, values_in
from evaluation.claims.sentences import Clause

_RELATIONS: tuple[tuple[Relation, str], ...] = (
    (
        Relation.NOT_BETTER,
        r"(?:did|does|do|has|have)(?: not|n't) (?:\w+ ){0,2}(?:improved?|help(?:ed)?|outperform(?:ed)?|beat(?:en)?"
        r"|work(?:ed)? (?:well|better))|fail(?:ed|s) to improve|no improvements?",
    ),
    (Relation.HIGHEST, r"highest|greatest|largest|maximum"),
    (Relation.LOWEST, r"lowest|smallest|minimum"),
    (Relation.BEST, r"best(?:[- ]performing)?"),
    (Relation.WORST, r"worst(?:[- ]performing)?"),
    (
        Relation.BETTER,
        r"improv(?:ed|es|ements?)|improving(?= [^.]*\b(?:achieved|reached|met)\b)|better|outperform(?:s|ed)?|beat(?:s|en)?|surpass(?:es|ed)?|superior|positive (?:effect|impact)"
        r"|helped|(?:has|have|had) improved|boosted|enhanced (?:the )?(?:performance|accuracy|results?)|enhancement (?:in|over)|gains?",
    ),
    (
        Relation.WORSE,
        r"worse(?:ned|ns)?|degrad(?:ed|es|ation)|inferior|deteriorat(?:ed|ion)|negative (?:effect|impact)|hurts?|harmed|underperform(?:s|ed)?",
    ),
    (
        Relation.HIGHER,
        r"higher|increased?s?|rose|risen|greater|went up|gone up|jump(?:ed|s)?|climb(?:ed|s)?|exceed(?:s|ed)?|above|doubled|tripled|up from|grew",
    ),
    (
        Relation.LOWER,
        r"lower(?:ed)?|decreased?s?|dropp?(?:ed|s)?|fell|fallen|reduced|reduction|went down|gone down|declin(?:ed|es|e)|below|halved|down from|smaller|less",
    ),
    (
        Relation.SAME,
        r"same|similar|comparable|equal|identical|unchanged|match(?:es|ed)|no (?:change|difference|effect)|(?:did|has|have)(?: not|n't) changed?|consistent with",
    ),
)
_RELATION = re.compile("|".join(f"(?P<{r.name}>\\b(?:{pattern})\\b)" for r, pattern in _RELATIONS), re.IGNORECASE)
_OUTCOME = re.compile(
    r"\b(?:performance|performs?|performed|performing|results?|scores?|models?|strateg(?:y|ies)|approach(?:es)?|version|attempts?|iteration|baseline|regressors?"
    r"|classifiers?|solution|generali[sz]ation|metrics?|training output|test set|validation set|previous best|improvement|so far|changes?|this|it|them|we|our)\b",
    re.IGNORECASE,
)
_STRONG_OUTCOME = re.compile(
    r"\b(?:performance|performs?|performed|performing|results?|scores?|baseline|previous best|so far|metrics?|outperform\w*)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|n't|no|never|none|neither|nor|without|failed to|fails to|didn't|doesn't|hasn't|haven't|wasn't|isn't|little)\b|n't\b",
    re.IGNORECASE,
)
_EVERY = re.compile(r"\b(?:none of|each|every|all of|all|consistently|any of)\b", re.IGNORECASE)
_DEGREE = re.compile(
    r"\b(?:significant(?:ly)?|substantial(?:ly)?|much|meaningful(?:ly)?|considerabl[ey]|dramatic(?:ally)?|notabl[ey]|noticeabl[ey])\b",
    re.I,
)
_REFERENCES: tuple[tuple[Reference, re.Pattern[str]], ...] = (
    (
        Reference.BEST,
        re.compile(
            r"\b(?:previous(?:ly)?|prior|earlier|current|our|so far|the)?\s*best\b|\bso far\b|\bbest[- ]performing\b",
            re.IGNORECASE,
        ),
    ),
    (
        Reference.BASELINE,
        re.compile(
            r"\bbaseline\b|\boriginal\b|\b(?:initial|starter|provided) (?:model|score|accuracy|performance|result|script)",
            re.I,
        ),
    ),
    (
        Reference.ALL,
        re.compile(
            r"\b(?:previous|earlier|prior|other|all|both|individual)(?: \w+)? (?:models|attempts|versions|approaches|runs|experiments|strategies|results|iterations|configurations|ones|regressors|classifiers|methods)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Reference.PREVIOUS,
        re.compile(r"\b(?:previous(?:ly)?|prior|before|last|earlier|preceding|former)\b", re.IGNORECASE),
    ),
)
_FROM_TO = re.compile(r"\bfrom\b[^\d]{0,40}$", re.IGNORECASE)
_TO = re.compile(
    r"(?:\bto|→|->|=>|⟶)\s*(?:about |around |approximately |roughly |nearly |only |just |~)?\$?$", re.IGNORECASE
)
_THAN = re.compile(
    r"\b(?:than|vs\.?|versus|compared (?:to|with)|relative to|over|against|from|previous(?:ly)?|baseline|original|was|up from|down from)\b[^\d]{0,60}$",
    re.I,
)
_BY = re.compile(
    r"\b(?:by|improvement of|increase of|decrease of|gain of|drop of|reduction of|boost of|difference of|improvement:)\s*(?:about |around |approximately |over |more than |nearly |roughly |almost |at least |~|a\s+)*[+\-]?\$?$|[(+]\s*$",
    re.I,
)
_DIFFERENCE = re.compile(
    r"^\s*(?:\(?absolute\)?|relative|percentage points?|points?|%|\w+ly)?\s*(?:improvement|increase|decrease|gain|drop|reduction|boost|better|worse|higher|lower|relative|decline|more|less|faster)",
    re.IGNORECASE,
)
_SKIPPED = re.compile(
    r"\b(?:best|better) (?:practice|understand\w*|sense|idea|handle|capture|suited|way|approach would|option|choice|regulari[sz]ation|convergence|stability|feature|visuali\w+|model checkpoint|estimator|params?|parameters|hyper\w+|of my|guess)\b|\bat least\b|\bat best\b|\bless than ideal\b|\bmore or less\b|\bbest[ _]model(?:\.\w+|_)|\b(?:the|our|an|this|my|its|new|these|with) (?:improved|enhanced|optimi[sz]ed|better) (?:\w+ )?(?:models?|scripts?|versions?|code|features?|solution|strategy|approach|architecture|implementation)\b|\bimproved_\w+|\bbest_\w+",
    re.I,
)


def read_comparisons(clause: Clause, measured: Collection[str] = ()) -> list[Comparison]:
    """The comparison a clause makes between results, if it makes one."""
    if is_plan(clause) or is_target(clause) or clause.sentence.under_plan:
        return []
    text = without_purpose(clause.text)
    match = _relation(text)
    values = values_in(clause, text, measured)
    if match is None:
        return _bare(clause, text, values)
    if is_hedged(clause, match.start()) or not _is_about_results(clause, text, match, values):
        return []
    relation = Relation[str(match.lastgroup)]
    return [_comparison(clause, text, match, relation, measured)]


def _relation(text: str) -> re.Match[str] | None:
    skipped = [m.span() for m in _SKIPPED.finditer(text)]
    found = [m for m in _RELATION.finditer(text) if not any(a <= m.start() < b for a, b in skipped)]
    found = [m for m in found if not re.search(r"\bto (?:be )?$|`\w*$", text[: m.start()], re.IGNORECASE)]
    strong = [m for m in found if m.lastgroup in ("BEST", "WORST", "HIGHEST", "LOWEST")]
    verbs = [m for m in found if m.lastgroup not in ("BEST", "WORST", "HIGHEST", "LOWEST")]
    if (
        strong
        and verbs
        and re.search(r"\b(?:than|over|on|to|from|both|as)\b[^.]*$", text[: strong[0].start()], re.IGNORECASE)
    ):
        return verbs[0]
    return (strong or verbs or [None])[0]


def _is_about_results(
    clause: Clause, text: str, match: re.Match[str], values: list[object] | list[tuple[Number, str | None, object]]
) -> bool:
    """Whether the relation orders results and not settings, data or code."""
    before, after = text[: match.start()], text[match.end() :]
    named = names_in(text)
    if match.lastgroup in ("HIGHER", "LOWER", "SAME"):
        if re.match(
            r"^\s*(?:the |our |its )?(?:number|size|dropout|learning|batch|epochs?|regulari\w+|complexity|depth|capacity|n_|max_|min_)",
            after,
            re.I,
        ):
            return False
        return (bool(named) and _near(named, match, text)) or bool(values) or bool(_STRONG_OUTCOME.search(before))
    if match.lastgroup in ("BEST", "WORST", "HIGHEST", "LOWEST"):
        return bool(
            named
            or _STRONG_OUTCOME.search(text)
            or re.match(r"[- ]*(?:performing )?(?:model|strategy|result|solution)", after, re.I)
        ) and not re.search(
            r"\b(?:save|saves|load|loads|select|selects|choose|find|finding|keep|track)\w* (?:the )?$",
            before,
            re.IGNORECASE,
        )
    return bool(
        named or values or _STRONG_OUTCOME.search(f"{clause.sentence.heading} {text}") or _OUTCOME.search(before) or _OUTCOME.search(clause.before)
    )


def _near(named: list[tuple[str, int, int]], match: re.Match[str], text: str) -> bool:
    return any(abs(start - match.end()) < 60 or abs(match.start() - end) < 60 for _, start, end in named)


def _comparison(
    clause: Clause, text: str, match: re.Match[str], relation: Relation, measured: Collection[str]
) -> Comparison:
    new, old, delta = _roles(text)
    if new is None and old is None and clause.connector == "which":
        new, old, _ = _roles(clause.before)
    head = text[: match.start()]
    negated = bool(_NEGATION.search(head[-60:])) or match.group().lower().startswith("no ")
    if negated and relation is not Relation.SAME:
        relation = _denied(relation)
    named = names_in(text) or names_in(clause.before)
    known = next((name for name in measured if len(name) > 3 and name in text.lower()), None)
    anchor = new or old or delta
    return Comparison(
        kind=Kind.COMPARISON,
        quote=clause.text,
        start=clause.start,
        context=f"{clause.sentence.previous} {clause.sentence.text}",
        metric=named[0][0] if named else known,
        split=split_near(text, anchor, clause),
        relation=relation,
        references=_references(text, match) or _references(clause.before, match) or _references(clause.sentence.heading, match),
        new=new,
        old=old,
        delta=delta,
        every=bool(_EVERY.search(head)),
        negated=negated,
        hedged=negated and bool(_DEGREE.search(text)),
        subject=head.strip(),
        other=text[match.end() :].strip(),
    )


def _denied(relation: Relation) -> Relation:
    if relation in (Relation.BETTER, Relation.BEST):
        return Relation.NOT_BETTER
    if relation in (Relation.WORSE, Relation.WORST):
        return Relation.NOT_WORSE
    return Relation.LOWER if relation in (Relation.HIGHER, Relation.HIGHEST) else Relation.HIGHER


def _references(text: str, match: re.Match[str]) -> tuple[Reference, ...]:
    """What a text compares with; a superlative compares with everything."""
    if match.lastgroup in ("BEST", "WORST", "HIGHEST", "LOWEST"):
        return (Reference.ALL,)
    found = tuple(reference for reference, pattern in _REFERENCES if pattern.search(text))
    if Reference.BEST in found:
        found = tuple(reference for reference in found if reference is not Reference.PREVIOUS)
    if found or not text:
        return found
    return (Reference.NAMED,) if re.search(r"\b(?:than|over|to|with)\s+(?!\d)\w", text) else ()


def _roles(text: str) -> tuple[Number | None, Number | None, Number | None]:
    """Which number is the newer value, which the reference, which the difference."""
    new = old = delta = None
    for number in find_numbers(text):
        if not is_value(number, text) or number.unit is Unit.SECONDS:
            continue
        before = text[: number.start].rstrip("*_`")
        after = text[number.end :].lstrip("*_`")
        if delta is None and (
            _DIFFERENCE.match(after) or (_BY.search(before) and (number.percent_like or not before.endswith("(")))
        ):
            delta = number
        elif old is None and _FROM_TO.search(before):
            old = number
        elif new is None and _TO.search(before):
            new = number
        elif old is None and _THAN.search(before):
            old = number
        elif new is None:
            new = number
        elif old is None:
            old = number
    if (
        delta is None
        and new is not None
        and re.search(r"\bmore than|\bover\b|\bat least", text)
        and new.bound
        and new.percent_like
        and old is None
    ):
        new, delta = None, new
    return new, old, delta


def _bare(clause: Clause, text: str, values: list[tuple[Number, str | None, object]]) -> list[Comparison]:
    """A comparison without a word for it: "0.81 vs 0.79", "0.71 -> 0.74"."""
    numbers = [n for n in find_numbers(text) if is_value(n, text)]
    if len(numbers) < 2 or not values or not re.search(r"\d[^\w]{0,3}\s*(?:→|->|=>)", text):
        return []
    return [
        Comparison(
            kind=Kind.COMPARISON,
            quote=clause.text,
            start=clause.start,
            context=clause.sentence.text,
            metric=values[0][1],
            split=split_near(text, numbers[1], clause),
            relation=Relation.HIGHER if numbers[1].value >= numbers[0].value else Relation.LOWER,
            new=numbers[1],
            old=numbers[0],
            subject=text,
        )
    ]
