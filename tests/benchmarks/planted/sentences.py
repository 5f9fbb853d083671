"""Sentences about made-up experiments, true by construction or with one falsehood, in several writers' wordings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import yaml

from tests.benchmarks.planted.experiments import EPOCHS, Arm, Experiments

WORDINGS = Path(__file__).parents[2] / "evaluation" / "claims" / "wordings"
_SLOT = re.compile(r"\{(\w+)\}")
_OF_BASELINE = re.compile(r"baseline|starting point|reference")
_IN_TIME = re.compile(r"previous|earlier|before|last|again|\bnow\b|went from|back to|once")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven")
_OF_CURVE = {"trend", "peak", "epoch"}

Slots = Mapping[str, str]


@dataclass(frozen=True)
class Sentence:
    """A sentence, whether it is true, of which type, and the wording that it fills in."""

    text: str
    is_true: bool
    type: str
    wording: str


@dataclass(frozen=True)
class _Chosen:
    """What a sentence speaks of."""

    made: Experiments
    a: Arm
    b: Arm


def wordings(writer: str) -> Mapping[str, Sequence[str]]:
    """A writer's wordings by type of claim."""
    found: Mapping[str, Sequence[str]] = yaml.safe_load((WORDINGS / f"{writer}.yaml").read_text())
    return found


def sentences(made: Experiments, style: str, written: Mapping[str, Sequence[str]], random: Random) -> list[Sentence]:
    """One true sentence of each type that the experiments bear out, and the same with a falsehood."""
    found: list[Sentence] = []
    for kind, listed in written.items():
        wording = random.choice(listed)
        if chosen := _chosen(made, style, kind, wording, random):
            told = random.choice(made.metric.said)
            true = _slots(chosen) | {"M": told}
            false = {**true, **_FALSE[kind](chosen, true, random)}
            pair = [(filled(wording, slots), slots is true) for slots in (true, false)]
            if pair[0][0] != pair[1][0]:
                found += [Sentence(text, is_true, kind, wording) for text, is_true in pair]
    return found


def filled(wording: str, slots: Slots) -> str:
    text = _SLOT.sub(lambda slot: slots[slot[1]], wording)
    return text[0].upper() + text[1:] if re.match(r"(?:the|gradient|label|extra|data|weight) ", text) else text


def _chosen(made: Experiments, style: str, kind: str, wording: str, random: Random) -> _Chosen | None:
    """What a sentence of that type can truly speak of; ``None`` where it cannot."""
    needs_curve = kind in _OF_CURVE and not (made.is_deep and style in ("command", "edit"))
    if needs_curve or (kind == "seeds" and style != "seeds"):
        return None
    a, b = _pair(made, wording, random)
    if kind == "order" and not made.is_better(a, b):
        a, b = b, a
        if "{A}" not in wording or "{B}" not in wording or _IN_TIME.search(wording) or _OF_BASELINE.search(wording):
            return None
    if kind in ("trend", "peak"):
        fitting = [arm for arm in made.arms if arm.is_steady(made.metric.higher) == (kind == "trend")]
        a = random.choice(fitting or [a]) if "{A}" in wording else a
        if a not in fitting:
            return None
    return _Chosen(made, a, b)


def _pair(made: Experiments, wording: str, random: Random) -> tuple[Arm, Arm]:
    """The two that are spoken of: where one is not named, it is the latest, or the one that the words call so."""
    if "{A}" in wording and "{B}" in wording:
        a, b = random.sample(made.arms, 2)
        if _OF_BASELINE.search(wording):
            return (a if a is not made.arms[0] else b), made.arms[0]
        if _IN_TIME.search(wording) and made.arms.index(a) < made.arms.index(b):
            a, b = b, a
        return a, b
    a = random.choice(made.arms[1:]) if "{A}" in wording else made.arms[-1]
    if "{B}" in wording and a is made.arms[-1]:
        return a, random.choice(made.arms[:-1])
    return a, made.arms[0] if "baseline" in wording else made.arms[made.arms.index(a) - 1]


def _slots(chosen: _Chosen) -> dict[str, str]:
    """What stands in each slot of a true sentence."""
    made, a, b = chosen.made, chosen.a, chosen.b
    show, ranked = made.metric.shown, made.ranked()
    peak = max(range(EPOCHS), key=lambda n: a.curve[n] if made.metric.higher else -a.curve[n])
    apart = abs(a.value - b.value)
    unit = f"{apart:.2f} points" if made.metric.percent else show(apart)
    beating = sum(made.is_better(arm, made.arms[0]) for arm in made.arms[1:])
    middle = EPOCHS // 2
    return {
        "A": a.said, "B": b.said, "a": show(a.value), "b": show(b.value), "d": unit,
        "p": f"{apart / b.value * 100:.1f}%", "f": f"{max(a.value, b.value) / min(a.value, b.value):.2f}",
        "up": "higher" if a.value > b.value else "lower", "rose": "rose" if a.value > b.value else "fell",
        "raised": "raised" if a.value > b.value else "lowered", "better": "better" if made.is_better(a, b) else "worse",
        "best": ranked[0].said, "worst": ranked[-1].said, "second": ranked[1].said,
        "best_v": show(ranked[0].value), "worst_v": show(ranked[-1].value), "second_v": show(ranked[1].value),
        "n": str(len(made.arms)), "N": _WORDS[len(made.arms)], "k": str(beating), "K": _WORDS[beating],
        "e": str(middle), "a_e": show(a.curve[middle - 1]), "e1": "1", "a_1": show(a.curve[0]), "eL": str(EPOCHS),
        "a_L": show(a.curve[-1]), "e_best": str(peak + 1), "a_best": show(a.curve[peak]),
        "s": str(len(a.seeds)), "m": show(a.value), "sd": show(a.std),
    }  # fmt: skip


def _other_value(chosen: _Chosen, true: Slots, random: Random) -> Slots:
    """Another's value in place of the right one, or one that nothing printed."""
    show, own = chosen.made.metric.shown, chosen.a.value
    other = random.choice([arm.value for arm in chosen.made.arms if arm.value != own])
    return {"a": show(random.choice((other, own + (other - own) * 0.37)))}


def _other_distance(chosen: _Chosen, true: Slots, random: Random) -> Slots:
    """A distance that is far too large, in whichever way it is told."""
    made, a, b = chosen.made, chosen.a, chosen.b
    apart = abs(a.value - b.value) * random.uniform(1.4, 2.5)
    factor = 1 + (max(a.value, b.value) / min(a.value, b.value) - 1) * 2 + 0.2
    unit = f"{apart:.2f} points" if made.metric.percent else made.metric.shown(apart)
    return {"d": unit, "p": f"{apart / b.value * 100:.1f}%", "f": f"{factor:.2f}"}


def _other_extreme(chosen: _Chosen, true: Slots, random: Random) -> Slots:
    """Best and worst changed for each other, with their values or without them."""
    names = {"best": true["worst"], "worst": true["best"]}
    return names | random.choice(({"best_v": true["worst_v"], "worst_v": true["best_v"]}, {}))


def _other_count(chosen: _Chosen, true: Slots, random: Random) -> Slots:
    """One too many, or one too few."""
    others = len(chosen.made.arms) - 1
    k = int(true["k"]) + (1 if int(true["k"]) < others else -1)
    return {"k": str(k), "K": _WORDS[k]}


def _other_course(chosen: _Chosen, true: Slots, random: Random) -> Slots:
    """A course that is another one's."""
    higher = chosen.made.metric.higher
    others = [arm for arm in chosen.made.arms if not arm.is_steady(higher)]
    if not others:
        return {}
    return {slot: _slots(replace(chosen, a=others[0]))[slot] for slot in ("A", "a_1", "a_L")}


def _other_peak(chosen: _Chosen, true: Slots, random: Random) -> Slots:
    return {"e_best": random.choice([str(n) for n in range(1, EPOCHS) if str(n) != true["e_best"]])}


_FALSE: Mapping[str, Callable[[_Chosen, Slots, Random], Slots]] = {
    "value": _other_value,
    "pair": lambda chosen, true, random: {"a": true["b"], "b": true["a"]},
    "order": lambda chosen, true, random: {"A": true["B"], "B": true["A"]},
    "change": _other_distance,
    "extreme": _other_extreme,
    "count": _other_count,
    "trend": _other_course,
    "peak": _other_peak,
    "epoch": lambda chosen, true, random: {"a_e": true["a_L"]},
    "seeds": lambda chosen, true, random: {"m": _other_value(chosen, true, random)["a"]},
}
"""What is put in place of the truth, by type of claim."""
