"""Which names are metrics, which are settings, and which split of the data a name speaks of."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

Split = Literal["train", "validation", "test"]


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


_METRIC_WORDS = _vocabulary(
    """
    loss losses acc accuracy accuracies error errors err mae mse rmse rmsle msle mape smape mcrmse medae r2 r score
    scores auc auroc auprc roc ap map ar precision recall f1 f2 fbeta sensitivity specificity perplexity ppl bleu rouge
    rouge1 rouge2 rougel meteor iou miou dice jaccard mcc kappa logloss nll bpc bpb elbo kl reward rewards return
    returns payoff wer cer cosine correlation corr pearson spearman psnr ssim fid mrr ndcg hits silhouette inertia
    likelihood deviance rss entropy crossentropy crps brier gini lift regret fitness objective cost residual bias
    variance time elapsed duration latency runtime walltime throughput speedup improvement value metric l1 l2
    wins winrate prec top1 top5 em exact_match rand ari nmi quality topk norm map50 map75
    mase rmsse wql lpips
    """
)
_SETTING_WORDS = _vocabulary(
    """
    lr batch bs seed seeds estimators depth leaves hidden dim dims dimension units layers neurons dropout
    momentum decay wd patience workers version versions size shape params parameters param samples rows columns cols
    features classes count length len max_len width height channels kernel stride padding filters port pid id idx index
    eta alpha beta beta1 beta2 gamma lambda epsilon eps tol tolerance threshold temperature subsample colsample reg
    regularization rate scheduler optimizer ratio frac fraction warmup clip vocab heads context horizon degree
    neighbors clusters iterations epochs steps trials folds line lines date timestamp memory ram vram gpu cpu cuda
    python torch pytorch tensorflow numpy pandas sklearn keras lightgbm xgboost catboost transformers bytes
    total total_params trainable checkpoint level verbose nodes edges tokens bins c split_size test_size
    train_size val_size valid_size validation_split prob dev_size minutes hours per_second mb gb kb mib gib
    fps timesteps mfu hfu flops tflops gflops macs util utilization utilisation usage occupancy footprint share portion
    storage disk swap instances images gpus toolkit lengths order level ts percentage rank adds ci interval
    """
)
_SHARES_OF_PEAK = frozenset(["mfu", "hfu"])
_SCALES = frozenset(["percent", "pct", "k", "m", "g", "b", "millions", "billions"])
"""Last words that say only how a number is scaled: ``mfu_percent``, ``num_params_M``."""
_SETTING_PHRASES = re.compile(
    r"learning[ _]rate|(?<![a-z])lr[ _]?\d+$"
    r"|weight[ _]decay|batch[ _]size|random[ _](?:state|seed)|dropout[ _]rate|label[ _]smoothing"
    r"|l[12][ _](?:ratio|reg\w*|lambda|penalty|leaf\w*)|reg[ _](?:alpha|lambda)|loss[ _](?:weight|scale)"
    r"|v_num$|lora[ _]?(?:r|alpha)$"
    r"|max[ _](?:grad[ _])?norm|early[ _]stopping|min[ _]delta|(?:train|val|valid|test|eval)\w*[ _](?:size|split|ratio)"
    r"|min[ _](?:child|samples|data|impurity|split|gain)\w*"
    r"|mem(?:ory)?[ _](?:active|alloc\w*|reserved|cached|used|peak|max)",
    re.IGNORECASE,
)
_LETTERS = frozenset("RrPFρκτ")
"""Names of one letter: recall or return, correlation, precision, F-measure."""
_AGGREGATES = _vocabulary("mean avg average std sd min max median best final last std_dev standard deviation")
_COUNTERS = frozenset(["epoch", "ep", "step", "iter", "iteration", "batch", "round", "trial", "fold"])
_AVERAGED = _METRIC_WORDS - {"time", "value", "metric"}
"""What Lightning logs with ``_step`` and ``_epoch`` behind it."""
_PER_COUNT = _AVERAGED | {"per", "each", "by"}
_STOP_WORDS = _vocabulary(
    "with of the is at to and for a an in on has have was saved got by from that our its this using after"
)
_SPLIT_WORDS: dict[str, Split] = {
    **dict.fromkeys(["train", "training", "trn", "learn"], "train"),
    **dict.fromkeys(
        [
            "val",
            "vali",
            "valid",
            "validate",
            "validation",
            "validating",
            "eval",
            "evaluation",
            "dev",
            "cv",
            "oof",
            "holdout",
            "crossval",
        ],
        "validation",
    ),
    **dict.fromkeys(["test", "testing"], "test"),
}
_SHORT_LOSSES: dict[str, Split] = {"tl": "train", "vl": "validation"}
_SHORT_SPLITS: dict[str, Split] = {"tr": "train", "va": "validation", "te": "test"}
_RATES = frozenset(["rate", "ratio", "index", "minutes", "hours"])
"""Last words that make a setting of an unknown name, but not of a metric's ("error rate")."""
_RATED = _vocabulary(
    "win hit success pass solve solved completion detection acceptance positive negative failure fail collision crash"
    " conversion click miss resolve resolved"
)
"""What a rate is measured of: ``success_rate``; of all else it is set."""
_LIMITS = frozenset(["limit", "budget", "deadline", "timeout"])
_WORD = re.compile(r"[^\W_]+")
_SPLIT = re.compile(
    rf"(?<![^\W_])(cross[-_ ]?val(?:idation|idated)?|{'|'.join(_SPLIT_WORDS)})"
    r"(?:set)?(?:[_ ]?\d{1,3}(?=['_\-]))?(?:'s)?(?![^\W_]|\.py)"
    rf"|(?<![\w/-])({'|'.join(_SHORT_SPLITS)})(?=_[a-z]|[ ](?:loss|acc|err|auc|f1)\b|\W*$)",
    re.IGNORECASE,
)
"""Of two letters only at the beginning of a name: ``xnli_tr`` is in Turkish."""
_COUNTED = re.compile(
    rf"(?<!\w)(?:e\d+(?=\s)|(?:{'|'.join(sorted(_COUNTERS))})s?[ #:]{{0,3}}\d+(?:\s?(?:/|of)\s?\d+)?(?!\w))",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"[(\[]?\d+/\d+[)\]]?|INFO|DEBUG|WARNING")
"""What a line begins with before a name: how far it is, how it is logged."""
_NOTE = re.compile(r"\s?\([^()]*\)$")
"""What a name notes behind it: "lr(LinearWarmup)", "win_rate(100)"."""
_OF_NETWORK = re.compile(r"[A-Z]\d?")
"""Which of several networks a loss is of: "loss G"."""
_OF_SET = re.compile(r"^[ _-](?:sub)?(?:set|data(?:set)?|split)\b(?=[ _-]*\w)", re.IGNORECASE)
"""What may stand between a split and the name: "Training set accuracy"."""
_EMPTY = re.compile(r"[(\[]\s*[)\]]")
_OF_FOLDS = re.compile(r"\bcv_agg's (?=\w)", re.IGNORECASE)
"""What LightGBM puts before the mean over folds."""
_JOINED_SPLIT = re.compile(
    r"(?<![^\W_])(best|final|last)?([Tt]rain|[Vv]al(?:id)?|[Tt]est|[Ee]val|[Dd]ev)(?(1)(?=[A-Z]|$)|(?=[A-Z]))"
)
"""``valLoss``, ``bestTest``."""
_EDGE = " \t→_-/.,;:=|*#&\"'`([{"


class Name(NamedTuple):
    """A metric's name as written, without the split it names."""

    text: str
    split: Split | None
    known: bool
    """Whether a word of it is one that only metrics have."""


def words(text: str) -> list[str]:
    """The lower-case words of a name, parted at spaces, underscores, dashes, dots and slashes."""
    return _WORD.findall(text.lower().replace("²", "2").replace("^", ""))


def is_letter(text: str) -> bool:
    """Whether a name is the one letter of a metric."""
    return text.strip() in _LETTERS


@lru_cache(maxsize=4_096)
def is_metric(text: str) -> bool:
    """Whether the text holds a word that only metrics have."""
    return is_letter(text) or text.strip().lower() in _SHORT_LOSSES or not _METRIC_WORDS.isdisjoint(words(text))


@lru_cache(maxsize=4_096)
def is_setting(text: str) -> bool:
    """Whether a name is that of a hyper-parameter, a counter, a size or a version."""
    found = words(_NOTE.sub("", text)) or words(text)
    if is_letter(text):
        return False
    if not found or len(text.strip()) < 2 or is_counter(text) or _SETTING_PHRASES.search(text):
        return True
    if found[-1] in _RATES and (is_metric(text) or not _RATED.isdisjoint(found)):
        return False
    if found[-1] == "reg" and "loss" in found:  # of boxes, in detection
        return False
    if "remaining" in found or {"time", "left"} <= set(found):
        return True
    if "/" in text:
        return _is_path_of_setting(text)
    last = found[-2] if len(found) > 1 and found[-1] in _SCALES else found[-1]
    return last in _SETTING_WORDS or text.strip().lower() in _SETTING_WORDS


def _is_path_of_setting(text: str) -> bool:
    """Whether a name in groups is a setting's: ``response_length/mean``, ``perf/mfu/actor``."""
    groups = [group.strip().lower() for group in text.split("/")]
    named = [group for group in groups if not is_aggregate(group)]
    return not _SHARES_OF_PEAK.isdisjoint(groups) or (bool(named) and len(named[-1]) > 1 and is_setting(named[-1]))


@lru_cache(maxsize=4_096)
def is_limit(text: str) -> bool:
    """Whether the name is that of what something may come to or is weighed by: "Time limit", "loss scale"."""
    found = words(text)
    return not _LIMITS.isdisjoint(found[-1:]) or (found[-2:-1] == ["loss"] and found[-1] in ("scale", "weight"))


@lru_cache(maxsize=4_096)
def is_aggregate(text: str) -> bool:
    """Whether the name is only "mean", "std" … of something named before."""
    found = words(text)
    return bool(found) and all(word in _AGGREGATES for word in found)


@lru_cache(maxsize=4_096)
def is_counter(text: str) -> bool:
    """Whether the name counts something: ``epoch``, ``Fold``; not ``train_loss_epoch``, ``accuracy per fold``."""
    found = words(text)
    return bool(found) and found[-1] in _COUNTERS and not (len(found) > 1 and found[-2] in _PER_COUNT)


def without_aggregates(text: str) -> str:
    """A name without "mean", "std" … at its end."""
    tokens = text.split()
    while tokens and is_aggregate(tokens[-1]):
        tokens.pop()
    return " ".join(tokens)


@lru_cache(maxsize=4_096)
def split_in(text: str) -> Split | None:
    """The split that the last split word of a text names."""
    found: Split | None = None
    for match in _SPLIT.finditer(text):
        short = match.group(2)
        found = _SHORT_SPLITS[short.lower()] if short else _SPLIT_WORDS.get(match.group(1).lower(), "validation")
    return found


def is_split(text: str) -> bool:
    """Whether a text names a split and nothing else."""
    return split_in(text) is not None and not without_split(text)


def without_split(text: str) -> str:
    """A name without its split word: ``val_loss`` is ``loss``, ``Train MAE`` is ``MAE``."""
    split = _SPLIT.search(text)
    bare = f"{text[: split.start()]} {_OF_SET.sub('', text[split.end() :])}" if split else text
    bare = _EMPTY.sub(" ", bare)
    bare = re.sub(r"(?<=[\w)])[ _\-/.]* [ _\-/.]*(?=[\w(])", " ", bare)
    if "(" in bare and ")" in bare:
        return bare.strip(_EDGE.replace("(", ""))
    closing = "".join(end for start, end in ("()", "[]", "{}") if start not in bare)
    return bare.strip(_EDGE + closing if "(" not in bare else _EDGE)


@lru_cache(maxsize=4_096)
def read_name(phrase: str) -> Name:
    """Read a metric's name from the words before a value.

    ``New best model saved with accuracy`` is ``best accuracy``; in ``Final accuracy on test set``
    the words after the metric tell the split.
    """
    phrase = _with_split_apart(phrase)
    tokens = _COUNTED.sub(" ", phrase).split() or phrase.split()
    while len(tokens) > 1 and (not _WORD.search(tokens[0]) or _NO_NAME.fullmatch(tokens[0])):  # a bullet, a picture
        tokens = tokens[1:]
    if (short := " ".join(tokens).lower()) in _SHORT_LOSSES:
        return Name("loss", _SHORT_LOSSES[short], known=True)
    last = max((i for i, token in enumerate(tokens) if is_metric(token)), default=None)
    if last is None:
        name = " ".join(_noun_phrase(tokens))
        return Name(without_split(name), split_in(name), known=False)
    tail = tokens[last + 1 :]
    name = " ".join(_noun_phrase(tokens[: last + 1]))
    if tail and is_aggregate(" ".join(tail)):
        name = f"{name} {' '.join(tail)}"
    elif tail and (tail[0].lower() == "rate" or _OF_NETWORK.fullmatch(" ".join(tail))):
        name = f"{name} {tail[0]}"
    elif tail and tail[0].startswith("("):
        closing = next((i for i, token in enumerate(tail) if token.endswith(")")), len(tail) - 1)
        name = f"{name} {' '.join(tail[: closing + 1])}"
    if "best" in phrase.lower() and "best" not in name.lower():
        name = f"best {name}"
    return Name(without_split(name), split_in(name) or split_in(phrase), known=True)


def _with_split_apart(phrase: str) -> str:
    """A name whose split stands as a word of its own: ``valLoss`` is ``val Loss``."""
    if "'" in phrase:
        phrase = _OF_FOLDS.sub(lambda found: "" if split_in(phrase[found.end() :]) else "cv ", phrase)
    if phrase.islower():
        return phrase
    apart = _JOINED_SPLIT.sub(lambda found: f"{found[1] or ''} {found[2]} ", phrase)
    return phrase if apart == phrase else apart.strip()


def _noun_phrase(tokens: list[str]) -> list[str]:
    """The last tokens before a stop word, at most six."""
    start = len(tokens)
    while start > 0 and len(tokens) - start < 6 and tokens[start - 1].lower() not in _STOP_WORDS:
        start -= 1
    return tokens[start:] or [token for token in tokens[-1:] if token.isupper()]  # "IS", the inception score
