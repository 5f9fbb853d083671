"""What a deed is done to: its files, its identifiers, its concepts and its plain words, and what code shows them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from keyword import kwlist

from evaluation.claims.reading.rules.vocabulary import concepts, phrases, word_list
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit
from evaluation.record.code import Code, Text
from evaluation.record.events import Event

_FILE = re.compile(
    r"(?<![\w/])[\w./-]+\.(?:py|csv|json|jsonl|txt|md|pt|pth|pkl|npy|npz|yaml|yml|ipynb|sh"
    r"|parquet|log|h5|bin|safetensors|tsv|png|pdf|svg|html|joblib|pickle|ckpt|onnx|conll|zip|gz|xlsx)\b"
)
_TICKED = re.compile(r"`([^`\n]{2,60})`")
_NAME = re.compile(r"\b(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z]?[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}[a-z]+[A-Z]\w*)\b")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
_LISTED = re.compile(r"^\s*\d+:|^[-+]")
_STEM = 4
_LONG = 8
_EPOCHS = re.compile(r"[ -](?:epochs?|iterations|steps|rounds|trees)\b", re.IGNORECASE)
"""Behind a number that is set in code, be it told in a word."""
_WITHOUT = re.compile(
    r"\bwithout (?:(?:any|an?|further|or|major|critical|runtime|errors?|bugs?|crash(?:es|ing)?|exceptions?|failures?"
    r"|problems?|issues?|warnings?)\b ?)+",
    re.IGNORECASE,
)
_COMMON = (*kwlist, "print", "range", "open", "list", "self", "enumerate")
_NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Object:
    """What a clause says was dealt with."""

    files: frozenset[str]
    names: frozenset[str]  # identifiers as code has them, in lower case
    concepts: tuple[tuple[str, ...], ...]  # of each thing that code writes in other words, the forms that it has there
    words: frozenset[str]  # stems of the other words
    numbers: tuple[Number, ...]  # that were set

    @property
    def is_empty(self) -> bool:
        """Whether it names nothing that code could show."""
        return not (self.names or self.concepts or self.words)

    @property
    def is_telling(self) -> bool:
        """Whether it names something that code would have to hold by one of a few forms."""
        return bool(self.names or self.concepts)

    def missing(self, code: Code) -> int:
        """How many of its identifiers and concepts code holds in none of their forms."""
        absent = sum(name not in code and not code.spells(name) for name in self.names)
        return absent + sum(not holds(code, forms) for forms in self.concepts)

    def lacks(self, code: Code, *, names: bool) -> bool:
        """Whether a concept, or also an identifier, stands in none of its forms in code."""
        return any(not holds(code, forms) for forms in self.concepts) or (names and self.missing(code) > 0)

    def coverage(self, code: Code) -> float:
        """The share of all it names that code holds."""
        total = len(self.names) + len(self.concepts) + len(self.words)
        if not total:
            return 0.0
        held = len(self.names) + len(self.concepts) - self.missing(code) + sum(word in code for word in self.words)
        return held / total

    def lacks_number(self, *codes: Code) -> bool:
        """Whether a number that was set stands nowhere in the code."""
        return any(not any(holds_number(code, number.value) for code in codes) for number in self.numbers)


def holds(code: Code, forms: tuple[str, ...]) -> bool:
    """Whether code holds a concept in one of its forms; "<" asks for a word's start."""
    return any(code.begins(form[1:]) if form[0] == "<" else form in code for form in forms)


def object_of(text: str, verbs: str) -> Object:
    """What a clause without its verb speaks of."""
    files = frozenset(name.rpartition("/")[2] for name in _FILE.findall(text))
    bare = _WITHOUT.sub(" ", _FILE.sub(" ", text))
    found = [forms for said, forms in concepts().values() if said.fullmatch(verbs)]
    bare = bare.replace(verbs, " ", 1)
    ticked = [part for part in _TICKED.findall(bare) if re.fullmatch(r"[\w.]+", part)]
    names = {name.lower() for name in (*ticked, *_NAME.findall(bare))}
    for said, forms in concepts().values():
        if said.search(bare):
            found.append(forms)
            bare = said.sub(" ", bare)
    generic = word_list("generic")
    words = {word.lower() for word in _WORD.findall(_NAME.sub(" ", bare))} - generic
    words = {word for word in words if not phrases("imperative").fullmatch(word)}
    stems = frozenset(_stem(word) for word in words)
    return Object(files, frozenset(names), tuple(found), stems, _numbers_set(text))


def _stem(word: str) -> str:
    """The start of a word by which code may hold it; a longer one where many a line of code begins so."""
    return word[:_STEM] if not any(each.startswith(word[:_STEM]) for each in _COMMON) else word[:_LONG]


def _numbers_set(text: str) -> tuple[Number, ...]:
    """The numbers of a clause that code would hold: not those before a change, not times, not in names."""
    found = []
    for number in find_numbers(text):
        before = text[: number.start].rstrip().lower()
        is_old = before.endswith("from") or before.endswith("instead of")
        in_name = bool(re.search(r"[A-Za-z_`./-]$", text[: number.start]))
        is_word = number.text[0].isalpha() and not (number.value > 1 and _EPOCHS.match(text[number.end :]))
        is_set = number.unit is Unit.NONE and not number.approximate
        if is_set and not (is_old or in_name or is_word):
            found.append(number)
    return tuple(found)


def holds_number(code: Code, value: float) -> bool:
    """Whether code holds a value, also as a percentage or as a power."""
    return any(code.sets(each) for each in (value, value / 100, -value))


def sets_other_number(text: str, edit: Event) -> bool:
    """Whether an edit gives what a clause sets to a number another number, on every line that names it."""
    at = 0
    for number in _numbers_set(text):
        phrase = re.split(r"[,;]|\band\b", text[at : number.start])[-1]
        at = number.end
        what = object_of(phrase, "")
        if not re.search(r"\b(?:to|of|at|=)\s*$", phrase) or what.is_empty or what.missing(Text(edit.difference)):
            continue
        shown = f"{edit.added}\n{edit.observation}".lower()
        lines = [
            line
            for line in shown.splitlines()
            if what.coverage(Text(line)) == 1 and _NUMBER.search(_LISTED.sub("", line))
        ]
        written = [line for line in edit.added.lower().splitlines() if what.coverage(Text(line)) > 0]
        if lines and not any(holds_number(Text(_LISTED.sub("", line)), number.value) for line in (*lines, *written)):
            return True
    return False
