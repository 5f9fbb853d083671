"""The loaders of the benchmark's own pictures, on small files in the exact format of each source."""

from __future__ import annotations

import csv
import io
import json
import tarfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tasks_catalog.library.errors import PrepareError
from tests.tasks_catalog.full import prepared_from
from tests.tasks_catalog.test_full_data import read

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")


def lay_contrails(raw: Path) -> None:
    """Kaggle's layout: a folder for each record, with bands of eight frames, in kelvin, and a mask."""
    draw = np.random.default_rng(0)
    for part, names in (("train", ("10", "11", "12")), ("validation", ("20", "21"))):
        metadata = [{"record_id": name, "row_min": 1, "projection_wkt": "", "timestamp": 1.5e9} for name in names]
        (raw / f"{part}_metadata.json").write_text(json.dumps(metadata))
        for name in names:
            folder = raw / part / name
            folder.mkdir(parents=True)
            for band in (8, 11, 14, 15):
                frames = draw.uniform(230, 300, (16, 16, 8)).astype(np.float32)
                np.save(folder / f"band_{band:02d}.npy", frames)
            mask = (draw.random((16, 16, 1)) < 0.1).astype(np.int32)
            np.save(folder / "human_pixel_masks.npy", mask)


def test_identify_contrails(raw: Path) -> None:
    lay_contrails(raw)
    warm = np.full((16, 16, 8), 273.0, dtype=np.float32)
    for band, kelvin in ((11, 272.5), (14, 273.0), (15, 272.0)):
        warm[:, :, 4] = kelvin
        np.save(raw / "train" / "11" / f"band_{band}.npy", warm)
    prepared = prepared_from(raw, "identify-contrails")
    images = np.load(prepared.public / "train_images.npy")
    assert images.shape == (3, 16, 16, 3)
    # 12.3 less 11.2 µm: -1 of -4 to 2 K; 11.2 less 8.4 µm: 0.5 of -4 to 5 K; 11.2 µm: 273 of 243 to 303 K
    assert images[1, 3, 3].tolist() == [round(255 * 3 / 6), round(255 * 4.5 / 9), round(255 * 30 / 60)]
    mask = np.load(raw / "validation" / "21" / "human_pixel_masks.npy")[..., 0]
    assert np.array_equal(np.load(prepared.private / "test_masks.npy")[1], mask > 0)
    assert read(prepared.public / "test.csv") == [{"record_id": "20"}, {"record_id": "21"}]
    assert read(prepared.private / "answers.csv")[1] == {"record_id": "21", "pixels": str(mask.sum())}
    public = {path.name for path in prepared.public.iterdir()}
    assert public == {"train_images.npy", "train_masks.npy", "train.csv", "test_images.npy", "test.csv"}


def lay_fathomnet(raw: Path) -> dict[str, set[int]]:
    """Kaggle's table and COCO file, and the pictures as ``download_images.py`` names them; 30 dives of 4 frames."""
    draw = np.random.default_rng(0)
    (raw / "object_detection").mkdir()
    (raw / "images").mkdir()
    with (raw / "category_key.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "name", "supercat"), *((n, f"Animal {n}", "Fish") for n in range(1, 6))])
    images, annotations, shown = [], [], {}
    for n in range(120):
        name, dive = f"0000-{n:04d}", f"{n // 4:04d}"
        url = f"https://database.fathomnet.org/static/m3/framegrabs/Ventana/images/{dive}/00_{n % 4:02d}_00_00.png"
        images.append({"id": n + 1, "width": 720, "height": 480, "file_name": f"{name}.png", "coco_url": url})
        shown[name] = {int(draw.integers(1, 4)), *({5} if n in (7, 50) else ())}
        for category in [*shown[name], min(shown[name])]:
            annotations.append({"image_id": n + 1, "category_id": category, "bbox": [1, 1, 9, 9], "iscrowd": 0})
        pixels = draw.integers(0, 256, (48, 72, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(raw / "images" / f"{name}.png")
    described = {"images": images, "annotations": annotations, "categories": []}
    (raw / "object_detection" / "train.json").write_text(json.dumps(described))
    return shown


def test_fathomnet(raw: Path) -> None:
    shown = lay_fathomnet(raw)
    prepared = prepared_from(raw, "fathomnet")
    train, answers = read(prepared.public / "train.csv"), read(prepared.private / "answers.csv")
    assert read(prepared.public / "test.csv") == [{"id": row["id"]} for row in answers]
    assert len(train) + len(answers) == 120
    assert all(set(map(int, row["categories"].split())) == shown[row["id"]] for row in train + answers)
    assert {row["id"] for row in answers if row["osd"] == "1"} == {"0000-0007", "0000-0050"}
    known = {int(row["id"][5:]) // 4 for row in train}
    assert not known & {int(row["id"][5:]) // 4 for row in answers if row["osd"] == "0"}
    assert not any("5" in row["categories"].split() for row in train)
    with np.load(prepared.public / "train.npz") as pictures:
        assert pictures["images"].shape == (len(train), 128, 128, 3)
        last = Image.open(raw / "images" / f"{train[-1]['id']}.png").resize((128, 128), Image.Resampling.BILINEAR)
        assert np.array_equal(pictures["images"][-1], np.asarray(last))


def test_cifar100(raw: Path) -> None:
    draw = np.random.default_rng(0)
    parts = {name: draw.integers(0, 20, (rows, 2 + 3072), dtype=np.uint8) for name, rows in (("train", 8), ("test", 5))}
    with tarfile.open(raw / "cifar-100-binary.tar.gz", "w:gz") as archive:
        for name, content in {
            **{f"{name}.bin": part.tobytes() for name, part in parts.items()},
            "fine_label_names.txt": b"apple\n",
        }.items():
            member = tarfile.TarInfo(f"cifar-100-binary/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    prepared = prepared_from(raw, "cifar100")
    with np.load(prepared.public / "train.npz") as train, np.load(prepared.public / "test.npz") as test:
        assert train["labels"].tolist() == parts["train"][:, 1].tolist()  # the fine label, not the coarse one
        assert train["images"][3, 0, 1].tolist() == parts["train"][3, [2 + 1, 2 + 1024 + 1, 2 + 2048 + 1]].tolist()
        assert test["images"].shape == (5, 32, 32, 3)
    assert [int(row["label"]) for row in read(prepared.private / "answers.csv")] == parts["test"][:, 1].tolist()


def test_another_archive_is_not_taken_for_the_data_set(raw: Path) -> None:
    with tarfile.open(raw / "cifar-100-binary.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("cifar-100-binary/train.bin"), io.BytesIO())
    with pytest.raises(PrepareError, match="is not the binary archive of the data set"):
        prepared_from(raw, "cifar100")
