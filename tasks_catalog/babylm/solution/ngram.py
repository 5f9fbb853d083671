"""Kneser and Ney's n-gram model, interpolated (Chen & Goodman 1998), over a text of token numbers."""

import numpy as np

ORDER = 5
MULTIPLIER = np.uint64(6364136223846793005)


def hashes(rows):
    """A number for each row of tokens, equal rows the same: (rows, length) -> (rows,)."""
    total = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.astype(np.uint64).T:
        total = (total + column + np.uint64(1)) * MULTIPLIER
        total ^= total >> np.uint64(29)
    return total


class Level:
    """What followed each context of one length: in the text for the longest, else after distinct tokens."""

    def __init__(self, text, length, longest):
        before = 0 if longest else 1
        rows = np.lib.stride_tricks.sliding_window_view(text, before + length + 1)
        if not longest:
            rows = rows[np.unique(hashes(rows), return_index=True)[1]]
        contexts = hashes(rows[:, before:-1])
        order = np.argsort(contexts)
        self.contexts, self.following = contexts[order], rows[order, -1]
        often = np.unique(hashes(rows[:, before:]), return_counts=True)[1]
        once, twice = (often == 1).sum(), (often == 2).sum()
        self.discount = once / (once + 2 * twice)

    def refine(self, contexts, lower):
        """Probabilities (contexts, words) from those that shorter contexts give."""
        keys = hashes(contexts)
        starts, ends = (np.searchsorted(self.contexts, keys, side) for side in ("left", "right"))
        refined = lower.copy()
        for row in np.flatnonzero(ends > starts):
            counts = np.bincount(self.following[starts[row] : ends[row]], minlength=lower.shape[1])
            held_back = self.discount * (counts > 0).sum() / counts.sum()
            refined[row] = np.maximum(counts - self.discount, 0) / counts.sum() + held_back * lower[row]
        return refined


class NGrams:
    def __init__(self, text, words):
        self.words = words
        self.levels = [Level(text, length, length == ORDER - 1) for length in range(ORDER)]

    def predict(self, contexts):
        """The probability of each word to come next: (contexts, words)."""
        found = np.full((len(contexts), self.words), 1 / self.words)
        for length, level in enumerate(self.levels):
            found = level.refine(contexts[:, contexts.shape[1] - length :], found)
        return found
