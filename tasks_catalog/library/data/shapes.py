"""Small pictures of shapes, for tasks whose own pictures no package ships."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Grid = npt.NDArray[np.float64]
Inside = npt.NDArray[np.bool_]

SIZE = 32


def paint(shape: int, draw: np.random.Generator, colour: Grid | None = None) -> Picture:
    """One shape in any place, size and turn, on a rough background that changes colour across it.

    Args:
        shape: Its place in ``SHAPES``.
        draw: Decides everything else.
        colour: About what colour the shape has, 0 to 255 in red, green and blue; any by default.

    Returns:
        A picture (SIZE, SIZE, 3).
    """
    turn, scale = draw.uniform(-0.5, 0.5), draw.uniform(6, 11)
    inside = covered(shape, SIZE, draw.uniform(11, 21, 2), scale, turn)[..., None]
    background = draw.uniform(0, 255, 3)
    colour = draw.uniform(0, 255, 3) if colour is None else colour + draw.normal(0, 20, 3)
    slope = draw.normal(0, 2.5, (2, 3))
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    field = background + (rows[..., None] - 16) * slope[0] + (columns[..., None] - 16) * slope[1]
    rough = np.kron(draw.normal(0, 18, (8, 8, 3)), np.ones((4, 4, 1)))
    shown: Grid = np.where(inside, 0.85 * colour + 0.15 * field, field) + rough + draw.normal(0, 10, (SIZE, SIZE, 3))
    return shown.clip(0, 255).astype(np.uint8)


def covered(shape: int, size: int, centre: Grid, scale: float, turn: float) -> Inside:
    """The pixels (size, size) that a shape covers.

    Args:
        shape: Its place in ``SHAPES``.
        size: Width and height of the picture.
        centre: Column and row of its middle.
        scale: Pixels from the middle to the edge.
        turn: Its angle in radians.
    """
    rows, columns = np.mgrid[0:size, 0:size]
    x, y = (columns - centre[0]) / scale, (rows - centre[1]) / scale
    return SHAPES[shape](np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x)


def disc(x: Grid, y: Grid) -> Inside:
    """Everything within 1 of the centre."""
    return x**2 + y**2 < 1


def square(x: Grid, y: Grid) -> Inside:
    """Everything within 0.9 in both directions."""
    return np.maximum(abs(x), abs(y)) < 0.9


SHAPES: tuple[Callable[[Grid, Grid], Inside], ...] = (
    disc,
    square,
    lambda x, y: (y < 0.8) & (y > 2 * abs(x) - 1),
    lambda x, y: disc(x, y) & ~disc(2 * x, 2 * y),
    lambda x, y: square(x, y) & (np.minimum(abs(x), abs(y)) < 0.3),
    lambda x, y: square(x, y) & (np.sin(7 * y) > 0),
    lambda x, y: square(x, y) & (np.sin(7 * x) > 0),
    lambda x, y: square(x, y) & (np.sin(6 * x) * np.sin(6 * y) > 0),
    lambda x, y: disc(2 * x - 1, 2 * y) | disc(2 * x + 1, 2 * y),
    lambda x, y: disc(x, y) & (x > 0.1 * np.sin(3 * y)),
)
"""Disc, square, triangle, ring, cross, rows, columns, checks, a pair, half a disc."""
