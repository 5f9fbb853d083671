"""Chat histories of aider, and those of AI-Scientist's coder: who spoke, what was applied, what is not shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from environment.records import EndedBy, Outcome, RunStatus
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.chats import Speaker, edits_in, passages
from evaluation.importers.detect import Asked, read_logs
from evaluation.record.log import RunLog
from tests.evaluation.importers.research_logs import write_ai_scientist

_STRIPPED = """
# aider chat started at 2026-01-02 10:00:00

> Aider v0.86.1
> Main model: provider/one with diff edit format

#### hello
> litellm.BadRequestError: no provider
> ^C again to exit

# aider chat started at 2026-01-02 11:00:00

> Main model: provider/two with diff edit format

#### /ask what is it

#### what is it

A classifier.

#### Its parts

> quoted from the README

```python
#### a comment
```

> Tokens: 1.5k sent, 500 received. Cost: $0.01 message, $0.01 session.

#### lower the learning rate
####
#### and train
> train.py
> Add file to the chat? (Y)es/(N)o [Yes]: y

I lower it.

train.py
```python
<<<<<<< SEARCH
lr = 0.1
=======
lr = 0.01
>>>>>>> REPLACE
```

other.py
```python
<<<<<<< SEARCH
a = 1
=======
a = 2
>>>>>>> REPLACE
```

> Tokens: 10.0k sent, 1.5k received. Cost: $0.02 message, $0.03 session.
> Applied edit to train.py
> Commit b568591 fix: slower
> python train.py
> Run shell command? (Y)es/(N)o [Yes]: y
> Running python train.py
> Add command output to the chat? (Y)es/(N)o [Yes]: y
> Added 12 lines of output to the chat.
> You can use /undo to undo and discard each aider commit.

#### /run python eval.py
> Add 0.1k tokens of command output to the chat? (Y)es/(N)o [Yes]: y
> Added 1 line of output to the chat.

#### so?

The test accuracy is 0.91 now.

notes.md
```
The test accuracy is 0.91.
```

> Applied edit to notes.md
"""
_OF_MODEL = ("#### Its parts", "> quoted from the README", "#### a comment")
CHAT = "".join(
    f"{line}  \n" if line.startswith(("> ", "####")) and line not in _OF_MODEL else f"{line}\n"
    for line in _STRIPPED.splitlines()
)
"""With the two spaces behind each line of the user and of aider, as aider writes them."""


def read(path: Path, notes: list[str] | None = None) -> list[RunLog]:
    return list(read_logs(path, asked=Asked(on_note=(notes if notes is not None else []).append)))


def test_each_chat_of_a_history_is_a_run(tmp_path: Path) -> None:
    file = tmp_path / "cifar10" / ".aider.chat.history.md"
    file.parent.mkdir()
    file.write_text(CHAT)
    (tmp_path / "README.md").write_text("# Not a chat\n")
    failed, done = read(tmp_path)
    assert (failed.status, failed.ended_by, failed.error, failed.steps) == (
        RunStatus.INFRASTRUCTURE,
        EndedBy.ERROR,
        "BadRequestError: no provider",
        (),
    )
    assert (done.source, done.task, done.model, done.tokens, done.cost) == (
        f"{tmp_path.name}/cifar10/.aider.chat.history.md#2",
        "cifar10",
        "provider/two",
        13_500,
        0.03,
    )
    assert (done.agent, done.status, done.task_text) == (
        "aider",
        RunStatus.COMPLETED,
        "what is it\n\nlower the learning rate\n\nand train\n\nso?",
    )
    exchanges = [exchange for step in done.steps for exchange in step.exchanges]
    assert [(each.action.name, *each.action.args.values(), each.outcome)[:2] for each in exchanges] == [
        ("edit", "train.py"),
        ("edit", "other.py"),
        ("bash", "python train.py"),
        ("bash", "python eval.py"),
        ("edit", "notes.md"),
    ]
    assert [each.outcome for each in exchanges[:2]] == [Outcome.OK, Outcome.FAILED]
    assert done.steps[0].prose["response"].startswith("A classifier.\n\n#### Its parts\n\n> quoted from the README")
    assert done.steps[1].prose["response"] == "I lower it."


def test_nothing_follows_from_what_a_history_does_not_show(tmp_path: Path) -> None:
    file = tmp_path / ".aider.chat.history.md"
    file.write_text(CHAT)
    claims = {claim.quote: claim.verdict for claim in audit(read(file)[1])}
    assert claims["The test accuracy is 0.91 now."] is Verdict.UNCHECKABLE


def test_histories_whose_line_ends_were_stripped_are_read(tmp_path: Path) -> None:
    bare = [line for line in _STRIPPED.splitlines() if line not in _OF_MODEL[:2]]
    (tmp_path / ".aider.chat.history.md").write_text("\n".join(bare))
    failed, done = read(tmp_path)
    assert failed.status is RunStatus.INFRASTRUCTURE
    assert done.steps[1].prose["response"] == "I lower it."
    assert [exchange.action.args.get("command") for exchange in done.steps[2].exchanges] == ["python train.py"]


def test_a_history_without_answers_is_told(tmp_path: Path) -> None:
    notes: list[str] = []
    (tmp_path / ".aider.chat.history.md").write_text("\n# aider chat started at 2026-01-02 10:00:00\n\n> Aider v1  \n")
    assert read(tmp_path, notes) == []
    assert "1 of its chats hold no answer" in notes[0]


@pytest.mark.parametrize(
    "block",
    [
        "a/b.py\n```python\n{}\n```",
        "`a/b.py`\n```\n{}\n```",
        "```\na/b.py\n{}\n```",
        "**a/b.py**\n~~~~\n{}\n~~~~",
    ],
)
def test_edits_stand_in_answers_in_several_ways(block: str) -> None:
    patch = "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE"
    edits, prose = edits_in(f"Before.\n\n{block.format(patch)}\n\nAfter.")
    assert [(edit.file, edit.patch) for edit in edits] == [("a/b.py", patch)]
    assert prose.split() == ["Before.", "After."]


def test_what_goes_over_lines_belongs_to_aider() -> None:
    chat = "# aider chat started at now\n\n> mkdir a\nchmod +x b  \n> Run shell commands? y  \n\nDone.\n"
    assert [(passage.speaker, passage.text) for passage in passages(chat)][1:] == [
        (Speaker.AIDER, "mkdir a\nchmod +x b\nRun shell commands? y"),
        (Speaker.MODEL, "Done."),
    ]


def test_ai_scientist_s_baseline_is_found_where_its_folder_lacks_it(tmp_path: Path) -> None:
    for chat in (True, False):
        folder = write_ai_scientist(tmp_path / str(chat), chat=chat)
        (folder / "run_0" / "final_info.json").unlink()
        notes = "## Run 0: Baseline\nResults: {'test_acc_mean': 0.5903, 'steps': None}\nDescription: Baseline.\n"
        (folder / "notes.txt").write_text(notes)
        (log,) = read(tmp_path / str(chat))
        assert (log.baseline, log.score) == (0.5903, 0.6125)
        assert not any(claim.verdict.is_problem for claim in audit(log) if "0.5903" in claim.quote)


def test_ai_scientist_s_notes_stand_by_their_runs(tmp_path: Path) -> None:
    folder = write_ai_scientist(tmp_path, chat=False)
    final = {"cifar10": {"means": {"test_acc_mean": 0.7, "train_loss_mean": None}}}
    (folder / "run_2").mkdir()
    (folder / "run_2" / "final_info.json").write_text(json.dumps(final))
    (folder / "run_2.py").write_text("lr = 0.3\n")
    notes = "# Title\n\n## Run 1: Lower\nThe test accuracy is 0.6125.\n\n## Run 2: Higher\nThe test accuracy is 0.7.\n"
    (folder / "notes.txt").write_text(notes, encoding="utf-16")
    (log,) = read(tmp_path)
    done = [
        next(iter(step.prose), "") or next(iter(step.exchanges)).action.args.get("command", "write")
        for step in log.steps
    ]
    assert done == [
        "python experiment.py --out_dir=run_0",
        "write",
        "python experiment.py --out_dir=run_1",
        "report: notes.txt",
        "write",
        "python experiment.py --out_dir=run_2",
        "report: notes.txt",
        "report: notes.txt",
    ]
    assert all(claim.verdict is Verdict.SUPPORTED for claim in audit(log))


def test_what_a_file_says_that_was_added_to_a_chat_is_not_denied(tmp_path: Path) -> None:
    head = "\n# aider chat started at 2026-01-02 11:00:00\n\n> Main model: p/m with diff edit format  \n"
    said = "\n#### how good is it  \n\nIt reaches an accuracy of 93.4 %.\n\n"
    file = tmp_path / ".aider.chat.history.md"

    def verdicts() -> list[Verdict]:
        (log,) = read_logs(file)
        return [claim.verdict for claim in audit(log)]

    file.write_text(f"{head}> Added README.md to the chat.  \n{said}")
    assert verdicts() == [Verdict.UNCHECKABLE]
    file.write_text(f"{head}{said}")
    assert verdicts() == [Verdict.UNSUPPORTED]


def test_ai_scientist_s_folder_without_scripts_denies_no_deed(tmp_path: Path) -> None:
    folder = write_ai_scientist(tmp_path, chat=False)
    (folder / "notes.txt").write_text("## Run 1: Smaller\nTrained an MLPRegressor with two hidden layers of 64.\n")
    (log,) = read(tmp_path)
    assert [claim.note for claim in audit(log)] == ["the log leaves out code"]
