"""What a claim says was used ("grid search", "Optuna"), and whether code, commands or outputs hold a word of it."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution
from evaluation.language.quantity import Unit
from evaluation.record.known import Known

_PROCEDURE = re.compile(
    r"\b(?:grid|random|bayesian|beam)(?= search\b)|\b(?:ablation|bootstrap\w*|sensitivity|significance"
    r"|cross[- ]?validat\w+|(?:k|\d+)-fold|seeds|ensembl\w+|blend\w*|stacking|t-test|augmentation|calibrat\w+|threshold"
    r"|averaged|pseudo|distill\w+|prun\w+|quantiz\w+|external|scheduler?|early stopping|dropout|warm-?up|elimination"
    r"|feature selection|shaping|smoothing|leaderboard|weight decay|clipping|oversampling|undersampling|mixup|cutout"
    r"|annealing|cosine|momentum|regulari[sz]ation|normali[sz]ation)\b",
    re.IGNORECASE,
)
_TOOL = re.compile(r"\b(?:with|using|via|through)\s+(?:the\s+|an?\s+)?(?P<name>[A-Z][A-Za-z0-9]+)\b")
_WORD = re.compile(r"[a-z]{4,}")
_STEM = 5
"""Letters by which a procedure is recognised in code ("ensem", "cross")."""
_ENDING = re.compile(r"(?:(?<=...[^s])s|(?<=....)(?:ing|ed))$")
"""An ending without which a word may stand in code, where four letters are left."""
_MODELS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"\bgradient[ -]boosting|\bboosted trees", re.I), ("boost", "xgb", "lgb", "gbm", "gbr", "gbc", "gbdt")),
    (re.compile(r"\brandom forests?\b", re.I), ("forest", "rf")),
    (re.compile(r"\bsupport[ -]vector|\bSVMs?\b", re.I), ("svm", "svc", "svr", "support")),
    (re.compile(r"\bnearest[ -]neighbou?rs?\b", re.I), ("neighbo", "knn")),
    (re.compile(r"\bnaive bayes\b", re.I), ("bayes", "nb(")),
    (re.compile(r"\blogistic regression\b", re.I), ("logis",)),
    (re.compile(r"\bdecision trees?\b", re.I), ("tree",)),
)
"""Kinds of models, and what code that makes one of them holds."""
_SETTING = re.compile(r"\d*\.?\d+[eE]-\d+|0\.\d+")
"""A setting in code ("1e-3", "0.05")."""
_COUNT = 20
"""Whole numbers from which a count is hardly there by chance."""
_WRITTEN_AS = {
    "augme": ("flip", "crop", "rotat", "jitter", "transforms.", "randaug", "synonym"),
    "sched": ("cosine", "anneal", "warmup", "steplr", "lr_decay", "plateau"),
    "early": ("patience", "best_val", "earlystop"),
    "cross": ("kfold", "fold", "cv"),
    "ensem": ("voting", "stack", "blend", "average", "mean("),
    "norma": ("norm", "scaler", "standard"),
    "regul": ("weight_decay", "dropout", "l2", "l1", "alpha", "penalty", "lambda"),
    "learn": ("lr",),
    "epoch": ("epoch", "range("),
    "comme": ("#", '"""'),
    "pytor": ("torch",),
    "cast": ("astype", "float(", "int(", "dtype", ".to("),
    "loop": ("for ", "while "),
    "layer": ("nn.", "linear", "conv", "dense"),
}
"""How code writes what prose calls by another word, by the word's stem."""


_TRACES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"fine-?tuned"), ("train", "fit", "epoch", "tune", "learn")),
    (re.compile(r"profiled"), ("profil", "timeit", "perf_counter", "prun")),
    (re.compile(r"plotted|visuali[sz]ed"), ("plot", "fig", "hist", "draw")),
)
"""What code, commands or outputs hold once a verb was carried out."""


_VERB_WRITTEN_AS = {
    "clip": ("clip", "clamp", "min(", "max(", "minimum", "maximum"),
    "capped": ("clip", "clamp", "min(", "minimum", "cap"),
    "round": ("round", "int(", "astype(int", "rint"),
    "shuffl": ("shuffle", "permut", "sample(frac"),
    "encod": ("encod", "dummies", "onehot", "one_hot", ".map(", "factorize", "category", "codes"),
    "scal": ("scal", "normal", "standard", "/", "mean"),
    "normal": ("normal", "scal", "standard", "/", "norm"),
    "standard": ("standard", "scal", "normal", "std"),
    "pad": ("pad",),
    "resiz": ("resiz", "interpolate", "size"),
    "imput": ("imput", "fillna", "isna", "isnull", "nan"),
    "merg": ("merge", "join", "concat"),
    "concat": ("concat", "cat(", "stack(", "cat ("),
    "froze": ("requires_grad", "freeze", "frozen", "trainable", "no_grad"),
    "unfr": ("requires_grad", "freeze", "frozen", "trainable"),
    "binned": ("cut(", "bins", "digitize", "bin"),
    "augment": ("augment", "flip", "crop", "rotat", "jitter", "transforms", "affine", "noise"),
    "parallel": ("pool", "n_jobs", "joblib", "multiprocess", "parallel", "thread", "workers"),
    "tokeni": ("token",),
}
"""How code writes a way of changing data or a model, by the beginning of the verb."""


def lacks_verb(claim: Execution, code: str) -> bool:
    """Whether a claim's verb names a way of changing of which code, in lower case, holds no word."""
    return any(
        verb.startswith(stem) and not any(written in code for written in forms)
        for verb in claim.verbs
        for stem, forms in _VERB_WRITTEN_AS.items()
    )


def has_no_trace(claim: Execution, code: str) -> bool:
    """Whether nothing in code, commands and outputs, in lower case, shows that a verb of the claim was carried out."""
    return any(
        pattern.fullmatch(verb) and not any(trace in code for trace in traces)
        for verb in claim.verbs
        for pattern, traces in _TRACES
    )


def unheard_count(claim: Execution, seen: str) -> str:
    """A count of rows, files or the like that the claim gives and no code, command or output holds; else ""."""
    for number in claim.numbers:
        digits = number.text.replace(",", "").strip()
        if _SETTING.fullmatch(digits) and number.unit is Unit.NONE and not _stands_in(number.value, digits, seen):
            return number.text
        is_count = number.unit is Unit.NONE and digits.isdigit() and number.value >= _COUNT
        if not is_count or re.match(r"\W*(?:\w+ )?epoch", claim.about[number.end :]):
            continue
        if not re.search(rf"(?<!\d){digits}(?!\d)", seen.replace(",", "").replace("_", "")):
            return number.text
    return ""


def _stands_in(value: float, digits: str, seen: str) -> bool:
    return digits.lower() in seen or any(float(found) == value for found in _SETTING.findall(seen))


def lacks(known: Known, claim: Execution) -> bool:
    """Whether a procedure or tool that a claim names stands nowhere in what is known of the run's code."""
    return not known.is_cut and is_unheard_of(claim, known.code)


def is_unheard_of(claim: Execution, code: str) -> bool:
    """Whether a claim names a procedure or a tool of which the code, commands and outputs known hold no word."""
    tool, seen = _TOOL.search(claim.about), code.lower()
    for procedure in _PROCEDURE.finditer(claim.about):
        words = _WORD.findall(procedure.group().lower())
        if words and not any(is_written(word, seen) for word in words):
            return True
    if any(model.search(claim.about) and not any(trace in seen for trace in traces) for model, traces in _MODELS):
        return True
    return tool is not None and not is_written(tool["name"].lower(), seen)


def is_written(word: str, seen: str) -> bool:
    """Whether text in lower case holds a word's beginning, or what code writes for it."""
    stem = (
        _ENDING.sub("", word) if len(word) > _STEM else word[:-1] if word.endswith("s") and len(word) == _STEM else word
    )
    stem = stem[:_STEM]
    return stem in seen or any(other in seen for other in _WRITTEN_AS.get(stem, ()))
