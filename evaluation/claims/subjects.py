"""Which trial a phrase speaks of: "the Random Forest", "always choosing 0", "dropout of 0.25"."""

from __future__ import annotations

from evaluation.claims.measurements import Measurement
from evaluation.claims.metric_names import Split
from evaluation.claims.run_model import Known, Trial, words_of

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


def content_words(text: str) -> set[str]:
    """The words of a phrase that can tell one trial from another."""
    return {word for word in words_of(text) if word not in _COMMON and (len(word) > 2 or word[0].isdigit())}


def named_values(phrase: str, metric: str | None, split: Split | None, known: Known) -> list[Measurement]:
    """Final values whose printed name holds the phrase's own words ("Random Forest Validation MAE")."""
    wanted = content_words(phrase)
    if not wanted:
        return []
    pool = [
        v for v in known.finals if metric in (None, v.metric) and (v.split == split if split else v.split != "train")
    ]
    scored = [(len(wanted & content_words(v.name.lower())), v) for v in pool]
    top = max((score for score, _ in scored), default=0)
    return [v for score, v in scored if score == top] if top else []


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
