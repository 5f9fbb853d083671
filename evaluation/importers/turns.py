"""A run in the making: turn by turn what was written and called, and what came back whenever it came."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from environment.records import Action, Outcome
from evaluation.importers.results import UNREADABLE
from evaluation.record.log import Exchange, LogStep

_NEVER_BEGUN = re.compile(
    r"\s*(?:<tool_use_error>)?\s*(?:error: ?)?(?:unsupported (?:custom tool )?call\b"
    r"|failed to parse (?:function )?arguments|InputValidationError|no such tool\b"
    r"|(?:unknown|invalid) (?:tool|function|action)\b"
    r"|tool ['\"\[]?[\w.:-]+['\"\]]? (?:was )?(?:not found|does not exist|is not available|is unknown)"
    r"|the user doesn't want|(?:the )?user (?:rejected|denied|declined|did not allow)|\[operation cancelled\]"
    r"|params (?:must|\/)|permission to use \w+ .{0,80}denied|claude requested permissions"
    r"|this command requires approval"
    r"|(?:error )?validating (?:args|arguments|tool)|exec command rejected|rejected by (?:the )?user)",
    re.IGNORECASE,
)
"""How harnesses answer a call that they do not carry out."""


@dataclass
class Call:
    """A tool call, and what is known of it so far.

    Attributes:
        action: What was asked.
        seen: What came back, piece by piece.
        outcome: How it ended, where the log says so.
        authored: A model wrote what came back.
        answered: Something came back.
        running: It went on in the background when that came back.
        nested: What another agent did on its behalf.
    """

    action: Action
    seen: list[str] = field(default_factory=list)
    outcome: Outcome | None = None
    authored: bool = False
    answered: bool = False
    running: bool = False
    nested: tuple[LogStep, ...] = ()

    @property
    def exchange(self) -> Exchange:
        """As the record has it."""
        observation = "\n".join(text for text in self.seen if text)
        refused = self.outcome in (None, Outcome.FAILED) and _NEVER_BEGUN.match(observation)
        return Exchange(
            action=self.action,
            observation=observation,
            outcome=Outcome.REFUSED if refused else self.outcome,
            authored=self.authored,
            unfinished=self.running or not self.answered,
        )


@dataclass
class _Turn:
    key: str | None
    prose: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    calls: list[Call] = field(default_factory=list)


class Turns:
    """Builds the steps of a run from events in the order of a log.

    A turn is what the agent wrote and then called at once, in parallel or not. The next begins when it writes again,
    or calls again after an answer, unless both belong to one message that is logged in pieces.
    """

    def __init__(self) -> None:
        self._turns: list[_Turn] = []
        self._calls: dict[str, Call] = {}
        self._has_gap = False

    def say(self, entry: str, text: str, key: str | None = None) -> None:
        """What the agent wrote.

        Args:
            entry: Which kind of prose it is: ``response``, ``reasoning``.
            text: The words; empty ones are nothing.
            key: The message it belongs to.
        """
        if text.strip():
            self._fill_gap()
            last = self._turns[-1] if self._turns else None
            if last and key and key == last.key and any(call.answered for call in last.calls):
                self.begin(key)  # some providers call all their answers the same
            turn = self._turn(key, begins=bool(last and last.calls))
            turn.prose[entry].append(text)

    def call(self, action: Action, call_id: str = "", key: str | None = None) -> Call:
        """A tool call; what comes back for ``call_id`` is its answer."""
        self._fill_gap()
        last = self._turns[-1] if self._turns else None
        turn = self._turn(key, begins=bool(last and any(call.answered for call in last.calls)))
        call = Call(action)
        turn.calls.append(call)
        if call_id:
            self._calls[call_id] = call
        return call

    def answer(
        self, call_id: str, seen: str, outcome: Outcome | None = None, *, running: bool = False, authored: bool = False
    ) -> Call:
        """What came back for a call; for one that nobody made, it stands by itself."""
        call = self._calls.get(call_id) if call_id else self._unanswered()
        call = call or self.call(Action(name="none"), call_id)
        call.seen.append(seen)
        call.outcome, call.answered, call.running = outcome or call.outcome, True, running
        call.authored = call.authored or authored
        return call

    def begin(self, key: str | None = None) -> None:
        """Begin a turn, whatever the one before was."""
        self._turns.append(_Turn(key))

    def hide(self, what: str = "", outcome: Outcome | None = None) -> None:
        """Something was done that the log does not show: anything may have been printed there.

        Args:
            what: What it was, where the log says so.
            outcome: How it ended, where the log says so.
        """
        call = self.call(Action(name="none", args={"input": what}))
        call.seen, call.outcome, call.answered = [UNREADABLE], outcome, True

    def miss(self) -> None:
        """A part of the log is damaged: before what follows, anything may have been asked and printed."""
        self._has_gap = True

    @property
    def has_begun(self) -> bool:
        """Whether anything was said or called yet."""
        return bool(self._turns)

    @property
    def waits(self) -> bool:
        """Whether a call of the last turn waits for its answer."""
        return self._unanswered() is not None

    def find(self, call_id: str) -> Call | None:
        """The call of an id."""
        return self._calls.get(call_id)

    def calls_of(self, tools: Collection[str]) -> Iterator[Call]:
        """The calls of some tools, in their order."""
        return (call for turn in self._turns for call in turn.calls if call.action.name.lower() in tools)

    def steps(self) -> tuple[LogStep, ...]:
        """The steps so far; what other agents did for a call follows the step that made it."""
        found: list[LogStep] = []
        for turn in self._turns:
            if not turn.prose and not turn.calls:
                continue
            prose = {entry: "\n\n".join(texts) for entry, texts in turn.prose.items()}
            found.append(LogStep(prose=prose, exchanges=tuple(call.exchange for call in turn.calls)))
            found += (step for call in turn.calls for step in call.nested)
        return tuple(found)

    def _turn(self, key: str | None, *, begins: bool) -> _Turn:
        if not self._turns or (key != self._turns[-1].key if key else begins):
            self._turns.append(_Turn(key))
        return self._turns[-1]

    def _fill_gap(self) -> None:
        if self._has_gap:
            self._has_gap = False
            self.hide(UNREADABLE)

    def _unanswered(self) -> Call | None:
        """The first call of the last turn that waits for its answer, where calls have no ids."""
        waiting = (call for call in self._turns[-1].calls if not call.answered) if self._turns else ()
        return next(iter(waiting), None)
