"""Tells curves of one name apart that belong to several data sets, models or runs of one output."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from environment.metrics.listed import is_listed
from environment.metrics.names import Split, is_aggregate, is_counter, is_metric, split_in
from environment.metrics.value import Field
from environment.records import MetricPoint

_KINDS = (
    "data ?sets?|run|seed|fold|trial|model|experiment|exp|variant|task|corpus|domain|subset|environment|env|method"
    "|classifier|repeat|replicate|config(?:uration)?|setting|game|target"
)
_HEADING = re.compile(
    r"\W*(?:(?:running|training|evaluating|starting|processing|begin(?:ning)?|results?)\s+(?:on|for|of|with)?"
    r"\s*(?:the )?)?"
    rf"(?P<part>(?:{_KINDS})\b\s*[:=#-]?\s*(?P<which>[\w.+'\"-]{{1,40}}(?:[ =][\w.+-]{{1,20}}){{0,2}}))"
    r"(?:\s*(?:/|of)\s*\d+)?(?:\s*\([^()]{0,40}\)|,\s\d[\d,]* [a-z]{2,20})?\W*",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\W*(?:training|evaluating|running|testing|experiment|results)\s+(?:on|for|with)\s+(?:the\s+)?"
    r"(?!(?:c|g|t)pu|cuda|mps|device|full|all\b|\d+ )(?P<which>[\w.+-]{2,40})\W*",
    re.IGNORECASE,
)
_TRIAL = re.compile(r"\W*results? for (?P<which>\w+_[0-9a-f]{5}_\d{5}|\w+_\w+_\d+)\W*", re.IGNORECASE)
"""One trial of Ray Tune, named after the function that trains."""
_END = re.compile(
    r"\W*(?:summary|overall|final|all |aggregate|average|mean|done|finished|total|comparison)\b", re.IGNORECASE
)
_PREFIX = re.compile(
    r"\s*(?:\[(?P<boxed>[A-Za-z][\w.+-]{0,40}(?:[ =][\w.+-]{1,20}){0,3}|[A-Za-z][\w+(),|= -]{0,60})\](?::\s?|\s)"
    r"|(?P<plain>[A-Za-z][\w.+-]{0,40}(?:[ =][\w.+-]{1,20}){0,3})\s*(?:[:|]|[-=]+>|→)\s(?=.*[A-Za-z]))"
)
_FIELD = re.compile(rf"""["'](?:{_KINDS})["']:\s?["'](?P<which>[^"']{{1,40}})["']""", re.IGNORECASE)
"""What a line of JSON says that it is of: ``"model": "baseline"``."""
_COLUMNS = re.compile(r"[^:]{1,40}:\s{2,}\S[^:]{0,40}\s{2,}[^:]+:\s")
"""Names and values in two columns, as summaries of statsmodels have them."""
_NO_PART = re.compile(
    r"(?:info|warn\w*|debug|error|root|results?|final|best|last|metrics?|summary|scores?|eval\w*|ep(?:och)?|step|iter\w*"
    r"|batch|round|time|baseline|overall|wandb|output|done|new best|average|total|report)(?:\s*#?\d+)?",
    re.IGNORECASE,
)
_LEVEL = re.compile(r"(?:info|warn\w*|debug|error)\b", re.IGNORECASE)
_COUNTS_WITHIN = re.compile(r"\b(?:ep(?:och)?|step|iter(?:ation)?|round|batch)\W{0,2}\d", re.IGNORECASE)
_ORDER = re.compile(r"\b[A-Z]{2,8}\(\d[\d, ]*\)")
"""A model of time series with its order, which has the letters of a metric: ``AR(14)``."""
_COUNTED = re.compile(r"(?:ep(?:och)?|step|iter(?:ation)?|round|batch|[eist])\W{0,2}\d", re.IGNORECASE)
_FITTED = re.compile(r"Fitting model: (?P<which>[\w.-]{1,60}) \.\.\.")
"""A model of AutoGluon's."""
_RULED = re.compile(
    r"\s*(?:[=*~-]{2,}|#{2,6})[ \t]+(?P<which>[A-Za-z][\w.+-]{0,30}(?: [\w(][\w.+()-]{0,19}){0,3}):?[ \t]*"
    r"(?P<end>[=*~#-]{2,})?\s*"
)
"""A heading between rules, as of one model of several: ``=== ResNet18 ===``."""
_STAGE = re.compile(
    r"\b(?:step|stage|phase|part|section|epochs?|iter\w*|round|fold|results?|config\w*|settings?|hyper\w*|data|report"
    r"|metrics?|setup|start\w*|begin\w*|end|done|complete\w*|finished|info|device|output|log|model|table|history"
    r"|(?!boost|bagg|stack|blend|vot|spik)\w+ing)\b",
    re.IGNORECASE,
)
"""What a heading tells that is of a script's course and of no model."""
_TASK = re.compile(r".{0,120}\bcopypaste: Task: (?P<which>\w{1,40})")
"""What the values of detectron2 below it are of."""
_ALL_RUNS = re.compile(r"\W*all \w+:\s*", re.IGNORECASE)
_SET = re.compile(r"\b(?P<which>\w{1,20}_\d{1,2})(?:'s |-)[\w@.-]{1,30}\s?[:=]?\s?$")
"""A data set of several that a boosting library is given: ``validation_1-auc``, ``valid_1's auc``."""
_CLASS = re.compile(
    r"\b(?:acc(?:uracy)?|iou|f1|precision|recall|ap|auc|dice)\s+(?:of|for)\s+(?:class:?\s+)?"
    r"(?!(?:the|this|our|all|my|each|model|network|ensemble|best|final|overall|epoch|average|mean)\b)"
    r"(?P<which>[A-Za-z][\w-]{1,30})\s*(?::|=|is)\s?$",
    re.IGNORECASE,
)
"""What one class has: "Accuracy of airplane: 70 %", "Accuracy for class: plane is 57.9 %"."""
_STEP = re.compile(r"\b(?:step|iter(?:ation)?)\b\W{0,3}\d", re.IGNORECASE)
_WHOLE_RUN = re.compile(r"\b(?:final|best|overall|finished|total)\b", re.IGNORECASE)

_LOOK_BACK = 60

_Key = tuple[str, Split | None, str]


def part_of_heading(line: str) -> str | None:
    """The data set, model or run that a line without values announces; "" where it ends them; else ``None``."""
    trial = _TRIAL.fullmatch(line)
    if trial is not None:
        return trial["which"]
    found = _HEADING.fullmatch(line) or _ON.fullmatch(line)
    if found is not None and not is_metric(found["which"]) and split_in(found["which"]) is None:
        which = found["which"].strip("'\"")
        return which if len(which) > 1 and not which[0].isdigit() else " ".join(found["part"].split())
    if (line[:1] in "=#*-" and _END.match(line)) or _ALL_RUNS.fullmatch(line):
        return ""
    return _part_of_rule(line)


def _part_of_rule(line: str) -> str | None:
    """What a heading between rules names, unless it is a stage of the script's."""
    found = _TASK.match(line) or (_RULED.fullmatch(line) if rule_of(line) else None)
    if found is None:
        return None
    which = found["which"]
    is_stage = _STAGE.search(which) or _END.match(which) or is_metric(which) or split_in(which)
    return None if is_stage else which


def rule_of(line: str) -> str:
    """The character of the rules that a heading stands between; "" for other lines, and for one that only counts."""
    found = _RULED.fullmatch(line)
    if found is None or not (found["end"] or line.lstrip().startswith("##")) or _COUNTED.match(found["which"]):
        return ""
    return line.lstrip()[0]


def part_of_fitting(line: str) -> str | None:
    """The model whose fit a line begins, however long it is."""
    fitted = _FITTED.match(line)
    return fitted["which"] if fitted else None


def sets_of(line: str, fields: Sequence[Field]) -> list[str]:
    """The data set of each value of a line that has one metric of several, the class of an only value; else ""."""
    if len(fields) == 1:
        found = _CLASS.search(line[max(0, fields[0].start - _LOOK_BACK) : fields[0].start + 1])
        return [found["which"] if found and split_in(found["which"]) is None else ""]
    counted = Counter((field.name, field.split) for field in fields)
    if len(counted) == len(fields):
        return [""] * len(fields)
    named = [_SET.search(line[max(0, field.start - _LOOK_BACK) : field.start + 1]) for field in fields]
    return [
        found["which"] if found and counted[field.name, field.split] > 1 else ""
        for field, found in zip(fields, named, strict=True)
    ]


def distinguished(points: Iterable[MetricPoint]) -> list[MetricPoint]:
    """The points, each with the part it belongs to where one name has values of several.

    A part is what lines of one metric begin with ("cora: test accuracy 0.81"), in front of the seed or fold that a
    value is of, or the count of a run where epochs begin anew.
    """
    points = _without_lone_parts(list(points))
    groups: defaultdict[_Key, list[int]] = defaultdict(list)
    for n, point in enumerate(points):
        groups[_key(point)].append(n)
    parts = {
        n: part for group in groups.values() for n, part in zip(group, _parts([points[n] for n in group]), strict=True)
    }
    if not any(parts.values()):
        return points
    before: Counter[_Key] = Counter()
    within: Counter[_Key] = Counter()
    parted = []
    for n, point in enumerate(points):
        new = point.model_copy(update={"part": parts[n]}) if parts[n] else point
        if point.step == before[_key(point)] and new is not point:  # it was counted, not read
            new = new.model_copy(update={"step": within[_key(new)]})
        before[_key(point)] += 1
        within[_key(new)] += 1
        parted.append(new)
    return parted


def _without_lone_parts(points: list[MetricPoint]) -> list[MetricPoint]:
    """The points; of a name that all lies in one part, without it."""
    parts: defaultdict[tuple[str, Split | None], set[str]] = defaultdict(set)
    for point in points:
        parts[point.name, point.split].add(point.part)
    return [
        point.model_copy(update={"part": ""}) if point.part and len(parts[point.name, point.split]) == 1 else point
        for point in points
    ]


def _key(point: MetricPoint) -> _Key:
    return point.name, point.split, point.part


def _parts(points: Sequence[MetricPoint]) -> Sequence[str]:
    """The part of each point of one name and split; "" where it needs none."""
    part = points[0].part
    if len(points) < 2 or (part and not is_listed(part)):
        return [""] * len(points)
    begun = [_prefix(point) for point in points]
    if len(set(begun) - {""}) > 1:
        return [f"{begin} {part}".strip() for begin in begun]
    if part:
        return [""] * len(points)
    runs = _runs(points)
    sizes = Counter(run for run in runs if run)
    if sum(size > 1 for size in sizes.values()) < 2:
        return [""] * len(points)
    return [f"run {run}" if run else "" for run in runs]


def _prefix(point: MetricPoint) -> str:
    if point.text.startswith("{"):
        of = _FIELD.search(point.text)
        return of["which"] if of else ""
    found = None if _COLUMNS.match(point.text) else _PREFIX.match(point.text)
    label = (found["boxed"] or found["plain"]) if found else ""
    if not label or _COUNTED.match(label) or label in point.name or _NO_PART.fullmatch(label):
        return ""
    if _LEVEL.match(label) or _COUNTS_WITHIN.search(label):
        return ""
    return (
        "" if split_in(label) or is_metric(_ORDER.sub("", label)) or is_aggregate(label) or _is_count(label) else label
    )


def _is_count(label: str) -> bool:
    """Whether a label only counts ("Epoch 3"); a numbered fold or trial is a part."""
    bare = label.rstrip("0123456789#= /")
    if bare.lower() in ("fold", "trial"):
        return False
    return is_counter(bare)


def _runs(points: Sequence[MetricPoint]) -> list[int]:
    """Which run each point is of, from 1; one begins where the first epoch or step comes again. 0 for all of them."""
    run, first, last = 1, None, None
    runs = []
    for point in points:
        time = point.step if point.epoch is None and _STEP.search(point.text) else point.epoch
        if time is None or _WHOLE_RUN.search(point.text):
            runs.append(0)
            continue
        if first is None:
            first = time
        elif last is not None and last > time and time <= first:
            run += 1
        last = time
        runs.append(run)
    return runs
