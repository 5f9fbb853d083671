"""Outputs that overwrite themselves: one state of each bar, and every result line."""

from __future__ import annotations

from environment.metrics.lines import output_lines, readable_output
from environment.metrics.outputs import parse_metrics


def nested_bars(count: int) -> str:
    return "".join(f"\router: {i}/{count}\n\rinner: {2 * i}/{2 * count}\x1b[A" for i in range(count)) + "\n\n"


def test_one_state_of_each_bar_and_every_result() -> None:
    lines = []
    for epoch, accuracy in ((1, 0.66), (2, 0.71)):
        bar = "".join(f"\rEpoch {epoch}: {i:3d}%|{'█' * (i // 10)} | {i}/100 [00:01, 70it/s]" for i in range(101))
        lines.append(f"{bar}\nepoch {epoch} validation accuracy: {accuracy}\n")
    shown = readable_output("".join(lines) + nested_bars(300) + "done\n").split("\n")
    assert [line[:8] for line in shown if line] == [
        "Epoch 1:",
        "epoch 1 ",
        "Epoch 2:",
        "epoch 2 ",
        "outer: 2",
        "inner: 5",
        "done",
    ]
    assert "outer: 299/300" in shown
    assert "inner: 598/600" in shown


def test_a_value_is_found_in_the_line_it_was_written_in() -> None:
    text = nested_bars(50) + "validation accuracy: 0.83\n" + nested_bars(50) + "end\n"
    (point,) = parse_metrics(text)
    assert point.line is not None
    assert text.split("\n")[point.line - 1] == "validation accuracy: 0.83"


def test_results_that_overwrite_each_other_stay() -> None:
    assert readable_output("Epoch 1/3 acc 0.8\rEpoch 2/3 acc 0.85\n") == "Epoch 1/3 acc 0.8\nEpoch 2/3 acc 0.85\n"


def test_a_long_row_of_texts_that_differ_in_numbers_is_a_bar() -> None:
    text = "".join(f"\rstep {n} loss 0.{n}" for n in range(30)) + "\nval acc: 0.5"
    assert readable_output(text) == "step 29 loss 0.29\nval acc: 0.5"


def test_what_redraws_nothing_is_left_as_it_is() -> None:
    for text in ("a\r\nb\t1\r\n", "x\n\n\ny", "plain"):
        assert readable_output(text) == text


def test_a_cursor_that_only_goes_up_ends() -> None:
    assert [line for _, line in output_lines("\x1b[9999A" * 2_000 + "x")] == ["x"]
