"""What a step did: one neutral event per action, whatever tool the agent had."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from environment.metrics.outputs import MAX_POINTS, read_metrics
from environment.records import Action, MetricPoint, Outcome
from evaluation.record.changes import CUT, change_of
from evaluation.record.cuts import is_cut, is_left_out
from evaluation.record.failing import failing_line
from evaluation.record.kinds import (
    AUTHORED,
    DELEGATES,
    RAN,
    EventKind,
    action_text,
    in_place,
    kind_of,
    reads_output,
)
from evaluation.record.launching import LEFT_ALONE
from evaluation.record.location import Location
from evaluation.record.log import Exchange

_ARG_FILES = ("save_name", "script_name", "file_name", "filename", "file_path", "path", "file", "destination")
_REPLACED = frozenset({"old_string", "old_str", "edits", "patch"})
_SCRIPT = re.compile(r"[\w./-]+\.(?:py|sh|R|ipynb)\b")
_TIMEOUT = re.compile(r"tim(?:ed|e)[ -]?out|timeout|exceeded.*time|time limit", re.IGNORECASE)
_CODE = re.compile(r"^(?:\d+:)?\s*(?:import|from|def|class) \w", re.MULTILINE)
_LONGEST_LINE = 4_000
"""Characters in which file names are looked for: the time grows with the square of them."""
_SHOWN_FILE = re.compile(r"\[File: (\S+) \(")
_MISSING = re.compile(r"does not exist|No such file|can't open file|not found", re.IGNORECASE)
_MOST_POINTS = 50_000
"""Values of one output that are kept; of more the first and the last."""
_SEEN = 10_000
"""Characters of either end of an output that are kept for looking up words."""
_EXCERPT = 200
_OPTIONS = 400
"""Characters of an action in which the options of a command stand."""
_ENDED_WITH_IT = "was ended with it"
_BACKGROUND = re.compile(r"(?<![&>|])&[ \t]*(?:$|\n|\)|;|disown\b|echo\b)")
"""A shell's sign that a command goes on while the next is done."""
_SEVERAL = re.compile(r"\b(?:for|while)\b[^\n]*[;\n]\s*do\b|\bpython[\d.]* [^;&|\n]*(?:;|&&|\n)(?s:.)*?\bpython[\d.]* ")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (\S+)|^\+\+\+ (?:b/)?(\S+)", re.MULTILINE)
_LISTED = re.compile(r"^\s*(\d+):(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Event:
    """One action, as far as claims can be about it.

    Attributes:
        step: The step it belongs to.
        kind: What it was for.
        outcome: How it ended.
        files: Files it names, the one written to first.
        added: Text it wrote into files.
        removed: Text it took out, where the log shows it.
        diffed: The log shows the whole difference.
        failure: The line that tells the failure, or "".
        timed_out: It was stopped by a time limit.
        exchange: The action and its observation.
        id: What it is called in the record (``e7``: what was done in step 7).
    """

    step: int
    kind: EventKind
    outcome: Outcome
    files: tuple[str, ...]
    added: str
    removed: str
    diffed: bool
    failure: str
    timed_out: bool
    exchange: Exchange
    id: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether it ended as meant; a run that went on in the background is not known to."""
        return self.outcome is Outcome.OK and not self.unfinished

    @cached_property
    def unfinished(self) -> bool:
        """Whether it is a run that nothing shows the end of."""
        is_run = self.kind is EventKind.RUN
        in_background = self.exchange.unfinished or (
            is_run and bool(_BACKGROUND.search(self.command) or LEFT_ALONE.search(self.command))
        )
        return is_run and in_background

    @property
    def runs_several(self) -> bool:
        """Whether its command starts several programs, one after another or in a loop."""
        return self.kind is EventKind.RUN and bool(_SEVERAL.search(self.command))

    def varies(self, other: Event) -> bool:
        """Whether it starts the script of another event with other options."""
        return self.command != other.command and bool({*self.files} & {*other.files})

    @property
    def was_cut_short(self) -> bool:
        """Whether what it left in the background was ended with it, as the benchmark's own actions say."""
        return _ENDED_WITH_IT in self.observation

    @cached_property
    def changed(self) -> bool:
        """Whether it changed a file; an edit whose shown difference is empty did not."""
        return self.succeeded and not (self.diffed and not self.added.strip() and not self.removed.strip())

    @property
    def is_missing(self) -> bool:
        """Whether it failed because what it names is not there."""
        return not self.succeeded and bool(_MISSING.search(self.failure))

    @cached_property
    def is_cut(self) -> bool:
        """Whether the log left out part of what it wrote."""
        return any(CUT in text or is_cut(text) for text in (self.added, self.command))

    @cached_property
    def hides_output(self) -> bool:
        """Whether the log left out part of what was printed, or nothing shows how it ended."""
        return self.unfinished or self.cuts_output

    @property
    def cuts_output(self) -> bool:
        """Whether the log left out part of what was printed, or all that tells what it is of."""
        return is_cut(self.observation) or is_left_out(self.observation) or is_left_out(self.command)

    @cached_property
    def points(self) -> Sequence[MetricPoint]:
        """What the reader of outputs found in what it printed."""
        read = self.exchange.metrics
        return read_metrics(self.observation, _MOST_POINTS).points if read is None else read

    @property
    def drops_values(self) -> bool:
        """Whether it printed more values than are kept."""
        return len(self.points) >= (_MOST_POINTS if self.exchange.metrics is None else MAX_POINTS)

    @cached_property
    def rewrites(self) -> bool:
        """Whether it changed files that were there: an edit, or a shell command that edits before it runs."""
        return self.changed if self.kind is EventKind.EDIT else self.kind is EventKind.RUN and in_place(self.command)

    @property
    def is_of_part(self) -> bool:
        """Whether it only tells which text it puts in the place of which: no difference or listing shows the rest."""
        return (
            self.kind is EventKind.EDIT and self.changed and any(key in self.exchange.action.args for key in _REPLACED)
        )

    @property
    def is_of_notes(self) -> bool:
        """Whether all the files that it is about are texts, not code."""
        return bool(self.files) and all(file.endswith((".md", ".txt")) for file in self.files)

    @cached_property
    def writes(self) -> bool:
        """Whether it wrote code: an edit that changed something, or a run of code given with it."""
        return self.changed if self.kind is EventKind.EDIT else self.kind is EventKind.RUN and bool(self.added)

    @cached_property
    def difference(self) -> str:
        """What it wrote, over what it took out."""
        return f"{self.added}\n{self.removed}"

    @cached_property
    def code(self) -> str:
        """What it shows of the run's code, in lower case; of long outputs the two ends, of failed edits nothing."""
        parts = [self.added] if self.writes else []
        is_instruction = self.kind is EventKind.EDIT and self.diffed  # asked for; the difference shows what was done
        if self.succeeded and not is_instruction:
            parts.append(self.command[:_OPTIONS])
        is_applied = self.succeeded or self.kind is not EventKind.EDIT
        if self.kind in (EventKind.READ, EventKind.EDIT, EventKind.RUN) and is_applied and not self.is_missing:
            seen = self.observation
            parts.append(seen if len(seen) <= 2 * _SEEN else f"{seen[:_SEEN]}\n{seen[-_SEEN:]}")
        return "\n".join(parts).lower()

    @cached_property
    def command(self) -> str:
        """The action's text, as ``action_text`` gives it."""
        return action_text(self.exchange.action)

    @cached_property
    def authored(self) -> bool:
        """Whether a model wrote the observation."""
        return self.exchange.authored or self.is_report or self.exchange.action.name.lower() in AUTHORED

    @property
    def is_report(self) -> bool:
        """Whether the observation is all that the log tells of another agent's work: what that one says of it."""
        return not self.exchange.authored and self.exchange.action.name.lower() in DELEGATES

    @cached_property
    def shows_code(self) -> bool:
        """Whether it wrote code, or showed a file as it is."""
        is_shown = self.kind is EventKind.READ and self.succeeded and not self.authored
        return bool(self.added) or (is_shown and bool(_CODE.search(self.observation)))

    @cached_property
    def shows_output(self) -> bool:
        """Whether what a script printed may stand in the observation."""
        ran = self.kind in (EventKind.RUN, EventKind.SCORE) or (self.kind is EventKind.SUBMIT and not self._is_echo)
        return not self.authored and (
            ran or (self.kind is EventKind.READ and reads_output(self.exchange.action, self.command))
        )

    @cached_property
    def prints(self) -> bool:
        """Whether numbers that came back may be results: printed by a script or a program, or in a file of no code."""
        return self.shows_output or (self.kind is EventKind.READ and not self.authored and not self.shows_code)

    @property
    def _is_echo(self) -> bool:
        """Whether nothing came back but what the agent handed in."""
        given = self.exchange.action.args.values()
        return any(isinstance(text, str) and self.observation.strip() in text for text in given)

    @property
    def observation(self) -> str:
        """What came back."""
        return self.exchange.observation

    @property
    def evidence(self) -> Location:
        """Where the line stands that tells what it did: of its failure, of what it wrote, else the last printed."""
        lines = self.observation.split("\n")
        wanted = self.failure or next(self._telling(lines), "")
        line = next((n for n, text in enumerate(lines, 1) if wanted and wanted in text), None)
        text = wanted[:_EXCERPT] if line else ""
        return Location(step=self.step, text=text, training_run=self.exchange.training_run, line=line)

    def _telling(self, lines: Sequence[str]) -> Iterator[str]:
        written = {text.strip() for text in self.added.splitlines() if text.strip()}
        yield from (line.strip() for line in lines if line.lstrip("+ ").strip() in written)
        yield from (line.strip() for line in reversed(lines) if line.strip())


def read_events(step: int, exchange: Exchange, listing: dict[int, str]) -> list[Event]:
    """Say what an action was for and how it ended; ``listing`` is the file last shown, by line number.

    Where a harness runs the script by itself after an edit, that is a second event.
    """
    action, seen = exchange.action, exchange.observation
    command = action_text(action)
    kind = kind_of(action, command, seen)
    ran = RAN.search(seen) if kind is EventKind.EDIT else None
    if ran is None:
        return [_event(step, kind, exchange, command, listing)]
    edit = exchange.model_copy(update={"observation": seen[: ran.start()]})
    run = exchange.model_copy(update={"action": Action(name="run", args={})})
    return [_event(step, kind, edit, command, listing), _event(step, EventKind.RUN, run, "", listing)]


def _event(step: int, kind: EventKind, exchange: Exchange, command: str, listing: dict[int, str]) -> Event:
    action, seen = exchange.action, exchange.observation
    failure = (
        failing_line(kind, seen) if exchange.outcome in (None, Outcome.FAILED, Outcome.KILLED, Outcome.REFUSED) else ""
    )
    outcome = exchange.outcome or (Outcome.FAILED if failure else Outcome.OK)
    timed_out = outcome is Outcome.KILLED or bool(failure and _TIMEOUT.search(seen[-3000:]))
    added, removed, diffed = change_of(kind, action, command, seen, listing)
    return Event(
        step, kind, outcome, _files(kind, action, command, seen), added, removed, diffed, failure, timed_out, exchange
    )


def shown_lines(observation: str) -> dict[int, str]:
    """The numbered lines of a file listing, by line number."""
    return {int(number): text for number, text in _LISTED.findall(observation)}


def _files(kind: EventKind, action: Action, command: str, seen: str) -> tuple[str, ...]:
    named = [str(action.args[key]) for key in _ARG_FILES if isinstance(action.args.get(key), str)]
    if not named:
        named = [changed or new for changed, new in _PATCHED.findall(command)]
    if not named:
        shown = _SHOWN_FILE.search(seen[:400]) if kind is EventKind.EDIT else None
        line = command.partition("\n")[0][:_LONGEST_LINE]
        named = [shown[1]] if shown else _SCRIPT.findall(line) or re.findall(r"[\w./-]+\.\w{2,5}\b", line)
    return tuple(dict.fromkeys(PurePosixPath(name).name for name in named if name))
