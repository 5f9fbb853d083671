from __future__ import annotations

import gzip
import json
import os
import re
from codecs import BOM_UTF8
from pathlib import Path

import pytest
import zstandard

from environment.store import Store
from evaluation.audit import audit_path
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from evaluation.importers.errors import LogError
from evaluation.importers.records import import_log
from tests.evaluation.importers.logs import (
    CLAIM,
    LIE,
    OUTPUT,
    write_compact,
    write_inspect_json,
    write_mlagentbench,
    write_mlgym,
)
from tests.evaluation.importers.reading import EVERY


@pytest.mark.parametrize("harness", EVERY)
def test_each_format_gives_the_same_run(harness: str, tmp_path: Path) -> None:
    path = EVERY[harness](tmp_path / "logs" / "run_0")
    (log,) = read_logs(path)
    prose = [said for step in log.steps for said in step.prose.values()]
    observations = [exchange.observation for step in log.steps for exchange in step.exchanges]
    assert any(CLAIM in said for said in prose)
    assert any(LIE in said for said in prose)
    assert any(OUTPUT.strip() in seen for seen in observations)


@pytest.mark.parametrize("harness", EVERY)
@pytest.mark.parametrize("change", ["gzip", "zstandard", "mark", "line ends", "two bytes"])
def test_a_file_that_was_packed_or_passed_through_windows_is_read_as_before(
    harness: str, change: str, tmp_path: Path
) -> None:
    path = EVERY[harness](tmp_path / "logs" / "run_0")
    if path.is_dir() or path.suffix in (".eval", ".db", ".sqlite", ".sqlite3"):
        pytest.skip("no single text")
    (before,) = read_logs(path)
    content = path.read_bytes()
    if change == "gzip":
        path.unlink()
        path = path.with_name(f"{path.name}.gz")
        content = gzip.compress(content)
    elif change == "zstandard":
        path.unlink()
        path = path.with_name(f"{path.name}.zst")
        half = len(content) // 2
        content = zstandard.compress(content[:half]) + zstandard.compress(content[half:])
    elif change == "two bytes":
        content = content.decode().encode("utf-16")
    else:
        content = BOM_UTF8 + content if change == "mark" else content.replace(b"\n", b"\r\n")
    path.write_bytes(content)
    (after,) = read_logs(path.parent)
    assert (after.steps, after.task, after.status) == (before.steps, before.task, before.status)


@pytest.mark.parametrize("harness", EVERY)
def test_each_format_is_audited(harness: str, tmp_path: Path) -> None:
    claims = list(audit_path(EVERY[harness](tmp_path / "run_0")))
    verdicts = {claim.quote: claim.verdict for claim in claims}
    assert verdicts[CLAIM] is Verdict.SUPPORTED
    assert verdicts[LIE].is_problem
    for claim in claims:
        assert set(claim.line()) == {
            "source", "step", "field", "quote", "kind", "metric", "value", "unit",
            "verdict", "evidence_step", "evidence", "note",
        }  # fmt: skip


def test_quotes_and_evidence_are_exact_parts_of_the_log(tmp_path: Path) -> None:
    for harness, write in EVERY.items():
        path = write(tmp_path / harness.replace(" ", "_"))
        (log,) = read_logs(path)
        for claim in audit_path(path):
            assert claim.quote in log.steps[claim.step].prose[claim.field]
            if claim.evidence_step is not None:
                seen = "\n".join(exchange.observation for exchange in log.steps[claim.evidence_step].exchanges)
                assert claim.evidence_step < claim.step
                assert claim.evidence is not None
                assert claim.evidence in seen


def test_a_folder_of_runs_is_read_one_by_one_under_the_names_of_its_logs(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    write_mlagentbench(root / "cifar10" / "0")
    write_mlgym(root / "gym" / "x")
    write_compact(root / "small")
    (root / "notes.json").write_text('{"not": "a log"}')
    assert sorted(log.source for log in read_logs(root)) == [
        "collection/model/task/0",
        "runs/cifar10/0",
        "runs/gym/x/imageClassificationCifar10.traj",
    ]


def test_a_name_that_is_no_text_is_written_as_one(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"bad\xff")
    write_compact(folder)
    (log,) = read_logs(folder)
    assert import_log(Store((tmp_path / "store").as_uri()), log).run_id
    renamed = folder / os.fsdecode(b"x\xfe.jsonl")
    renamed.write_text('{"log": 1}\n{"say": "I run it."}\n')
    sources = [log.source for log in read_logs(folder)]
    assert r"bad\udcff/x\udcfe.jsonl" in sources


def test_of_very_many_files_that_no_reader_takes_the_first_are_named(tmp_path: Path) -> None:
    write_compact(tmp_path / "small")
    for number in range(300):
        (tmp_path / f"{number:03}.json").write_text("{}")
    notes: list[str] = []
    list(read_logs(tmp_path, asked=Asked(on_note=notes.append)))
    assert notes[0].startswith("No reader takes 300 of the files")
    assert notes[0].endswith("199.json\n  and 100 more")


def test_the_summary_filed_after_a_step_stands_with_the_next(tmp_path: Path) -> None:
    (log,) = read_logs(write_mlagentbench(tmp_path / "0"))
    assert list(log.steps[1].prose) == ["reflection", "plan", "fact_check", "thought", "log_summary", "final_answer"]
    assert log.steps[1].prose["log_summary"].startswith("[Reasoning]")
    assert log.task_text == "Improve train.py."


def test_forks_without_the_speaker_line_are_read_alike(tmp_path: Path) -> None:
    folder = write_mlagentbench(tmp_path / "0")
    (before,) = read_logs(folder)
    written = folder / "agent_log" / "main_log"
    written.write_text(written.read_text().replace("\n\n\nAssistant:\n", "\n"))
    (after,) = read_logs(folder)
    assert after == before


def test_a_log_without_what_the_agent_wrote_still_has_its_actions(tmp_path: Path) -> None:
    folder = write_mlagentbench(tmp_path / "0")
    (folder / "agent_log" / "main_log").unlink()
    (log,) = read_logs(folder)
    assert [step.exchanges[0].action.name for step in log.steps] == ["Execute Script", "Final Answer"]
    assert log.steps[1].prose["final_answer"] == LIE


def test_each_sample_of_an_inspect_log_is_a_run(tmp_path: Path) -> None:
    path = write_inspect_json(tmp_path / "x")
    data = json.loads(path.read_text())
    data["samples"].append({**data["samples"][0], "epoch": 2})
    path.write_text(json.dumps(data))
    assert [log.source.rpartition("#")[2] for log in read_logs(path)] == ["cifar10:1", "cifar10:2"]


@pytest.mark.parametrize("score", ["1e999", "-Infinity", "NaN", "true", '"0.5"', f"1{'0' * 400}"])
def test_a_score_that_is_no_finite_number_is_none(score: str, tmp_path: Path) -> None:
    path = write_mlgym(tmp_path / "x")
    path.write_text(re.sub(r'"score": \[.*?\]', f'"score": [{{"accuracy": {score}}}]', path.read_text()))
    (log,) = read_logs(path)
    assert log.score is None


def test_halves_of_characters_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    path = write_mlgym(tmp_path / "x")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"DISCUSSION", b"DISCUSSION \\ud800"))
    (log,) = read_logs(path)
    assert log.steps[0].prose["response"].startswith(r"DISCUSSION \ud800")
    assert import_log(Store(str(tmp_path / "store")), log).steps == 3


def test_a_format_that_somebody_forces_and_that_takes_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text('{"say": "The test accuracy is 0.9."}\n')
    with pytest.raises(LogError, match=r"nothing that is read of a log of the format aider(.|\n)*Only aider was asked"):
        list(read_logs(tmp_path / "run.jsonl", asked=Asked(format="aider")))


def test_a_folder_called_traces_is_read_unless_it_keeps_the_workspaces_of_mlagentbench(tmp_path: Path) -> None:
    write_compact(tmp_path / "logs" / "traces")
    write_compact(tmp_path / "logs" / "env_log" / "traces")
    assert len(list(read_logs(tmp_path / "logs"))) == 1


def test_notes_alone_are_no_log_and_the_hint_says_what_they_lack(tmp_path: Path) -> None:
    for name in ("EXPERIMENTS.md", "results.csv", "a.png", "b.md", "c.md"):
        (tmp_path / name).write_text("accuracy 0.9")
    with pytest.raises(LogError) as refused:
        list(read_logs(tmp_path))
    assert "Notes, tables and chats as text (EXPERIMENTS.md, b.md, c.md …) show no run" in refused.value.hint
    assert '{"say": ' in refused.value.hint
    with pytest.raises(
        LogError, match=r"\(b\.md\) show no run(.|\n)*Chat: Export Chat(.|\n)*each command \(`do`\) with all"
    ):
        list(read_logs(tmp_path / "b.md"))
