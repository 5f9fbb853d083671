"""A line of output made plain before its values are looked for; every position stays."""

from __future__ import annotations

import re

from environment.metrics.chinese import half_width
from environment.metrics.names import is_metric, split_in

_SETTINGS_GROUP = re.compile(
    r"\b(?:hyper-?)?(?:params?|parameters?|config(?:uration)?|args|arguments|settings)\b[^{\n]{0,30}\{[^}]{0,4000}",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(r"(?:\|[\w-]{1,20}:[\w.+-]{1,20}){2,20}(?= ?=)")
"""Settings between a name and its value, as sacrebleu prints them: ``BLEU|nrefs:1|case:mixed = 31.4``."""
_CONSTRUCTOR = re.compile(r"\b([A-Z][A-Za-z]+)\((?=[^()]{0,400}\w=)[^()]{0,4000}")
_RESULT = re.compile(r"(?:Results?|Output|Metrics?|Scores?|Report|Stats)$")
"""What a tuple of results is called: ``TrainOutput(training_loss=0.21)``."""
_NAMED_PAIR = re.compile(r"\((?P<name>\s?([\"'])[\w /@.-]{1,40}\2),(?=\s?[-+]?(?:\d|\.\d)[\d.e+-]*\s?\))")
"""A name with its value, as in ``OrderedDict([('val_loss', 0.31)])``."""
_CONDITION = re.compile(
    r"(?:(?<=\w )|(?<=\w))\((?P<subject>\w{1,40})\s?[<>=!]?=\s?[\w.+-]{1,40}\)(?=\s?[:=])"
    r"|@\w=\d+(?=\s?[:=])|@\d?\.\d+[:-]\d?\.\d+(?=\s?[:=])|@\s?\[[^\[\]]{1,80}\](?=\s?[:=])"
)
"""What a value was measured under, which is part of its name: ``accuracy (k=5): 0.7``, ``mAP@[0.5:0.95]: 0.4``."""
_NOTES = re.compile(r"(?P<subject>\b[\w-]{1,30}) ?\(\w[\w .-]{0,20}(?:, ?[A-Za-z][\w .-]{0,20}){1,3}\)(?=\s?[:=])")
"""Several notes on which of its kind a metric is: ``AUROC (macro, OvR): 0.9``."""
LOGGED = re.compile(r"^\s*\[[^\[\]]{0,80}\d\d:\d\d:\d\d[^\[\]]{0,80}\]:?")
"""When and by whom a line was logged: ``[01/31 10:00:00 d2.utils.events]:``."""
_FORM_OF_TIME = re.compile(r"\(h:mm:ss or m:ss\)")
"""What GNU's time notes behind a name."""
_PARTING, _JOINED = ":=|[]<> ,", "\ue000\ue001\ue002\ue003\ue004\ue005\ue006\ue007\ue008"
_AS_ONE, _AS_WRITTEN = str.maketrans(_PARTING, _JOINED), str.maketrans(_JOINED, _PARTING)
_NUMBER = r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|nan|inf)"
_WRAPPED = re.compile(
    rf"(?:\b[A-Za-z]\w{{0,10}}\.){{0,2}}\b(?:tensor|array|(?:b?float|int|uint)\d{{1,3}})\(\s?\[{{0,2}}\s?"
    rf"(?P<value>{_NUMBER})\s?\]{{0,2}}(?P<rest>,\s?(?=[A-Za-z])[^()]{{0,200}}(?:\([^()]{{0,80}}\)[^()]{{0,80}})?)?\)"
    rf"|<tf\.(?:Tensor|Variable)[^<>]{{0,120}}numpy=(?P<numpy>{_NUMBER})>",
    re.IGNORECASE,
)
"""A number in the dress of its library: ``np.float64(0.9)``, ``tensor(0.9, device='cuda:0')``."""
_AREA = re.compile(r"\barea under (?:the )?(?:roc )?curve\b", re.IGNORECASE)
_ARGUMENTS = re.compile(r"\b(?P<called>[A-Za-z][\w.]{1,40})(?P<given>\([A-Za-z_][\w.]*(?:,\s?[\w.=]+)+\))(?=\s?[:=])")
"""What a value was computed from: ``accuracy_score(y_test, predicted) = 0.9``."""
_LEADER = re.compile(rf"(?<=[\w)\]])[ \t]?(?:(?:[ .]{{3,80}}(?<=\.\.)|…)[ \t]?[:=]?|[-–—]>|→)[ \t]?(?={_NUMBER})")
"""Dots or an arrow that lead from a name to its value."""
_MEASURED = re.compile(r"(?:\d\.\d+(?:e[-+]?\d+)?|\d\s?%)\s?$", re.IGNORECASE)
"""Before an arrow it is what a value was before, and no name."""
_LONGEST_NUMBER = 24
_CHANGED = re.compile(
    rf"[ ](?:has )?(?:(?:de|in)creased|improved|dropped|reduced|went)[ ]\(?(?:from[ ])?{_NUMBER}%?[ ]?(?:[-=]+>|→)[ ]?"
    rf"(?={_NUMBER})",
    re.IGNORECASE,
)
"""What stands between a name and the value that it has now: "loss decreased (0.51 --> 0.48)"."""
_OF_SPLIT = re.compile(
    rf"(?<![\w/-])(?P<split>tr(?:ain|n)?|va(?:l(?:id)?)?|dev|te(?:st)?)[ ](?=[ ]*{_NUMBER}(?![\w]))", re.IGNORECASE
)
_DECIMAL = re.compile(r"[ ]*[-+]?\d*\.\d")
_DECIMAL_ALONE = re.compile(r"(?:^|[ \t]{2})(?:[A-Za-z]\w{0,30}[ ])?[-+]?\d*\.\d+(?: (?:±|\+/?-) ?[\d.]+)?[ \t]{2,}$")
"""The column of one value, with or without its name, at the end of a text."""
_SIZES = re.compile(r"split|ratio|samples|size", re.IGNORECASE)


def plain(line: str) -> str:
    """The line without settings, numbers undressed, and names whole."""
    line = half_width(line.replace("**", "  ") if "**" in line else line)
    line = LOGGED.sub(lambda match: " " * len(match.group()), line) if line.lstrip().startswith("[") else line
    line = _FORM_OF_TIME.sub(lambda match: " " * len(match.group()), line) if "(h:" in line else line
    line = _AREA.sub(lambda match: "AUC".ljust(len(match.group())), line) if " under " in line else line
    return _with_whole_names(
        _without_settings(_undressed(_without_arguments(_of_splits(_paired(_led(_changed(line)))))))
    )


def as_written(name: str) -> str:
    """A name of a plain line as its own line spells it."""
    return name.translate(_AS_WRITTEN)


def _changed(line: str) -> str:
    if ">" not in line and "→" not in line:
        return line
    return _CHANGED.sub(lambda match: ":".ljust(len(match.group())), line)


def _of_splits(line: str) -> str:
    """Lead from each split to its value where a line has nothing else before it: ``tr 0.41 | va 0.51``."""
    found = list(_OF_SPLIT.finditer(line))
    is_led = len({match["split"].lower() for match in found}) > 1 or (len(found) == 1 and _is_apart(line, found[0]))
    if not is_led or _SIZES.search(line):
        return line
    return _OF_SPLIT.sub(lambda match: f"{match['split']}:", line)


def _is_apart(line: str, split: re.Match[str]) -> bool:
    """Whether a split stands in a column of its own behind a metric: ``rmse 53.84  mae 43.89  train 52.18``."""
    before = line[: split.start()]
    if not before.endswith(("  ", "\t")) or not is_metric(before) or not _DECIMAL.match(line, split.end()):
        return False
    return _DECIMAL_ALONE.search(before) is not None


def _paired(line: str) -> str:
    return _NAMED_PAIR.sub(lambda match: f"({match['name']}:", line) if "(" in line and "," in line else line


def _led(line: str) -> str:
    if ">" not in line and "→" not in line and ".." not in line and "…" not in line:
        return line

    def led(match: re.Match[str]) -> str:
        is_change = _MEASURED.search(line, max(0, match.start() - _LONGEST_NUMBER), match.start())
        return match.group() if is_change else ":".ljust(len(match.group()))

    return _LEADER.sub(led, line)


def _without_arguments(line: str) -> str:
    if "(" not in line:
        return line

    def called(match: re.Match[str]) -> str:
        is_value = is_metric(match["called"])
        return match["called"] + " " * len(match["given"]) if is_value else match.group()

    return _ARGUMENTS.sub(called, line)


def _undressed(line: str) -> str:
    if "(" not in line and "<tf." not in line:
        return line

    def bare(match: re.Match[str]) -> str:
        group = "numpy" if match["numpy"] else "value"
        before, after = match.start(group) - match.start(), match.end() - match.end(group)
        return " " * before + match[group] + " " * after

    return _WRAPPED.sub(bare, line)


def _with_whole_names(line: str) -> str:
    """Let no condition part a name."""
    if "(" not in line and "@" not in line:
        return line

    def joined(match: re.Match[str]) -> str:
        subject = match["subject"] or ""
        is_value = is_metric(subject) or split_in(subject) is not None
        return match.group() if is_value else match.group().translate(_AS_ONE)

    def noted(match: re.Match[str]) -> str:
        is_metrics = is_metric(match["subject"]) and split_in(match.group()) is None
        return match.group().translate(_AS_ONE) if is_metrics else match.group()

    line = _CONDITION.sub(joined, line)
    return _NOTES.sub(noted, line) if "," in line else line


def _without_settings(line: str) -> str:
    """Blank out parameter dictionaries and constructor calls, and the settings that follow a name behind bars."""
    if "|" in line:
        line = _SIGNATURE.sub(lambda match: " " * len(match.group()), line)
    if "{" not in line and "(" not in line:
        return line

    def blank(match: re.Match[str]) -> str:
        if match.re is _CONSTRUCTOR and _RESULT.search(match.group(1)):
            return match.group()[len(match.group(1)) + 1 :].rjust(len(match.group()))
        if match.re is _CONSTRUCTOR and is_metric(match.group(1)):
            return match.group()
        return " " * len(match.group())

    return _CONSTRUCTOR.sub(blank, _SETTINGS_GROUP.sub(blank, line))
