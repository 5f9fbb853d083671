"""Whether a word of order or change orders results, and not settings, data or code."""

from __future__ import annotations

import re
from collections.abc import Set

from environment.metrics.meaning import names_in
from environment.metrics.names import is_setting
from evaluation.claims.factors import factor_of
from evaluation.claims.relations import (
    EVERY,
    GAP,
    OUTCOME,
    OUTCOME_NOUN,
    SETTING_OBJECT,
    SUPERLATIVES,
    TRANSITIVE,
)
from evaluation.claims.results import MetricValue, epoch_in
from evaluation.claims.sentences import FINITE, Clause
from evaluation.claims.subjects import mentions
from evaluation.claims.values import is_precise, is_value
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Unit
from evaluation.language.splits import splits_in

_COPULA = re.compile(
    r"\b(?:is|are|was|were|has|had|have|obtain\w*|achiev\w*|got|gives?|gave|performs?|performed|shows?|showed"
    r"|yields?|yielded"
    r"|so far|yet|which|our (?:previous )?best|reached|remains?)\b",
    re.IGNORECASE,
)
_SELECTING = re.compile(
    r"\b(?:sav|load|select|choos|chose|find|keep|kept|track|us(?:e|es|ed|ing)\b|retrain|restor|stor|submit"
    r"|pick|return|get)\w* (?:the |our )?$",
    re.IGNORECASE,
)
_SOME_PERCENT = re.compile(r"\d\s*(?:%|percent|points|percentage points|x|times)\s*$", re.IGNORECASE)
_THEN_PERCENT = re.compile(r"\W*(?:of |by )?[+-]?\d[\d.]*\s*(?:%|percent|points|percentage points|x\b|times)", re.I)
_ALONE = re.compile(r"helped|hurts?|paid off|worked|backfired", re.IGNORECASE)
ADJECTIVE = re.compile(r"better|faster|higher|lower|smaller|shorter|longer|greater", re.IGNORECASE)
_CHANGE_OF = re.compile(r"\b(?:drop|gain|reduction|increase|improvement|decrease|difference) of\b", re.IGNORECASE)
_SETTING_VALUE = re.compile(r"^\W*`?\w+\s?=\s?[\d.]+")
"""A run called by its setting ("k=3 is no better …")."""
_OF_THE = re.compile(r"\b(?:for|of|from|by|in|with) (?:the|our) $", re.IGNORECASE)
_PRONOUN = re.compile(r"^\W*(?:it|this|that|they) (?:is|was|are|were)\b", re.IGNORECASE)
_MANY = re.compile(r"^\W*(?:both|all|these|the two)\b", re.IGNORECASE)
_NEW_BEST = re.compile(r"\b(?:new|still the|again the) (?:best|highest|lowest)\b|\bbest (?:so far|yet|still)\b", re.I)
_DEED_START = re.compile(
    r"^\W*(?:added|implemented|maintained|introduced|included|created|increased|reduced|used|applied|removed"
    r"|changed)\b",
    re.I,
)
_BY_AGENT = re.compile(r"\b(?:I|we)(?:['’]ve| have)?(?: also| further| then| slightly)* $", re.IGNORECASE)
_SETS = re.compile(r"rais|lower|increas|decreas|reduc|cut|halv|doubl|boost", re.IGNORECASE)
"""What is done to a setting as well as to a result."""
_THIS = re.compile(
    r"^\W*(?:(?:(?:compared (?:to|with)|relative to) [^,]{1,40}?,? "
    r"|(?:so|thus|hence|therefore|overall"
    r"|in other words|in relative terms),? ))?"
    r"(?:this|that|it|which|a|an|the (?:improvement|reduction|increase|decrease|gain|drop|difference|speed-?up))\b"
    r"(?=.{0,40}\b(?:is|are|was|were|amounts?|represents?|means?|corresponds?|equals?|\d))",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\s*(?:points?\s+)?(?:lower|higher|better|worse|less|more|above|below|faster|slower)\b", re.IGNORECASE
)
_AUXILIARY = re.compile(r"\s*\b(?:was|were|is|are|has|have|had|been|also|then|further|again|now)\b.*$", re.IGNORECASE)
_ABBREVIATED = re.compile(r" (?:[a-z]+ )?[A-Z]{3,6}s?\b")
"""A metric that goes by its initials ("the lowest PCE")."""
_NOUN = re.compile(
    r"[- ]*(?:performing |single |overall )?(?:one|checkpoint|epoch|model|strategy|result|solution|version|attempt|run"
    r"|configuration)\b|\W*of the",
    re.IGNORECASE,
)
_OF_VALUES = ("HIGHER", "LOWER", "SAME", "SIMILAR")
_NEAR = 30
"""Characters after the word of order in which what is compared with stands."""
_REACH = 60
"""Characters between a metric and the word of order that speaks of it."""


def is_about_results(
    clause: Clause, text: str, match: re.Match[str], values: list[MetricValue], names: Set[str]
) -> bool:
    """Whether the relation that was found in a clause orders results."""
    before, after = text[: match.start()], text[match.end() :]
    is_deed = _DEED_START.match(text) and match.start() > 0 and not values
    of_gap = GAP.search(before[-120:]) or (not names_in(text) and GAP.search(clause.before[-60:]))
    is_own_deed = _BY_AGENT.search(before) and not names_in(after[:_NEAR]) and not OUTCOME.search(after[:_NEAR])
    if is_deed or of_gap or (is_own_deed and _SETS.match(match.group())):
        return False
    if match.lastgroup in SUPERLATIVES:
        return _is_best_result(text, match, values, names)
    if SETTING_OBJECT.match(after) or _is_attribute(text, match):
        return False
    if match.lastgroup in _OF_VALUES:
        return _is_order_of_values(clause, text, match, values, names)
    if re.match(r"(?i)better|worse|superior|inferior", match.group()) and not _orders(after):
        return False
    return _is_change_of_results(clause, text, match, values, names)


def _is_best_result(text: str, match: re.Match[str], values: list[MetricValue], names: Set[str]) -> bool:
    before, after, named = text[: match.start()], text[match.end() :], names_in(text)
    if _OF_THE.search(before) and not named and not values and not OUTCOME.search(before):
        return False
    if _SELECTING.search(before) or (_OF_THE.search(before) and named and values and named[0][1] < match.start()):
        return False
    if _ABBREVIATED.match(after) and match.lastgroup in ("HIGHEST", "LOWEST"):
        return True
    is_verb = match.group().lower().startswith(("peak", "bottom"))
    if not (is_verb or _NEW_BEST.search(text) or _COPULA.search(text)):
        return False
    if _NEW_BEST.search(text) and any(is_precise(number) for number in find_numbers(text)):
        return True
    return bool(named or OUTCOME.search(text) or _NOUN.match(after) or splits_in(text) or mentions(text, names))


def _is_order_of_values(
    clause: Clause, text: str, match: re.Match[str], values: list[MetricValue], names: Set[str]
) -> bool:
    before, after, named = text[: match.start()], text[match.end() :], names_in(text)
    if not named and clause.connector in ("which", "being", "and", "but"):
        said = clause.before
        given = any(is_precise(n) or n.unit is Unit.SECONDS for n in find_numbers(said))
        return bool(given or names_in(said) or OUTCOME.search(said) or mentions(said, names))
    previous = clause.sentence.previous
    is_meant_before = refers_back(clause, text) or _PRONOUN.match(text)
    if is_meant_before and (find_numbers(previous) or names_in(previous) or OUTCOME.search(previous) or clause.before):
        return True
    if (_MANY.match(text) and names_in(previous)) or _THEN_PERCENT.match(after):
        return True
    of_setting = is_setting(_AUXILIARY.sub("", before).strip())
    if not of_setting and sum(is_precise(n) and is_value(n, text) for n in find_numbers(text)) > 1:
        return True
    near = any(abs(start - match.end()) < _REACH or abs(match.start() - end) < _REACH for _, start, end in named)
    return near or bool(values or OUTCOME.search(before) or OUTCOME.search(after[:_NEAR]))


def _is_change_of_results(
    clause: Clause, text: str, match: re.Match[str], values: list[MetricValue], names: Set[str]
) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    numbers = find_numbers(text)
    counted = EVERY.search(before)
    signs = (
        TRANSITIVE.match(match.group()) and sum(is_value(n, text) for n in numbers) > 1,
        _SETTING_VALUE.match(text),
        (match.lastgroup == "NOT_BETTER" or _ALONE.match(match.group())) and not after.strip(" .!"),
        counted and not counted.group().lower().startswith(("each", "every", "any")),
        epoch_in(text) is not None,
        _SOME_PERCENT.search(before) or _THEN_PERCENT.match(after),
        any(is_precise(number) for number in numbers),
        values or names_in(text) or splits_in(text) or mentions(text, names),
        refers_back(clause, text),
        OUTCOME.search(f"{clause.sentence.heading} {text}"),
        OUTCOME_NOUN.search(f"{clause.before} {before}"),
        re.match(r"\s+than\b", after) and clause.before and names_in(clause.before),
    )
    return any(signs)


def refers_back(clause: Clause, text: str) -> bool:
    """Whether "this is 7% better" or "that is a speedup of 14x" speaks of the values just given."""
    is_change = factor_of(text) or _CHANGE_OF.search(text)
    measured = [n for n in find_numbers(text) if n.percent_like or is_change or _MORE.match(text[n.end :])]
    said = f"{clause.connector} {text}" if clause.connector in ("which", "being") else text
    return bool(_THIS.match(said) and measured)


def _is_attribute(text: str, match: re.Match[str]) -> bool:
    """Whether the word only describes a noun in a phrase without a verb: "for faster training"."""
    adjective = ADJECTIVE.fullmatch(match.group())
    noun = re.match(r"\s+(?!(?:than|in|on|for|by|at|and|but|or|with|across)\b)[a-z]+", text[match.end() :])
    return bool(adjective and noun) and not FINITE.search(text) and not find_numbers(text)


def _orders(after: str) -> bool:
    """Whether "better" stands alone, before "than", or before an outcome, and not before some other noun."""
    noun = re.match(r"\s+(?:\w+\s+)?([a-z]+)", after, re.IGNORECASE)
    if re.match(r"\s+(?:\w+\s+){1,3}than\b", after):
        return True
    if not after.strip(" .!*_,)`") or re.match(
        r"\s*(?:than|on|in|for|at|by|compared|[,.;:(]|and|but|with|over|so far|now|overall)", after, re.I
    ):
        return True
    return bool(noun and (OUTCOME.search(after[:40]) or names_in(after[:40])))
