"""Writes a mask as the submission wants it."""

import numpy as np


def encode(mask):
    """A mask (height, width) as runs: "start length start length …", or "-" where nothing is marked.

    Pixels are numbered from 1, down the first column, then down the second, and so on.
    """
    flat = np.concatenate([[0], np.asarray(mask, dtype=np.int8).T.ravel(), [0]])
    changes = np.flatnonzero(np.diff(flat)) + 1
    starts, ends = changes[::2], changes[1::2]
    return " ".join(f"{start} {end - start}" for start, end in zip(starts, ends)) or "-"
