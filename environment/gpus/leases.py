"""Who uses which card of this machine: one run a card, given back when its process ends, however it ends.

A lease is a lock on a file, which the kernel lets go of with the process that holds it, also when that is
killed. The files lie in one folder for all users and home folders of the machine.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from environment.errors import GpuLeaseError
from environment.gpus.card import Card

_FOR_ALL = 0o666
_CHOOSING = "choosing"


class CardLease:
    """Cards held by this process until ``close``; also a context manager."""

    def __init__(self, cards: Sequence[Card] = (), held: ExitStack | None = None) -> None:
        self.cards = tuple(sorted(cards, key=lambda card: card.index))
        self._held = held or ExitStack()

    def __enter__(self) -> CardLease:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the cards back."""
        self._held.close()


class CardLeases:
    """The leases on this machine's cards.

    Args:
        folder: Where the locks lie; the same for all who share the cards.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, cards: Sequence[Card], count: int, holder: str, *, shared: bool = False) -> CardLease | None:
        """Lease ``count`` of the cards; ``None`` where fewer are free.

        Args:
            cards: Those to choose from, the first ones first.
            count: How many.
            holder: Who takes them, told to others who wait.
            shared: Also take cards that others have leased so, though free ones rather.

        Raises:
            GpuLeaseError: The locks cannot be written.
        """
        with ExitStack() as stack, self._choosing():
            taken: list[Card] = []
            for alone in (True, False) if shared else (True,):
                for card in cards:
                    if len(taken) < count and card not in taken and self._take(card, holder, stack, alone, shared):
                        taken.append(card)
            return CardLease(taken, stack.pop_all()) if len(taken) == count else None

    def holders(self, cards: Sequence[Card]) -> dict[int, str]:
        """Who holds each card that is not free, by its number."""
        with ExitStack() as stack, self._choosing():
            files = {card.index: _open(self._folder / card.uuid, stack) for card in cards}
            return {index: _read(file) for index, file in files.items() if not _lock(file, fcntl.LOCK_EX)}

    def _take(self, card: Card, holder: str, stack: ExitStack, alone: bool, shared: bool) -> bool:
        with ExitStack() as opened:
            file = _open(self._folder / card.uuid, opened)
            if not _lock(file, fcntl.LOCK_EX if alone else fcntl.LOCK_SH):
                return False
            os.ftruncate(file, 0)
            os.pwrite(file, f"{holder} (process {os.getpid()})".encode(), 0)
            if shared and alone:
                _lock(file, fcntl.LOCK_SH)
            stack.push(opened.pop_all())
            return True

    @contextmanager
    def _choosing(self) -> Iterator[None]:
        """One chooses at a time, so that of two who each want two cards none holds one and waits for the other."""
        with ExitStack() as stack:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                if self._folder.stat().st_uid == os.geteuid():
                    self._folder.chmod(0o1777)
            except OSError as error:
                raise _unusable(self._folder, error) from error
            fcntl.flock(_open(self._folder / _CHOOSING, stack), fcntl.LOCK_EX)
            yield


def _open(path: Path, stack: ExitStack) -> int:
    """A file that every user may lock; in a folder open to all, a link or another's pipe must not be followed."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        try:
            file = os.open(path, flags)
        except FileNotFoundError:
            file = os.open(path, flags | os.O_CREAT, _FOR_ALL)
            if os.fstat(file).st_uid == os.geteuid():
                os.fchmod(file, _FOR_ALL)  # whatever the umask
    except OSError as error:
        raise _unusable(path, error) from error
    stack.callback(os.close, file)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise GpuLeaseError(f"{path} is no file, so that no lease on a GPU can be kept there", hint="Remove it.")
    return file


def _lock(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(file: int) -> str:
    return os.pread(file, 1_000, 0).decode(errors="replace") or "another process"


def _unusable(path: Path, error: OSError) -> GpuLeaseError:
    return GpuLeaseError(
        f"Leases on GPUs cannot be kept in {path}: {error.strerror}",
        hint="Name another folder with MLAB_GPU_LEASES, the same for all who share the cards.",
    )
