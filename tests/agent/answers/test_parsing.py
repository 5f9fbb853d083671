"""Answers as real models write them: what is read, what is refused, and that nothing is read wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.answers.parsing import AnswerError, parse_answer
from environment.records import Action
from tests.agent.bench import spec

ANSWERS = Path(__file__).parents[4] / "shared" / "answers" / "answers.jsonl"
ACTIONS = (
    spec("List Files", dir_path=""),
    spec("Read File", file_name=""),
    spec("Write File", file_name="", content=""),
    spec("Append File", file_name="", content=""),
    spec("Copy File", source="", destination=""),
    spec("Undo Edit Script", script_name=""),
    spec("Execute Script", script_name=""),
    spec("Final Answer", final_answer=""),
    spec("Understand File", file_name="", things_to_look_for=""),
    spec("Inspect Script Lines", script_name="", start_line_number="", end_line_number=""),
    spec("Edit Script (AI)", script_name="", edit_instruction="", save_name=""),
    spec("Reflection", things_to_reflect_on=""),
)
EDIT = {"script_name": "train.py", "edit_instruction": "Use Adam.", "save_name": "train2.py"}
RUN = Action(name="Execute Script", args={"script_name": "train.py"})
PROSE = "Reflection: It ran.\nThought: Go on.\n"


@pytest.mark.parametrize(
    "answer",
    [
        'Action: Execute Script\nAction Input: {"script_name": "train.py"}',
        'Action:   \nExecute Script\n\nAction Input:  \n{"script_name": "train.py"}\nObservation:',
        '**Action:** Execute Script\n**Action Input:** {"script_name": "train.py"}',
        '**Action**: `Execute Script`\n**Action Input**: `{"script_name": "train.py"}`',
        '## Action\nExecute Script\n## Action Input\n```json\n{"script_name": "train.py"}\n```',
        'ACTION: execute script\nACTION INPUT: {"script_name": "train.py"}',
        'action: [Execute Script]\naction_input: {"script_name": "train.py"}',
        "Action: Execute Script.\nAction Input: {'script_name': 'train.py',}",
        'Action: Action: Execute Script\nAction Input: {"script_name": "train.py"}',
        'Action: Execute Script\nAction Input: {"script_name": "train.py"',
        'Action: Execute Script {"script_name": "train.py"}',
        'Action: Execute Script\n```json\n{"script_name": "train.py"}\n```',
        'Action Input: {"script_name": "train.py"}\nAction: Execute Script',
        '1. Action: Execute Script\n2. Action Input: {"script_name": "train.py"}',
        'Action: Execute Script\nAction Input: {"script_name": "train.py", "x": "train.py\\", "}',
        'Action: Execute Script\nAction Input: {"script_name": "train.py"}\nThis will run it. {"script_name": "b.py"}',
        'Action: Execute Script\nAction Input: {"script_name": "train.py"}\nObservation: mae 3\n'
        'Thought: good\nAction: Final Answer\nAction Input: {"final_answer": "done"}',
        'Action: Execute Script\nAction Input: {"script_names": "train.py"}',
    ],
)
@pytest.mark.parametrize("before", ["", PROSE])
def test_one_meaning_is_read(answer: str, before: str) -> None:
    assert parse_answer(before + answer, ACTIONS).action == RUN


def test_prose_is_kept_by_entry_whatever_its_order_and_case() -> None:
    answer = parse_answer(
        "Sure, here it is:\nTHOUGHT: t1\n\nReflection:\nr\n**Research Plan and Status:** 1. a\n   Action plan: b\n"
        "Fact Check: Directly confirmed: mae: 3\nThought: t2\n"
        'Action: Execute Script\nAction Input: {"script_name": "train.py"}\n'
        "Reflection: after",
        ACTIONS,
    )
    assert answer.prose == {
        "preamble": "Sure, here it is:",
        "thought": "t1\nt2",
        "reflection": "r",
        "research_plan_and_status": "1. a\n   Action plan: b",
        "fact_check": "Directly confirmed: mae: 3",
    }


def test_raw_line_breaks_and_triple_quotes_in_a_value() -> None:
    code = 'x = "a"\nprint(x)\n'
    raw = 'Action: Write File\nAction Input: {"file_name": "a.py", "content": "x = \\"a\\"\nprint(x)\n"}'
    triple = f'Action: Write File\nAction Input: {{"file_name": "a.py", "content": """{code}"""}}'
    for text in (raw, triple):
        assert parse_answer(text, ACTIONS).action.args == {"file_name": "a.py", "content": code}


def test_what_was_not_used_is_said() -> None:
    text = (
        'Action: Read File\nAction Input: {"file_name": "train.py", "things_to_look_for": "epochs"}\nI hope it helps.'
    )
    answer = parse_answer(text, ACTIONS)
    assert answer.action.args == {"file_name": "train.py"}
    assert "'things_to_look_for'" in answer.notes[0]
    assert "16 characters" in answer.notes[1]
    typo = parse_answer('Action: Copy File\nAction Input: {"source": "a", "destionation": "b"}', ACTIONS)
    assert typo.action.args == {"source": "a", "destination": "b"}
    assert "misspelt" in typo.notes[0]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "no entry 'Action:'"),
        ("Great! Let me know.", "no entry 'Action:'"),
        ("Thought: x\nAction: Execute Script", "no entry 'Action Input:'"),
        ('Action: Run Script\nAction Input: {"script_name": "train.py"}', "no action is called 'Run Script'"),
        ('Action: Execute Script\nAction Input: {"file": "train.py"}', "lacks 'script_name' .it has 'file' instead"),
        ('Action: Understand File\nAction Input: {"file_name": "a"}', "lacks 'things_to_look_for'"),
        ("Action: Execute Script\nAction Input: train.py", "expected an object in braces"),
        ('Action: Execute Script\nAction Input: {"script_name": "train.py', "never ends"),
        ('Action: Execute Script\nAction Input: {"script_name": train.py}', "not quoted"),
        ('Action: Final Answer\nAction Input: {"final_answer": "the "best" one"}', "quote inside a value not escaped"),
        ("Action: Final Answer\nAction Input: {'final_answer': 'it doesn't'}", "quote inside a value not escaped"),
        ('Action: Copy File\nAction Input: {"source": "a" "destination": "b"}', "a comma missing"),
        ('Action: Copy File\nAction Input: {"source": "a", "source": "c", "destination": "b"}', "given twice"),
        ('Action: Read File\nAction Input: {"file_name": "train\\_new.py"}', "JSON does not have"),
        ('Action: Read File\nAction Input: {"file_name": "\\x41.py"}', "JSON does not have"),
        ('Action: Read File\nAction: List Files\nAction Input: {"dir_path": "."}', "not clear which"),
        (
            'You could use:\n```\nAction: Execute Script\nAction Input: {"script_name": "x.py"}\n```\nIn this example',
            "like an example",
        ),
        ("Action: Read File\nAction Input: " + '{"a": ' * 5000, "nested too deeply"),
        ('Action: Read File\nAction Input: {"file_name": 1e999}', "too large"),
        ('Action: Read File\nAction Input: {"file_name": "\\ud800"}', "half a character"),
    ],
)
def test_what_would_need_a_guess_is_refused_with_the_reason(answer: str, why: str) -> None:
    with pytest.raises(AnswerError, match=why):
        parse_answer(answer, ACTIONS)


def test_a_kept_backslash() -> None:
    text = 'Action: List Files\nAction Input: {"dir_path": "6\\CLRS"}'
    assert parse_answer(text, ACTIONS).action.args == {"dir_path": "6\\CLRS"}


@pytest.mark.skipif(not ANSWERS.exists(), reason="the real answers are not on this machine")
def test_real_answers_are_read_like_json_or_refused() -> None:
    """Of 260 Gemini and 200 CodeLlama answers; 117 of the latter hold no action at all."""
    read = {"gemini-pro": 0, "codellama": 0}
    for line in ANSWERS.read_text().splitlines():
        row = json.loads(line)
        try:
            answer = parse_answer(row["answer"], ACTIONS)
        except AnswerError:
            continue
        read[row["model"]] += 1
        for value in answer.action.args.values():
            as_written = str(value) if not isinstance(value, list) else str(value[0])
            assert (
                json.dumps(as_written)[1:-1].replace("6\\\\CLRS", "6\\CLRS") in row["answer"]
                or as_written in row["answer"]
            )
    assert read["gemini-pro"] >= 252
    assert read["codellama"] >= 75


WRITE = 'Action: Write File\nAction Input: {"file_name": "a.py"}\n'


@pytest.mark.parametrize(
    ("below", "content"),
    [
        ("content:\n```python\nx = 1\n```", "x = 1\n"),
        ("```python\nx = '''a\\nb'''\n```\n", "x = '''a\\nb'''\n"),
        ("**content**:\n~~~\nObservation: 1\n~~~\nObservation: written", "Observation: 1\n"),
        ("`content`:\n````md\n```py\nx\n```\n````", "```py\nx\n```\n"),
        ("content:\n```\n```\nThought: now the next\nAction: Read File\n```json\n{}\n```", ""),
    ],
)
def test_a_long_argument_may_stand_below_in_a_fenced_block(below: str, content: str) -> None:
    assert parse_answer(WRITE + below, ACTIONS).action.args == {"file_name": "a.py", "content": content}


def test_the_object_above_a_block_may_be_fenced_itself() -> None:
    answer = parse_answer(
        'Action: Write File\nAction Input:\n```json\n{"file_name": "a.py"}\n```\ncontent:\n```\nx\n```', ACTIONS
    )
    assert answer.action.args == {"file_name": "a.py", "content": "x\n"}
    assert answer.notes == ()


@pytest.mark.parametrize(
    ("below", "why"),
    [
        ("content:\n```python\nx = 1\n", "no closing ```"),
        ("content:\n```\nx\n```\ny\n```", "a longer one"),
        ("content:\n```\nx\n```\ncontent:\n```\ny\n```", "given twice"),
        ("other:\n```\nx\n```", "lacks 'content'"),
    ],
)
def test_a_block_that_may_mean_two_things_is_refused(below: str, why: str) -> None:
    with pytest.raises(AnswerError, match=why):
        parse_answer(WRITE + below, ACTIONS)
