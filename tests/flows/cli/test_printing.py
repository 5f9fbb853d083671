"""What commands print: ids and commands that can be copied, and broken logs by name."""

from __future__ import annotations

import gc
import io
import logging
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from rich.console import Console, Group
from rich.panel import Panel
from rich.text import Text

from environment.errors import RunInterrupted
from environment.records.display import MINUS, NONE
from evaluation.claims.audit import audit
from evaluation.record.log import LogStep, RunLog
from flows.cli.app import INTERRUPTED, UNREAD, _print_anything
from flows.cli.bar import Bar
from flows.cli.commands.choice import Choice
from flows.cli.commands.logs import Logs
from flows.cli.commands.report import write_report
from flows.cli.failure import explain, in_words, is_interruption, say
from flows.cli.output import print_json, print_table
from flows.cli.standard_output import kept_for_programs
from flows.cli.warnings import tell_plainly
from flows.consoles import plain_console
from flows.run.observer import Observer
from foundation.errors import MlabError
from tests.evaluation.importers.logs import write_compact, write_mlgym
from tests.flows.cli import in_process
from tests.flows.command import MLAB, mlab

RUN = "35-sonnet-new-imageclassificationfmnist-default-t-0-00-p-0-95-c-4-00-parallel-agents-run-0-4860dda5"


@pytest.fixture(params=["terminal", "pipe"])
def window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "terminal":
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", "80")
    else:
        for name in ("FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE"):
            monkeypatch.delenv(name, raising=False)
    return str(request.param)


def test_ids_are_whole(window: str, capsys: pytest.CaptureFixture[str]) -> None:
    sentence = "what is long is broken over the lines of a window and stays whole in a pipe"
    print_table([{"run": RUN, "status": "completed", "note": sentence}, {"run": "b", "status": "", "note": ""}])
    printed = capsys.readouterr().out
    assert RUN in printed
    assert (sentence in printed) == (window == "pipe")


def test_no_line_of_a_table_in_a_pipe_ends_in_blanks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    print_table([{"run": RUN, "note": "a long note on one run"}, {"run": "b", "note": ""}])
    plain_console().print("Which one? ", end="")
    *table, question = capsys.readouterr().out.split("\n")
    assert any(line.endswith("a long note on one run") for line in table)
    assert "  b" in table
    assert all(line == line.rstrip() for line in table)
    assert question == "Which one? "


def test_in_a_narrow_window_each_row_is_a_few_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)
    row = {"run": RUN, "model": "", "status": "completed", "improvement": "+28.8 %"}
    print_table([row, row])
    lines = capsys.readouterr().out.splitlines()
    assert [line.rstrip() for line in lines] == [RUN, "  status completed  improvement +28.8 %"] * 2


def test_a_bar_shows_how_far_a_single_long_item_has_come() -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Bar("auditing long.jsonl", console=terminal) as bar:
        bar.within(30, 4_000)
        bar._progress.refresh()
        bar.advance()
        bar.within(1, 2)
        bar._progress.refresh()
    printed = cast(io.StringIO, terminal.file).getvalue()
    assert " 30 of 4,000 steps" in printed
    assert " 1 done · 1 of 2 steps" in printed


def test_a_bar_says_of_how_many_where_that_is_known() -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Bar("reading runs", 1_200, terminal) as bar:
        bar.advance()
    assert " 1 of 1,200 " in cast(io.StringIO, terminal.file).getvalue()


class Watched(io.StringIO):
    """Standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("out", "is_drawn"), [(Watched(), False), (io.StringIO(), True)])
def test_no_bar_is_drawn_into_json_on_a_terminal(
    out: io.StringIO, is_drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", out)
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80)
    with kept_for_programs(), Bar("auditing logs", console=terminal):
        print_json({"verdict": "supported"})
    assert ("auditing logs" in cast(io.StringIO, terminal.file).getvalue()) == is_drawn
    assert out.getvalue() == '{"verdict":"supported"}\n'


def test_an_audit_tells_how_many_steps_are_read() -> None:
    told: list[tuple[int, int]] = []
    steps = tuple(LogStep(prose={"thought": "The accuracy is 0.9."}) for _ in range(3))
    audit(RunLog(source="log", steps=steps), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_command_is_whole(window: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = f"mlab resume {RUN}"
    hint = f"Nothing committed is lost. Continue with: {command}"
    assert explain(RunInterrupted("Interrupted.", hint=hint)) == INTERRUPTED
    lines = [line.rstrip() for line in capsys.readouterr().err.splitlines()]
    assert (command if window == "terminal" else hint) in lines


@pytest.mark.parametrize(
    "arguments", [("tasks",), ("show",), ("config", "--json"), ("list", "actions"), ("list", "actions", "--json")]
)
def test_a_command_that_nobody_reads_ends_as_others_do_and_says_nothing(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "MLAB_HOME": str(tmp_path)}
    done = subprocess.run([*MLAB, *arguments], env=environment, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (UNREAD, b"")


def test_what_an_encoding_has_no_character_for_is_escaped(tmp_path: Path) -> None:
    ascii_only = {"MLAB_HOME": str(tmp_path / "größe"), "PYTHONIOENCODING": "ascii"}
    for options, escaped in (((), r"gr\xf6\xdfe"), (("--json",), r"gr\u00f6\u00dfe")):
        done = mlab("config", *options, env=ascii_only, anew=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert escaped in done.stdout


def test_our_own_signs_look_alike_where_there_is_only_ascii(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "printed"
    with file.open("w", encoding="ascii") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        _print_anything()
        print(NONE, f"{MINUS}3", "3 × 4 … größe", file=stream)
    assert file.read_text() == "- -3 3 x 4 ... gr\\xf6\\xdfe\n"


def test_broken_logs_of_a_folder_are_named_and_the_others_read(tmp_path: Path) -> None:
    folder, home = tmp_path / "logs", {"MLAB_HOME": str(tmp_path / "home")}
    write_compact(folder / "good")
    (folder / "broken.json").write_text('{"source": "x", "steps": [\n')
    (folder / "package.json").write_text('{"a": 1}')
    for command, told in (("audit", "contradicted"), ("import", "1 run imported")):
        done = mlab(command, str(folder), env=home)
        assert done.returncode == 1
        assert f"{folder / 'broken.json'}, line 2: is not valid JSON" in done.stderr
        assert f"No reader takes 1 of the files under {folder}:\n  {folder / 'package.json'}" in done.stderr
        assert told in done.stdout


def test_where_nothing_can_be_read_nothing_else_is_said(tmp_path: Path) -> None:
    path = write_mlgym(tmp_path / "logs")
    path.write_text("{")
    for command in ("audit", "import"):
        for place in (path, path.parent):
            done = mlab(command, str(place), env={"MLAB_HOME": str(tmp_path / "home")})
            assert (done.returncode, done.stdout) == (1, "")
            assert f"{path}, line 1: is not valid JSON" in done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["show"], ["tasks"], ["list", "agents", "--json"]])
def test_a_command_whose_streams_are_closed_ends_as_it_would(arguments: list[str]) -> None:
    for closed in (">&-", "<&- >&-", "<&- >&- 2>&-"):
        shell = ["sh", "-c", f'"$@" {closed}', "sh", *MLAB, *arguments]
        done = subprocess.run(shell, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["p[/b]x", "o[b]x", "s:smile:x"])
def test_what_a_path_is_called_is_no_markup(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    write_report(Choice(()), out=tmp_path / name, as_json=False)
    assert str(tmp_path / name / "report.html") in capsys.readouterr().out


def test_what_a_bar_is_of_is_no_markup() -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Bar("importing p[/b]x.json", console=terminal):
        pass
    assert "importing p[/b]x.json" in cast("io.StringIO", terminal.file).getvalue()


def _with_origin() -> Exception:
    error = ValueError("cannot be written")
    error.__context__ = KeyboardInterrupt()
    return error


@pytest.mark.parametrize(
    ("error", "is_one"),
    [
        (RuntimeError("Error calling function '_ser_model': KeyboardInterrupt"), True),
        (_with_origin(), True),
        (ValueError("cannot be written"), False),
    ],
)
def test_what_a_signal_to_stop_brought_about_is_an_interruption(error: Exception, *, is_one: bool) -> None:
    assert is_interruption(error) is is_one


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("can't start new thread"),
        MemoryError(),
        ImportError("libarrow.so.2500: failed to map segment from shared object"),
    ],
)
def test_want_of_memory_or_threads_is_no_fault_of_ours(error: Exception) -> None:
    assert in_words(error).message.startswith("Memory or threads are too few here: ")


def test_a_limit_on_open_files_is_told_as_one() -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, most))
    try:
        Path(os.devnull).open()  # noqa: SIM115 - it does not open
    except OSError as error:
        caught = error
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    assert "a limit of this shell or container" in in_words(caught).message
    assert "ulimit" in in_words(caught).hint


def test_a_command_refused_for_a_value_leaves_standard_output_as_it_was() -> None:
    before = sys.stdout
    assert in_process.command("audit", "--json", "x", "--since", "never").code == 2
    gc.collect()
    assert sys.stdout is before


DRIVES = "a log \x1b[2J\x9b2J\u202e of an agent"
HARMLESS = r"a log \x1b[2J\x9b2J\u202e of an agent"


def _noted() -> None:
    Logs().note(MlabError(DRIVES))


def _in_a_table() -> None:
    plain_console(stderr=True).print(Panel(Group(Text(DRIVES, style="red"))))


@pytest.mark.parametrize(
    "tells", [lambda: say(DRIVES), _noted, _in_a_table, lambda: Observer().warned(DRIVES), lambda: tell_last(DRIVES)]
)
def test_what_an_agent_wrote_drives_no_terminal(
    tells: Callable[[], None], window: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tells()
    told = capsys.readouterr().err
    assert HARMLESS in told
    assert "\x1b[2J" not in told


def tell_last(text: str) -> None:
    """As Python tells a warning for which nobody has set a handler up."""
    tell_plainly()
    assert logging.lastResort is not None
    logging.lastResort.handle(logging.makeLogRecord({"msg": text, "levelno": logging.WARNING}))
