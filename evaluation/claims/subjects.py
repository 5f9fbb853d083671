"""Which trial a phrase speaks of: "the Random Forest", "always choosing 0", "dropout of 0.25"."""

from __future__ import annotations

import re
from collections.abc import Set

from evaluation.language.splits import Split, without_metrics
from evaluation.record.derived import is_derived
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.trials import Trial, words_of

_COMMON = frozenset(
    """
    the a an of on in to for with and or than as at by is was has have had it its this that these our we my model
    models performance performs performed accuracy score scores value values result results set test validation
    train training val better worse best worst lower higher lowest highest slightly significantly also both previous
    current baseline new strategy approach version rmse mae r2 loss data still much more less from which so far
    obtained achieved since been trained using improvement compared iteration attempt one submit try let not did
    does even very most same similar time steps metric run updated improved final overall first second last
    regressor classifier just would could should will average mean avg eval evaluation epoch batch give gives gave
    us what when where while only simply
    """.split()  # noqa: SIM905 (a column of words reads better than a list of strings)
)

_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}
_PLACE = re.compile(
    rf"\b({'|'.join(_ORDINALS)}) (?:one|run|trial|variant|version|attempt|experiment|model|script|configuration)\b",
    re.I,
)
_NUMBERED = re.compile(r"\brun #?(\d+)\b", re.IGNORECASE)
_CHANGE_PLACE = re.compile(
    rf"\b({'|'.join(_ORDINALS)}) (?:change|modification|edit|tweak|improvement|fix)\b", re.IGNORECASE
)
"""Counts what came after the starter."""
_STARTER = re.compile(
    r"\W*(?:the |our |its )?(?:starter|original|baseline|initial|unmodified|unchanged|provided)\b", re.I
)
_FILE = re.compile(r"[\w-]+\.(?:py|sh|ipynb|R)\b")
_SHORT = 3
"""Letters from which the beginning of a word may stand for it ("xgb")."""


def content_words(text: str) -> set[str]:
    """The words of a phrase that can tell one trial from another."""
    return {
        word for word in words_of(text) if word not in _COMMON and (len(word) > 2 or any(c.isdigit() for c in word))
    }


def named_values(phrase: str, metric: str | None, split: Split | None, known: Known) -> list[Measurement]:
    """Final values whose printed name holds the phrase's own words ("Random Forest Validation MAE")."""
    wanted = content_words(phrase)
    if not wanted:
        return []
    pool = [
        v
        for v in known.finals
        if (v.metric == metric if metric else not is_derived(v)) and (v.split == split if split else v.split != "train")
    ]
    scored = [(len(wanted & (content_words(v.words) | _initials(v.words))) + _abbreviated(v, wanted), v) for v in pool]
    top = max((score for score, _ in scored), default=0)
    return [v for score, v in scored if score == top] if top else []


def _abbreviated(value: Measurement, wanted: set[str]) -> int:
    """How many words of a phrase a printed name cuts short ("init_loss" for the initial loss)."""
    short = {word for word in re.split(r"[\W_]+", value.name.lower()) if len(word) > _SHORT and word not in wanted}
    return sum(any(word.startswith(part) and word != part for word in wanted) for part in short - _COMMON)


def _initials(name: str) -> set[str]:
    """Short forms of a name ("rf" for Random Forest, "rfr" for it as a regressor)."""
    letters = "".join(word[0] for word in name.lower().split())
    short = {letters[start:end] for start in range(len(letters)) for end in range(start + 2, start + 5)}
    return short | {f"{name}{kind}" for name in short for kind in "rcm"}


def mentions(text: str, names: Set[str]) -> bool:
    """Whether a text uses one of the names, or a longer word for a short one ("XGBoost" for "xgb")."""
    return any(
        word in names or word.startswith(tuple(n for n in names if len(n) >= _SHORT)) for word in content_words(text)
    )


def named_trial(phrase: str, known: Known, *, enough: float = 0.5) -> Trial | None:
    """The one trial a phrase names: by its place, as the starter, or by words that tell it from the others.

    All words that tell trials apart must fit it, and be ``enough`` of the phrase or stand in its command line.
    """
    if len(known.trials) < 2:
        return None
    script = _FILE.search(phrase)
    if script:
        return next((t for t in reversed(known.trials) if script.group() in t.event.files), None)
    place = _PLACE.search(phrase)
    if place:
        return next(iter(known.trials[_ORDINALS[place[1].lower()] :]), None)
    numbered = _NUMBERED.search(phrase)
    run = numbered_run(int(numbered[1]), known) if numbered else None
    if run is not None:
        return run
    change = _CHANGE_PLACE.search(phrase)
    if change:
        return next(iter(known.trials[_ORDINALS[change[1].lower()] + 1 :]), None)
    if _STARTER.match(phrase):
        return _starter(known)
    fitting = trials_fitting(phrase, known, enough=enough)
    return fitting[0] if len(fitting) == 1 else None


def numbered_run(number: int, known: Known) -> Trial | None:
    """The run that goes by a number in its command or its output."""
    name = re.compile(rf"\brun[ _-]?{number}\b", re.IGNORECASE)
    found = (t for t in known.trials if name.search(t.event.command) or name.search(t.event.observation[:400]))
    return next(found, None)


def trials_fitting(phrase: str, known: Known, *, enough: float = 0.5) -> list[Trial]:
    """The trials that fit all words of a phrase that tell trials apart; see ``named_trial``."""
    wanted = content_words(without_metrics(phrase))
    holding = {word: [trial for trial in known.trials if _holds(trial, word, known)] for word in wanted}
    telling = {word: trials for word, trials in holding.items() if 0 < len(trials) < len(known.trials)}
    if not telling:
        return []
    fitting = [t for t in known.trials if all(t in trials for trials in telling.values())]
    most = len(telling) >= enough * len(wanted)
    return [t for t in fitting if most or any(_is_called(t, word) for word in telling)]


def _starter(known: Known) -> Trial | None:
    base = {id(value.event) for value in known.baseline}
    return next((trial for trial in known.trials if id(trial.event) in base), None)


def _holds(trial: Trial, word: str, known: Known) -> bool:
    return trial.names.get(word, known.step) < known.step or _is_called(trial, word)


def _is_called(trial: Trial, word: str) -> bool:
    """Whether a word, or its beginning, stands in the command line ("xgb" for XGBoost)."""
    names = trial.command_words
    return word in names or any(len(name) >= _SHORT and word.startswith(name) for name in names)


def ranked_trials(phrase: str, context: str, known: Known) -> list[Trial]:
    """Trials whose edits and prose hold at least half of the phrase's words, rarer words and later trials first."""
    wanted = content_words(phrase.partition("(")[0]) or content_words(context)
    shared = {word: sum(word in trial.words for trial in known.trials) for word in wanted}
    weight = {word: (2.0 if word[0].isdigit() else 1.0) / count for word, count in shared.items() if count}
    scored = [
        (sum(weight[word] for word in weight if word in trial.words), n)
        for n, trial in enumerate(known.trials)
        if 2 * sum(word in trial.words for word in wanted) >= max(1, len(wanted))
    ]
    return [known.trials[n] for _, n in sorted(scored, reverse=True)]
