"""Logs of other harnesses, as ``mlab audit`` and ``mlab import`` read them: every one that can be, the others named."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from rich.text import Text

from evaluation.importers.detect import Asked, read_logs
from evaluation.importers.registry import IMPORTERS
from evaluation.record.log import RunLog
from flows.cli.failure import say
from flows.consoles import plain_console
from flows.errors import UsageError
from foundation.errors import MlabError
from foundation.plugins import PluginNotFoundError


class Logs:
    """Which logs are wanted, and what went wrong with those that were read.

    Args:
        since: Only those that were written to since then; without a time zone, local time.
        of_format: Only those of this format, by its name in the registry.

    Attributes:
        failures: What could not be read, or was not done.

    Raises:
        UsageError: No format has that name.
    """

    def __init__(self, since: datetime | None = None, of_format: str | None = None) -> None:
        self.failures: list[MlabError] = []
        self._asked = Asked(
            since=since.astimezone() if since else None, format=of_format, on_error=self.note, on_note=say
        )
        if of_format:
            try:
                IMPORTERS.load(of_format)
            except PluginNotFoundError as error:
                raise UsageError(error.message, hint=error.hint) from error

    def read(self, path: Path) -> Iterator[RunLog]:
        """The logs under a path, one in memory at a time."""
        try:
            yield from read_logs(path, asked=self._asked)
        except MlabError as error:
            self.note(error)

    def note(self, error: MlabError) -> None:
        """Say on standard error what cannot be read; the next one is."""
        self.failures.append(error)
        plain_console(stderr=True).print(
            Text("\n".join(filter(None, (error.message, error.hint))), style="red"), soft_wrap=True
        )
