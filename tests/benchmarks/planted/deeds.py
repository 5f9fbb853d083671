"""Made-up sessions of edits, runs and failures, with sentences about what was done, true or with one falsehood.

A session is a row of rounds: something is changed and run, perhaps it fails and is mended, perhaps to no avail. After
each action stand sentences about it, at the end some about all. Where a log is ``torn``, one action is unreadable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

import yaml

from environment.records import Action
from evaluation.importers.results import UNREADABLE
from evaluation.record.log import Exchange, LogStep, RunLog
from tests.benchmarks.planted.sentences import WORDINGS, Sentence, filled

DEEDS = WORDINGS / "deeds"
STYLES = ("whole", "torn")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_FAILURES: Mapping[str, str] = {
    "memory": "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
    "shape": "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x128 and 256x10)",
    "file": "FileNotFoundError: [Errno 2] No such file or directory: 'data/train.csv'",
    "key": "KeyError: 'label'",
    "module": "ModuleNotFoundError: No module named 'lightgbm'",
    "nan": "ValueError: Input X contains NaN.",
    "argument": "TypeError: fit() got an unexpected keyword argument 'sample_weights'",
}
"""What the last line of an output says, by the kind of failure."""
_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "lr": ("0.001", "0.003", "0.01", "0.03", "0.1"),
    "hidden": ("32", "64", "128", "256", "512"),
    "dropout": ("0.1", "0.2", "0.3", "0.4", "0.5"),
    "batch_size": ("16", "48", "96", "144", "200"),
    "epochs": ("4", "8", "12", "20", "40"),
}
_OPTIMIZERS = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")
_FILES = ("train.py", "model.py", "config.py", "data.py")

Written = Mapping[str, Mapping[str, Sequence[str]]]
"""A writer's ``sentences`` by type, ``failures`` by kind, and how a setting is ``called``, ``grown``, ``shrunk``."""


def wordings(writer: str) -> Written:
    """What a writer wrote."""
    found: Written = yaml.safe_load((DEEDS / f"{writer}.yaml").read_text())
    return found


@dataclass
class Session:
    """A log in the making, and what its actions have been so far."""

    random: Random
    written: Written
    steps: list[LogStep] = field(default_factory=list)
    told: dict[int, Sentence] = field(default_factory=dict)
    edited: list[str] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    runs: int = 0

    def tell(self, kind: str, true: Mapping[str, str], false: Mapping[str, str] | None = None) -> None:
        """Say what is true; and where what is false is given, that as well."""
        wording = self.random.choice(self.written["sentences"][kind])
        self._say(kind, wording, true, is_true=True)
        if false is not None and filled(wording, {**true, **false}) != filled(wording, true):
            self._say(kind, wording, {**true, **false}, is_true=False)

    def lie(self, kind: str, false: Mapping[str, str]) -> None:
        """Say what is false."""
        self._say(kind, self.random.choice(self.written["sentences"][kind]), false, is_true=False)

    def _say(self, kind: str, wording: str, slots: Mapping[str, str], *, is_true: bool) -> None:
        text = filled(wording, slots)
        text = text[0].upper() + text[1:]
        self.told[len(self.steps)] = Sentence(text, is_true, kind, wording)
        self.steps.append(LogStep(prose={"response": text}))

    def failure(self, kind: str) -> str:
        """What a kind of failure is called."""
        return self.random.choice(self.written["failures"][kind])

    def edit(self, file: str, old: str, new: str) -> None:
        """Put one line in the place of another."""
        action = Action(name="Edit", args={"file_path": file, "old_string": old, "new_string": new})
        self.do(action, f"The file {file} has been updated.")
        self.edited.append(file)

    def run(self, output: str) -> None:
        """Run the script."""
        self.do(Action(name="Bash", args={"command": "python train.py"}), output)
        self.runs += 1

    def do(self, action: Action, seen: str) -> None:
        """Take an action."""
        self.steps.append(LogStep(exchanges=(Exchange(action=action, observation=seen),)))


def session(written: Written, style: str, random: Random) -> tuple[RunLog, Mapping[int, Sentence]]:
    """A log, and the sentence that each step of prose says."""
    made = Session(random, written)
    _measure(made, random.uniform(0.6, 0.7))
    rounds = random.sample((_tune, _tune, _swap, _break, _break), random.randint(2, 4))
    if style == "torn":
        rounds.insert(random.randrange(len(rounds)), _tear)
    for each in rounds:
        each(made)
    _conclude(made, is_torn=style == "torn")
    return RunLog(source="planted", steps=tuple(made.steps)), made.told


def _tear(made: Session) -> None:
    """Something is done of which the log holds nothing."""
    made.do(Action(name="bash", args={"command": UNREADABLE}), UNREADABLE)


def _measure(made: Session, value: float) -> None:
    """A run that goes well."""
    made.results.append(round(value, 4))
    made.run(f"loading data\nval_acc: {value:.4f}")
    made.tell("ended_well", {})
    made.lie("ended_badly", {})


def _tune(made: Session) -> None:
    """A setting gets another value, and what it comes to is measured."""
    random, name = made.random, made.random.choice(list(_SETTINGS))
    at, to = random.sample(range(5), 2)
    values, grows = _SETTINGS[name], to > at
    file = random.choice(_FILES)
    made.edit(file, f"{name} = {values[at]}", f"{name} = {values[to]}")
    called = random.choice(made.written["called"][name])
    other = random.choice([each for n, each in enumerate(values) if n not in (at, to)])
    true = {"S": called, "old": values[at], "new": values[to], "file": file, "raised": _raised(made, grows)}
    made.tell("set", true, {"new": random.choice((values[at], other))})
    made.tell("set_from", true, random.choice(({"new": other}, {"old": other}, {"old": values[to], "new": values[at]})))
    ways = (made.written["grown"], made.written["shrunk"])
    right, wrong = (random.choice(way[name]) for way in (ways if grows else ways[::-1]))
    made.tell("reworded", {"D": right}, {"D": wrong})
    _measure(made, made.results[-1] + random.choice((-1, 1)) * random.uniform(0.01, 0.03))


def _raised(made: Session, grows: bool) -> str:
    return made.random.choice(made.written["verbs"]["grows" if grows else "shrinks"])


def _swap(made: Session) -> None:
    """One optimizer is put in the place of another."""
    old, new, other = made.random.sample(_OPTIMIZERS, 3)
    made.edit("train.py", f"opt = {old}(model.parameters())", f"opt = {new}(model.parameters())")
    made.tell("swapped", {"old": old, "new": new}, made.random.choice(({"new": other}, {"old": new, "new": old})))
    _measure(made, made.results[-1] + made.random.choice((-1, 1)) * made.random.uniform(0.01, 0.03))


def _break(made: Session) -> None:
    """A run fails, something is done against it, and it fails again or goes well."""
    random = made.random
    kind, other = random.sample(list(_FAILURES), 2)
    trace = (
        f'Traceback (most recent call last):\n  File "train.py", line 41, in <module>\n    main()\n{_FAILURES[kind]}'
    )
    made.run(f"loading data\n{trace}")
    made.tell("failed_by", {"E": made.failure(kind)}, {"E": made.failure(other)})
    made.tell("ended_badly", {})
    made.lie("ended_well", {})
    made.edit(random.choice(_FILES), f"    step({random.randint(1, 9)})", f"    checked_step('{kind}')")
    if random.random() < 0.5:
        made.run(f"loading data\n{trace}")
        made.lie("fixed", {"E": made.failure(kind)})
        made.lie("ended_well", {})
    else:
        _measure(made, made.results[-1] + 0.004)
        made.tell("fixed", {"E": made.failure(kind)})


def _conclude(made: Session, *, is_torn: bool) -> None:
    """What is said of the whole session; where an action is unreadable, it may have been one of those counted."""
    off = made.random.choice((-1, 1, 2))
    for kind, count in (("times", made.runs + is_torn), ("files", len(set(made.edited)))):
        made.tell(kind, _count(count), None if is_torn else _count(max(count + off, 0)))
    gains = [after > before for before, after in pairwise(made.results)]
    if gains and len(gains) == len(made.edited) and not is_torn:
        say = made.tell if all(gains) else made.lie
        say("all_helped", _count(len(gains)))


def _count(number: int) -> dict[str, str]:
    return {"n": str(number), "N": _NUMBERS[number]}


def writers() -> Iterator[str]:
    """Who wrote wordings."""
    yield from sorted(path.stem for path in DEEDS.glob("*.yaml"))
