from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks_catalog.library.data.shapes import SHAPES, covered
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

COMPETITION = "fathomnet-out-of-sample-detection"
RARE = 20
"""A category in fewer pictures than this is taken for unknown: pictures that show it are out-of-sample."""
HIDDEN_EVERY = 8
"""Of the other pictures one dive in as many is hidden."""
PIXELS = {Variant.MINI: 48, Variant.FULL: 128}

TRAIN, SAME, NEW = 2400, 400, 250
SEED = 0x7551F7EFC5307903861B59EFA5FFC6F27E6E34BBE07FA329DF818EA39EF8A0DC
"""Drawn once, so that nobody finds it by trying."""
COLOURS = {"red": (225, 70, 60), "pale": (225, 215, 205), "orange": (235, 150, 50), "violet": (150, 80, 190)}
NAMES = ("jelly", "crate", "ray", "ring", "star", "worm", "comb", "coral", "twin", "shell")
KNOWN = 26
"""Of the 40 kinds of animals, those that live near enough to the surface to be in the training set."""

Picture = npt.NDArray[np.uint8]
Kinds = npt.NDArray[np.int_]


@dataclass(frozen=True)
class Shot:
    """One picture: the categories in it, whether it is hidden, and whether it is out-of-sample."""

    name: str
    picture: Picture
    categories: list[int]
    hidden: bool
    new: bool


def prepare(job: PrepareJob) -> None:
    """Write pictures with their categories, others without, and the key of the categories."""
    key, found = read_competition(job) if job.variant is Variant.FULL else generate()
    shots = sorted(found, key=lambda shot: hashlib.md5(shot.name.encode(), usedforsecurity=False).digest())
    train, test = [shot for shot in shots if not shot.hidden], [shot for shot in shots if shot.hidden]
    key.to_csv(job.public / "category_key.csv", index=False)
    for part, own in (("train", train), ("test", test)):
        np.savez(job.public / f"{part}.npz", images=np.stack([shot.picture for shot in own]))
    table(train)[["id", "categories"]].to_csv(job.public / "train.csv", index=False)
    table(test)[["id"]].to_csv(job.public / "test.csv", index=False)
    table(test).to_csv(job.private / "answers.csv", index=False)


def table(shots: list[Shot]) -> pd.DataFrame:
    """A row for each picture, in the competition's columns."""
    return pd.DataFrame(
        {
            "id": [shot.name for shot in shots],
            "categories": [" ".join(map(str, shot.categories)) for shot in shots],
            "osd": [int(shot.new) for shot in shots],
        }
    )


def read_competition(job: PrepareJob) -> tuple[pd.DataFrame, Iterator[Shot]]:
    """The competition's labelled pictures, which lie on FathomNet's own server, and its key of categories."""
    key = pd.read_csv(io.BytesIO(job.sources.kaggle(COMPETITION, "category_key.csv").read_bytes()))
    known = json.loads(job.sources.kaggle(COMPETITION, "object_detection/train.json").read_bytes())
    shown: dict[Any, set[int]] = {}
    for annotation in known["annotations"]:
        shown.setdefault(annotation["image_id"], set()).add(int(annotation["category_id"]))
    often = Counter(category for categories in shown.values() for category in categories)
    rare = {category for category, times in often.items() if times < RARE}
    pictures = [picture for picture in known["images"] if picture["id"] in shown]
    return key, (read_shot(job, picture, shown[picture["id"]], rare) for picture in pictures)


def read_shot(job: PrepareJob, described: dict[str, Any], categories: set[int], rare: set[int]) -> Shot:
    """A picture of the competition, fetched and scaled down."""
    from PIL import Image

    url, file = described["coco_url"], described["file_name"]
    with Image.open(job.sources.web(url, name=f"images/{file}")) as image:
        scaled = image.convert("RGB").resize((PIXELS[Variant.FULL],) * 2, Image.Resampling.BILINEAR)
    new = bool(categories & rare)
    dive = hashlib.md5(url.rpartition("/")[0].encode(), usedforsecurity=False).digest()
    hidden = new or dive[0] % HIDDEN_EVERY == 0
    return Shot(file.rpartition(".")[0], np.asarray(scaled), sorted(categories), hidden, new)


def generate() -> tuple[pd.DataFrame, Iterator[Shot]]:
    """Pictures of animals on the sea floor: shapes of four colours, most kinds rare, some in deep water alone."""
    draw = np.random.default_rng(SEED)
    kinds = draw.permutation(len(SHAPES) * len(COLOURS))
    labels = [f"{colour} {name}" for name in NAMES for colour in COLOURS]
    key = pd.DataFrame({"id": range(1, len(kinds) + 1), "name": labels, "supercat": np.repeat(NAMES, len(COLOURS))})
    return key, (make_shot(n, kinds, draw) for n in range(TRAIN + SAME + NEW))


def make_shot(n: int, kinds: Kinds, draw: np.random.Generator) -> Shot:
    """The nth picture: first the training set, then others like it, then the out-of-sample ones."""
    new = n >= TRAIN + SAME
    present = pick_kinds(kinds, draw, new=new)
    light = draw.normal(0.85 if new else 1.0, 0.12)  # in deeper water it is a little darker
    name = hashlib.md5(f"{SEED} {n}".encode(), usedforsecurity=False).hexdigest()
    categories = [kind + 1 for kind in present]
    return Shot(f"{name[:8]}-{name[8:12]}", paint_floor(present, light, draw), categories, hidden=n >= TRAIN, new=new)


def pick_kinds(kinds: Kinds, draw: np.random.Generator, *, new: bool) -> list[int]:
    """One to four kinds of animals that meet; the known ones are the rarer, the later they stand in ``kinds``."""
    often = 1 / np.arange(1, KNOWN + 1) ** 0.8
    count = draw.choice((1, 2, 3, 4), p=(0.4, 0.3, 0.2, 0.1))
    known = draw.choice(KNOWN, count, replace=False, p=often / often.sum())
    strange = draw.choice(np.arange(KNOWN, len(kinds)), draw.integers(1, 3), replace=False)
    return sorted(kinds[np.concatenate([known[1:], strange]) if new else known].tolist())


def paint_floor(present: list[int], light: float, draw: np.random.Generator) -> Picture:
    """A picture of the sea floor, with an animal of each kind."""
    size = PIXELS[Variant.MINI]
    slope = np.linspace(draw.uniform(-25, 25), draw.uniform(-25, 25), size)[:, None, None]
    floor = np.kron(draw.normal(0, 10, (12, 12, 1)), np.ones((4, 4, 1)))
    picture = np.array([45.0, 85.0, 105.0]) + draw.normal(0, 12, 3) + slope + floor
    for kind in present:
        shape, colour = divmod(kind, len(COLOURS))
        inside = covered(shape, size, draw.uniform(7, size - 7, 2), draw.uniform(5, 8), draw.uniform(-0.6, 0.6))
        shade = np.array(list(COLOURS.values())[colour]) + draw.normal(0, 15, 3)
        picture = np.where(inside[..., None], 0.75 * shade + 0.25 * picture, picture)
    picture = light * picture + draw.normal(0, 12, (size, size, 3))
    return picture.clip(0, 255).astype(np.uint8)
