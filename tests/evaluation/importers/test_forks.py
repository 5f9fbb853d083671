"""Tables of autoresearch's forks, trials of Harbor, and contents of Google's protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.records import Outcome, RunStatus
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from evaluation.record.log import RunLog
from tasks_catalog.library.spec import Direction
from tests.evaluation.importers.logs import OUTPUT
from tests.evaluation.importers.writing.claude import claude_lines
from tests.evaluation.importers.writing.gemini import gemini_lines
from tests.evaluation.importers.writing.lines import write_lines


def table(folder: Path, *rows: str) -> RunLog:
    folder.mkdir(exist_ok=True)
    (folder / "results.tsv").write_text("\n".join("\t".join(row.split("|")) for row in rows) + "\n")
    (log,) = read_logs(folder)
    return log


def test_notes_beside_a_table_are_held_against_it(tmp_path: Path) -> None:
    folder = tmp_path / "rides"
    folder.mkdir()
    (folder / "FINDINGS.md").write_text("The boosted trees reach an RMSE of 8.1. A net was never tried.\n")
    (folder / "program.md").write_text("Get the RMSE below 5.2.\n")
    log = table(folder, "exp|rmse|description", "e1|9.5|keep - ridge", "e2|8.1|keep - boosted trees")
    assert list(log.steps[-1].prose) == ["report: FINDINGS.md"]
    verdicts = {claim.value: claim.verdict for claim in audit(log) if claim.field == "report: FINDINGS.md"}
    assert verdicts[8.1] is Verdict.SUPPORTED
    assert log.task_text == "Get the RMSE below 5.2.\n", "that is what was asked"


@pytest.mark.parametrize(
    ("rows", "metric", "direction", "figures"),
    [
        (
            ("experiment|tag|kernel|tflops|latency_us|correctness|description",
             "0|base|w4|15.1|7094|PASS|blocks", "1|l2|w4|136.8|785|PASS|swizzle", "2|acc|w4|0.0|0.0|FAIL|compile"),
            "tflops", Direction.MAXIMIZE, (15.1, 136.8),
        ),
        (
            ("a1b2c3d|1.0890|44.0|keep|baseline", "b2c3d4e|1.0793|44.2|keep|raise lr", "c3d4e5f|0.0|0.0|crash|wide"),
            "val_bpb", Direction.MINIMIZE, (1.0890, 1.0793),
        ),
        (
            ("git_commit|hf_wer|int8_wer|status|description", "unknown|||failed|no data", "unknown|14.2|15.1|ok|first",
             "unknown|9.4|10.3|ok|normalised"),
            "hf_wer", Direction.MINIMIZE, (14.2, 9.4),
        ),
        (
            ("commit|score|sharpe|status|description", "e0|-9.0|0.0|BASELINE|none", "e1|1.07|1.07|KEEP|stop",
             "e2|0.6|0.6|REVERT|worse"),
            "score", Direction.MAXIMIZE, (-9.0, 1.07),
        ),
        (
            ("commit|kind|val_bpb|memory_gb|status|hypothesis|interpretation|description",
             "a1|base|0.96|29.9|keep|a clean start helps|it is stable|strip it",
             "a2|lr|0.0|0.0|discard|less is more|stopped before the end|lower it"),
            "val_bpb", Direction.MINIMIZE, (0.96, 0.96),
        ),
        (
            ("commit|format_pass_rate|status|description", "e0|99.5|keep|plain", "e1|99.25|keep|more reward"),
            "format_pass_rate", Direction.MAXIMIZE, (99.5, 99.5),
        ),
        (
            ("exp|rmse|model|description", "e1|9.5|ridge|baseline — plain", "e2|8.1|gbm|keep — deeper",
             "e3|9.9|gbm|discard: too deep"),
            "rmse", Direction.MINIMIZE, (9.5, 8.1),
        ),
    ],
)  # fmt: skip
def test_tables_of_forks(
    rows: tuple[str, ...], metric: str, direction: Direction, figures: tuple[float, float], tmp_path: Path
) -> None:
    log = table(tmp_path / "fork", *rows)
    assert (log.metric, log.direction, (log.baseline, log.score)) == (metric, direction, figures)


def test_an_agent_s_words_in_a_table_are_prose_and_no_evidence(tmp_path: Path) -> None:
    log = table(
        tmp_path / "fork",
        "commit|val_bpb|status|hypothesis|interpretation|description",
        "a1|0.96|keep|a loss of 0.5 is near|the loss is 0.5 at last|strip it",
        "a2|0.0|crash|more is better|it broke|widen it",
    )
    thought, noted, _, _ = log.steps
    assert thought.prose == {"plan: hypothesis": "a loss of 0.5 is near"}
    assert noted.prose == {"description": "strip it", "interpretation": "the loss is 0.5 at last"}
    edit, run = thought.exchanges
    assert edit.action.args == {"patch": "[content omitted: the folder has no history of it]"}
    assert run.observation.splitlines()[0] == "val_bpb: 0.96"
    assert "0.5" not in run.observation
    assert log.steps[2].exchanges[-1].outcome is Outcome.FAILED
    assert "0.0" not in log.steps[2].exchanges[-1].observation


def test_an_edit_that_the_table_tells_of_is_not_missed(tmp_path: Path) -> None:
    log = table(
        tmp_path / "fork", "commit|score|status|description", "a1|64.0|keep|baseline", "b2|100.0|keep|Added hard.json."
    )
    claims = audit(log)
    assert claims
    assert Verdict.UNSUPPORTED not in {claim.verdict for claim in claims}


def test_logs_that_are_named_after_their_commits_are_what_was_printed(tmp_path: Path) -> None:
    logs = tmp_path / "fork" / "logs"
    logs.mkdir(parents=True)
    (logs / "run_a1b2c3d.log").write_text("loss: 3.1\nval_bpb: 0.96\n")
    log = table(tmp_path / "fork", "commit|val_bpb|status|description", "a1b2c3d|0.96|keep|x", "e4f5a6b|0.95|keep|y")
    assert log.steps[0].exchanges[-1].observation.startswith("loss: 3.1")
    assert log.steps[2].exchanges[-1].observation.startswith("val_bpb: 0.95\n[output omitted")


def test_other_tables_are_no_runs(tmp_path: Path) -> None:
    (tmp_path / "results.tsv").write_text("id\terror\tmodel\tresponse\n1\t\tm\thello\n")
    notes: list[str] = []
    with pytest.raises(Exception, match="no log that can be read"):
        list(read_logs(tmp_path, asked=Asked(on_note=notes.append)))


def trial(folder: Path, **told: Any) -> Path:
    """A trial of Harbor without the logs of its agent."""
    place = folder / "vision__abc1234"
    (place / "agent" / "setup").mkdir(parents=True)
    (place / "agent" / "setup" / "stdout.txt").write_text("installed\n")
    (place / "verifier").mkdir()
    (place / "verifier" / "ctrf.json").write_text("{}")
    result = {"trial_name": place.name, "task_name": "vision", "verifier_result": {"rewards": {"reward": 1.0}}, **told}
    (place / "result.json").write_text(json.dumps(result))
    return place / "agent"


def test_a_trial_is_one_run_whichever_forms_of_its_log_are_kept(tmp_path: Path) -> None:
    agent = trial(tmp_path)
    steps = [{"step_id": 1, "source": "agent", "message": "Done."}]
    atif = {"schema_version": "ATIF-v1.6", "agent": {"name": "gemini-cli"}, "steps": steps}
    write_lines(agent / "sessions" / "session.jsonl", gemini_lines())
    write_lines(agent / "claude-code.txt", claude_lines())
    notes: list[str] = []

    def found() -> list[tuple[str, str, float | None]]:
        logs = read_logs(tmp_path, asked=Asked(on_note=notes.append))
        return [(Path(log.source).name, log.task, log.score) for log in logs]

    assert found() == [("session.jsonl", "vision", 1.0)]
    (agent / "trajectory.json").write_text(json.dumps(atif))
    assert found() == [("trajectory.json", "vision", 1.0)]
    (agent / "trajectory.json").unlink()
    (agent / "sessions" / "session.jsonl").unlink()
    assert found() == [("claude-code.txt", "vision", 1.0)]
    assert notes == []


def test_the_error_of_a_trial_is_that_of_its_run(tmp_path: Path) -> None:
    error = {"exception_type": "AgentTimeoutError", "exception_message": "after 900 s"}
    write_lines(trial(tmp_path, exception_info=error) / "session.jsonl", gemini_lines())
    (log,) = read_logs(tmp_path)
    assert (log.status, log.error) == (RunStatus.FAILED, "AgentTimeoutError: after 900 s")


def test_a_gemini_session_lasts_to_its_last_message(tmp_path: Path) -> None:
    lines = [line for line in gemini_lines() if "$set" not in line]
    assert lines[0]["lastUpdated"] == lines[0]["startTime"]
    (log,) = read_logs(write_lines(tmp_path / "session.jsonl", lines))
    assert log.seconds == 4


@pytest.mark.parametrize("with_ids", [True, False])
@pytest.mark.parametrize("under", ["", "history"])
def test_contents_of_google_s_protocol(under: str, with_ids: bool, tmp_path: Path) -> None:
    own = {"id": "c1"} if with_ids else {}
    contents = [
        {"role": "user", "parts": [{"text": "Improve it."}]},
        {
            "role": "model",
            "parts": [
                {"text": "A plan.", "thought": True},
                {"text": "I run it."},
                {"functionCall": {"name": "run_shell_command", "args": {"command": "python train.py"}, **own}},
            ],
        },
        {"role": "user", "parts": [{"functionResponse": {"name": "run", "response": {"output": OUTPUT}, **own}}]},
        {"role": "model", "parts": [{"text": "Done."}]},
    ]
    (tmp_path / "chat.json").write_text(json.dumps({under: contents} if under else contents))
    (log,) = read_logs(tmp_path)
    first, last = log.steps
    assert first.prose == {"reasoning": "A plan.", "response": "I run it."}
    assert [(each.action.args, each.observation) for each in first.exchanges] == [
        ({"command": "python train.py"}, OUTPUT)
    ]
    assert (last.prose, log.task_text) == ({"response": "Done."}, "Improve it.")
