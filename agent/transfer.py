"""Applies the script that a run on one task found to another task: writes it, runs it, submits."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from agent.commands import execute_script, final_answer, write_file
from agent.errors import AgentError
from agent.measure import described, measured
from agent.protocol import AgentContext, View
from agent.settings import AgentSettings, read_settings
from agent.stateless import Stateless
from environment.records import CitedResult, Decision


class TransferSettings(AgentSettings):
    """Settings of ``transfer``."""

    replace: tuple[tuple[str, str], ...] = Field(
        default=(), description="pairs: a text of the scripts, such as a file, a column or a class, and what it is here"
    )


class TransferAgent(Stateless):
    """Writes each transferred file through ordinary actions, runs the script, submits.

    Raises:
        AgentError: There is nothing to transfer.
    """

    def __init__(self, context: AgentContext) -> None:
        self._replace = dict(read_settings(TransferSettings, "transfer", context.settings).replace)
        if not context.transferred:
            raise AgentError(
                "There is no script to transfer", hint="Name a run with mlab transfer --from RUN --to TASK"
            )
        self._files = context.transferred

    def decide(self, view: View) -> Decision:
        """Write the next file; after the last one run the script, then submit."""
        n, names = len(view.steps), sorted(self._files)
        if n < len(names):
            content = with_texts(self._files[names[n]], self._replace)
            thought = f"I write {names[n]} as the other task's run had it."
            return Decision(prose={"thought": thought}, action=write_file(names[n], content))
        if n == len(names):
            return Decision(prose={"thought": f"Next I run {view.script}."}, action=execute_script(view.script))
        point = measured(view.steps[-1].effect, view.metric)
        if point is None:
            return Decision(action=final_answer(f"The transferred script gave no {view.metric} that I can read."))
        cited = CitedResult(metric=point.name, value=point.value, step=n - 1)
        return Decision(action=final_answer(f"The transferred script measured {described(point)}.", cited))


def with_texts(script: str, replace: Mapping[str, str]) -> str:
    """The script with whole texts replaced; what only contains one, and all else, stays byte for byte.

    A script that is not Python stays as it is.
    """
    lines = script.encode().splitlines(keepends=True)
    for start, end, text in reversed(list(_texts(script))):
        if text in replace and start[0] == end[0]:
            line = lines[start[0] - 1].decode()
            lines[start[0] - 1] = f"{line[: start[1]]}{replace[text]!r}{line[end[1] :]}".encode()
    return b"".join(lines).decode()


_Place = tuple[int, int]


def _texts(script: str) -> Iterator[tuple[_Place, _Place, str]]:
    """Every text of a script: where it begins and ends, and what it says."""
    tokens: Sequence[tokenize.TokenInfo]
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(script).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        if token.type == tokenize.STRING and not token.string[:2].lower().startswith(
            ("f", "rf", "fr", "b", "rb", "br")
        ):
            value = ast.literal_eval(token.string)
            if isinstance(value, str):
                yield token.start, token.end, value
