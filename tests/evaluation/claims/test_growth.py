"""What an audit costs grows as the run does, not as its square."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Iterator
from time import process_time

import pytest

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.claims.reading.rules.prose import LONGEST
from evaluation.claims.reading.rules.reader import read_by_rules
from evaluation.record.log import Exchange, LogStep, RunLog
from evaluation.record.run import RunModel

_SAID = (
    "The test accuracy is {value:.3f}, which is better than the baseline by {points} points. "
    "I added layer_{points} and trained for 20 epochs. This is the best result so far. "
    "The script failed again because of memory. I fixed the error in train.py."
)

_MODELS = ("plain ridge", "ridge on logs", "random forest", "deep forest", "gradient boosting", "small mlp", "wide mlp")


def long_run(steps: int) -> RunLog:
    return RunLog(source="long", steps=tuple(_step(n) for n in range(steps)))


def _step(n: int) -> LogStep:
    value = 0.5 + n * 37 % 400 / 1000
    printed = "\n".join(f"epoch {at} loss {1 / (at + 1):.4f} val_acc {value - 0.1 + at / 1000:.4f}" for at in range(20))
    if n % 2:
        action = Action(name="Bash", args={"command": f"python train.py --lr 0.{n:04d}"})
        done = Exchange(action=action, observation=f"{printed}\nTest accuracy: {value:.4f}")
    else:
        code = "\n".join(f"x{n}_{at} = layer_{at}({at})" for at in range(20))
        action = Action(name="Write", args={"file_path": "train.py", "content": code})
        done = Exchange(action=action, observation="File created successfully")
    return LogStep(prose={"text": _SAID.format(value=value, points=n % 7)}, exchanges=(done,))


def run_of_single_values(steps: int) -> RunLog:
    """A run that measures a new value in each step and then says it."""
    return RunLog(source="values", steps=tuple(step for n in range(steps) for step in _value_and_claim(n)))


def _value_and_claim(n: int) -> tuple[LogStep, LogStep]:
    action = Action(name="bash", args={"command": "python train.py"})
    done = Exchange(action=action, observation=f"test accuracy: {0.5 + n / 10_000:.4f}")
    return LogStep(exchanges=(done,)), LogStep(prose={"text": f"The test accuracy is {0.5 + n / 10_000:.4f}."})


def run_of_one_value(lines: int, line: str = "accuracy: 0.5") -> RunLog:
    """A run that prints the same line over and over, then says the value."""
    done = Exchange(action=Action(name="bash", args={"command": "python train.py"}), observation=f"{line}\n" * lines)
    said = LogStep(prose={"text": "The accuracy is 0.5. " * 3})
    return RunLog(source="one value", steps=(LogStep(exchanges=(done,)), said))


def run_of_tables(steps: int) -> RunLog:
    """A run that prints a table of the same names in each step and then says a value of one of them."""
    return RunLog(source="tables", steps=tuple(step for n in range(steps) for step in _table_and_claim(n)))


def _table_and_claim(n: int) -> tuple[LogStep, LogStep]:
    values = [0.5 + (37 * n + 101 * row) % 400 / 1000 for row in range(len(_MODELS))]
    lines = [f"{name:<20} {value:.3f} {value / 2:.3f}" for name, value in zip(_MODELS, values, strict=True)]
    action = Action(name="bash", args={"command": "python compare.py"})
    done = Exchange(action=action, observation="\n".join(["model accuracy f1", *lines]))
    said = f"{_MODELS[n % len(_MODELS)].capitalize()} reaches an accuracy of {values[n % len(_MODELS)]:.3f}."
    return LogStep(exchanges=(done,)), LogStep(prose={"text": said})


def run_of_seeds(steps: int) -> RunLog:
    """A run that measures setting after setting under two seeds, then says a mean and an F1 that nothing shows."""
    return RunLog(source="seeds", steps=tuple(step for n in range(steps) for step in _seeds_and_claim(n)))


def _seeds_and_claim(n: int) -> Iterator[LogStep]:
    edit = Action(name="Write", args={"file_path": "train.py", "content": f"width = {n}"})
    yield LogStep(exchanges=(Exchange(action=edit, observation="File created successfully"),))
    for seed in (0, 1):
        action = Action(name="bash", args={"command": f"python train.py --width {n} --seed {seed}"})
        shown = f"test accuracy: {0.5 + n / 10_000 + seed / 100:.4f}\n[[{50 + seed} 3]\n [4 {40 + n}]]"
        yield LogStep(exchanges=(Exchange(action=action, observation=shown),))
    said = f"The mean test accuracy is {0.505 + n / 10_000:.4f}. The F1 is 0.1234. That is better than the baseline."
    yield LogStep(prose={"text": said})


def calls(log: RunLog) -> int:
    profile = cProfile.Profile()
    profile.runcall(audit, log)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def least_seconds(part: str, times: int) -> float:
    """Processor time of a sentence of equal parts, at its least: what else the machine does only adds to it."""
    done = Exchange(action=Action(name="bash", args={"command": "python train.py"}), observation="accuracy: 0.5")
    taken = []
    for attempt in range(3):
        said = f"As of {'abc'[attempt]} {part * times}"  # another text each time, for what was read is kept
        begun = process_time()
        audit(RunLog(source="one sentence", steps=(LogStep(exchanges=(done,)), LogStep(prose={"text": said}))))
        taken.append(process_time() - begun)
    return min(taken)


@pytest.mark.parametrize("part", ["12.5% ", "accuracy 0.5 and "])
def test_what_stands_in_front_of_a_number_is_not_read_again_for_each(part: str) -> None:
    long = LONGEST // len(part) - len(part)
    least_seconds(part, 10)
    assert least_seconds(part, long) < 4.5 * least_seconds(part, long // 2)


def test_what_is_said_over_and_over_is_one_claim() -> None:
    said = {"text": "The accuracy is 0.5. The accuracy is 0.7. " * 20}
    [done, _] = run_of_one_value(1).steps
    claims = audit(RunLog(source="again", steps=(done, LogStep(prose=said))))
    assert [(claim.value, claim.verdict.value) for claim in claims] == [(0.5, "supported"), (0.7, "contradicted")]


def test_what_is_said_over_and_over_is_held_against_the_record_once() -> None:
    printed, _ = run_of_one_value(500).steps

    def said(times: int) -> RunLog:
        return RunLog(source="again", steps=(printed, LogStep(prose={"text": "The accuracy is 0.5. " * times})))

    calls(said(3))  # what is read once
    assert calls(said(40)) < 1.5 * calls(said(4))


def test_all_that_bears_a_value_is_not_gone_through_for_every_sentence_about_it() -> None:
    def cost_of_a_sentence(lines: int) -> float:
        printed, _ = run_of_one_value(lines).steps
        told = [" ".join(f"The {name} accuracy is 0.5." for name in names) for names in (_MODELS[:2], _MODELS)]
        few, many = (calls(RunLog(source="told", steps=(printed, LogStep(prose={"text": text})))) for text in told)
        return (many - few) / (len(_MODELS) - 2)

    cost_of_a_sentence(10)  # what is read once
    assert cost_of_a_sentence(1_000) < 1.5 * cost_of_a_sentence(100)


@pytest.mark.parametrize("said", ["The accuracy is 0.5.", "The accuracy is 0.7."])
def test_each_of_equal_sentences_is_quoted_where_it_stands(said: str) -> None:
    known = RunModel.of(run_of_one_value(1)).before(1)
    prose = f"{said} I ran it.  {said} {said} {said}"
    found = [each for each in read_by_rules(prose, "text", known) if each.quote == said]
    assert [prose[each.start : each.start + len(said)] for each in found] == [said] * 4
    assert len({each.start for each in found}) == 4


def test_twice_as_many_steps_cost_little_more_than_twice_as_much() -> None:
    calls(long_run(10))  # what is read once
    assert calls(long_run(100)) < 2.5 * calls(long_run(50))


def test_what_was_measured_before_is_not_gone_through_for_every_claim() -> None:
    calls(run_of_single_values(400))  # what is read once
    assert calls(run_of_single_values(400)) < 2.2 * calls(run_of_single_values(200))


def test_what_other_settings_came_to_is_not_worked_out_for_every_claim() -> None:
    calls(run_of_seeds(10))  # what is read once
    assert calls(run_of_seeds(200)) < 2.3 * calls(run_of_seeds(100))


def test_rows_of_the_same_names_are_not_compared_anew_in_every_table() -> None:
    calls(run_of_tables(100))  # what is read once
    assert calls(run_of_tables(200)) < 2.3 * calls(run_of_tables(100))


@pytest.mark.parametrize("line", ["accuracy: 0.5", f"{'so it goes ' * 30} accuracy: 0.5"], ids=["short", "long"])
def test_a_line_that_is_printed_over_and_over_costs_no_more_than_others(line: str) -> None:
    calls(run_of_one_value(10, line))
    assert calls(run_of_one_value(1_000, line)) < 2.2 * calls(run_of_one_value(500, line))


@pytest.mark.parametrize("line", ["accuracy: 0.5", f"{'so it goes ' * 30} accuracy: 0.5"], ids=["short", "long"])
def test_each_of_equal_lines_is_found_where_it_stands(line: str) -> None:
    rows = RunModel.of(run_of_one_value(4, line)).before(1).values
    assert [row.line for row in rows if row.metric == "accuracy"] == [1, 2, 3, 4]
