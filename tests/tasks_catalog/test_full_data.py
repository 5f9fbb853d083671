"""The loaders of the benchmark's own data, on small files in the exact format of each source."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from tasks_catalog.catalog import load_task
from tasks_catalog.library.drawing import draw_exam, new_secret
from tasks_catalog.library.errors import PrepareError
from tasks_catalog.library.leaks import find_leaks
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Variant

Row = Sequence[object]


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    return folder


def write(path: Path, header: Row, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def prepared_from(raw: Path, name: str) -> Prepared:
    task = load_task(name)
    data = raw.parent / "data" / name
    prepared = prepare(task, Variant.FULL, data, raw.parent / "downloads", raw)
    assert find_leaks(prepared.public, prepared.private) == []
    return prepared


def test_house_price(raw: Path) -> None:
    draw = np.random.default_rng(0)
    rows = [
        (n, "NA" if n % 3 else "Grvl", draw.integers(9, 99), draw.integers(10**5, 10**6)) for n in range(1165, 1175)
    ]
    write(raw / "train.csv", ("Id", "Alley", "LotArea", "SalePrice"), rows)
    prepared = prepared_from(raw, "house-price")
    assert [row["Id"] for row in read(prepared.public / "train.csv")] == ["1165", "1166", "1167", "1168"]
    assert read(prepared.public / "test.csv")[0] == {"Id": "1169", "Alley": "NA", "LotArea": str(rows[4][2])}
    assert read(prepared.private / "answers.csv")[0] == {"Id": "1169", "SalePrice": str(rows[4][3])}


def test_spaceship_titanic(raw: Path) -> None:
    draw = np.random.default_rng(0)
    rows = [(f"{g:04d}_{p:02d}", "Mars", draw.normal(), bool(draw.integers(2))) for g in range(1, 31) for p in (1, 2)]
    write(raw / "train.csv", ("PassengerId", "HomePlanet", "Age", "Transported"), rows)
    prepared = prepared_from(raw, "spaceship-titanic")
    hidden = {row["PassengerId"][:4] for row in read(prepared.private / "answers.csv")}
    known = {row["PassengerId"][:4] for row in read(prepared.public / "train.csv")}
    assert hidden == {"0005", "0010", "0015", "0020", "0025", "0030"}
    assert not hidden & known
    assert "Transported" not in read(prepared.public / "test.csv")[0]


def test_feedback(raw: Path) -> None:
    measures = ("cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions")
    draw = np.random.default_rng(0)
    rows = [(f"{n:012X}", f"Essay number {n}.\nIt's short.", *draw.integers(2, 11, 6) / 2) for n in range(60)]
    write(raw / "train.csv", ("text_id", "full_text", *measures), [*rows, ("F" * 12, *rows[0][1:])])
    prepared = prepared_from(raw, "feedback")
    test, train = read(prepared.public / "test.csv"), read(prepared.public / "train.csv")
    assert len(test) + len(train) == 60
    assert 3 <= len(test) <= 24
    assert list(test[0]) == ["text_id", "full_text"]


def test_parkinsons_disease(raw: Path) -> None:
    visits = [(f"{patient}_{month}", patient, month) for patient in range(100, 108) for month in (0, 6, 12)]
    scores = ("updrs_1", "updrs_2", "updrs_3", "updrs_4", "upd23b_clinical_state_on_medication")
    draw = np.random.default_rng(0)
    clinical = [(*visit, *draw.integers(0, 40, 3), "" if visit[2] == 6 else 0, "On") for visit in visits]
    write(raw / "train_clinical_data.csv", ("visit_id", "patient_id", "visit_month", *scores), clinical)
    levels = [(v, m, p, protein, round(draw.lognormal(9), 1)) for v, p, m in visits for protein in ("O00391", "P01024")]
    write(raw / "train_proteins.csv", ("visit_id", "visit_month", "patient_id", "UniProt", "NPX"), levels)
    header = ("visit_id", "visit_month", "patient_id", "UniProt", "Peptide", "PeptideAbundance")
    write(raw / "train_peptides.csv", header, [(*row[:4], "NEQEQPLGQWHLS", row[4]) for row in levels])
    prepared = prepared_from(raw, "parkinsons-disease")
    assert {row["patient_id"] for row in read(prepared.public / "test.csv")} == {"100", "104"}
    assert not {"100", "104"} & {row["patient_id"] for row in read(prepared.public / "train_clinical_data.csv")}
    answers = {row["prediction_id"]: float(row["rating"]) for row in read(prepared.private / "answers.csv")}
    assert answers["100_0_updrs_1_plus_6_months"] == clinical[1][3]
    assert "100_0_updrs_4_plus_6_months" not in answers  # not measured
    assert "100_6_updrs_1_plus_12_months" not in answers  # no visit then


def test_imdb(raw: Path) -> None:
    import pandas as pd

    pytest.importorskip("torch")
    for part, numbers in (("train", range(20)), ("test", range(15, 40))):
        table = pd.DataFrame(
            {"text": [f"Film {n} was <br /> so, so" for n in numbers], "label": [n % 2 for n in numbers]}
        )
        table.to_parquet(raw / f"{part}-00000-of-00001.parquet")
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        (raw / name).write_text(name)
    prepared = prepared_from(raw, "imdb")
    assert len(read(prepared.public / "train.csv")) == 20
    assert len(read(prepared.private / "answers.csv")) == 20  # five of the test reviews are in the training set
    assert (prepared.public / "distilbert" / "config.json").is_file()


def write_ogb_archive(path: Path, tables: dict[str, list[Row]]) -> None:
    """The layout that OGB's own loader reads: one gzipped table without a header for each part."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, rows in tables.items():
            text = io.StringIO()
            csv.writer(text).writerows(rows)
            archive.writestr(f"{path.stem}/{name}.csv.gz", gzip.compress(text.getvalue().encode()))


def test_ogbn_arxiv(raw: Path) -> None:
    pytest.importorskip("torch")
    tables: dict[str, list[Row]] = {
        "raw/edge": [(1, 0), (2, 0), (3, 2)],
        "raw/node-feat": [(0.5, -0.5), (0.25, 1), (0, 0), (1, 1)],
        "raw/node_year": [(2015,), (2017,), (2018,), (2020,)],
        "raw/node-label": [(4,), (3,), (2,), (1,)],
        "split/time/train": [(1,), (0,)],
        "split/time/valid": [(2,)],
        "split/time/test": [(3,)],
    }
    write_ogb_archive(raw / "arxiv.zip", tables)
    prepared = prepared_from(raw, "ogbn-arxiv")
    with np.load(prepared.public / "graph.npz") as graph:
        assert graph["edges"].tolist() == [[1, 2, 3], [0, 0, 2]]
        assert graph["features"].shape == (4, 2)
        assert "labels" not in graph.files
    assert read(prepared.public / "train.csv") == [{"node": "0", "label": "4"}, {"node": "1", "label": "3"}]
    assert read(prepared.private / "answers.csv") == [{"node": "3", "label": "1"}]


def test_ogbg_molhiv(raw: Path) -> None:
    pytest.importorskip("torch")
    carbon, oxygen = (5, 0, 4, 5, 3, 0, 2, 0, 0), (7, 0, 2, 5, 1, 0, 2, 0, 0)
    tables: dict[str, list[Row]] = {
        "mapping/mol": [("HIV_active", "smiles", "mol_id"), (0, "CO", "HIV0"), (1, "CCO", "HIV1"), (0, "O", "HIV2")],
        "raw/graph-label": [(0,), (1,), (0,)],
        "raw/node-feat": [carbon, oxygen, carbon, carbon, oxygen, oxygen],
        "raw/num-node-list": [(2,), (3,), (1,)],
        "raw/edge": [(0, 1), (0, 1), (1, 2)],
        "raw/edge-feat": [(0, 0, 0), (0, 0, 0), (0, 0, 1)],
        "raw/num-edge-list": [(1,), (2,), (0,)],
        "split/scaffold/train": [(2,)],
        "split/scaffold/valid": [(0,)],
        "split/scaffold/test": [(1,)],
    }
    write_ogb_archive(raw / "hiv.zip", tables)
    prepared = prepared_from(raw, "ogbg-molhiv")
    with np.load(prepared.public / "molecules.npz") as molecules:
        assert molecules["atom_counts"].tolist() == [2, 3, 1]
        assert molecules["atoms"].tolist()[2:5] == [list(carbon), list(carbon), list(oxygen)]
        assert molecules["bonds"].tolist() == [[0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [1, 2, 0, 0, 1]]
    assert read(prepared.public / "train.csv") == [{"molecule": "2", "smiles": "O", "label": "0"}]
    assert read(prepared.public / "test.csv") == [{"molecule": "1", "smiles": "CCO"}]
    assert read(prepared.private / "answers.csv") == [{"molecule": "1", "label": "1"}]


def test_babylm(raw: Path) -> None:
    pytest.importorskip("torch")
    draw = np.random.default_rng(0)
    words = np.array(["the", "a", "dog", "cat", "ball", "you", "do", "not", "want", "see", "is", "here", "mummy"])

    def text(lines: int) -> str:
        return "\n".join(" ".join(draw.choice(words, 6)).capitalize() + "." for _ in range(lines)) + "\n"

    with zipfile.ZipFile(raw / "babylm_data.zip", "w") as archive:
        archive.writestr("babylm_data/README.md", "# BabyLM Dataset")
        archive.writestr("__MACOSX/babylm_data/babylm_10M/._aochildes.train", b"\x00\x05")
        for folder, ending, lines in [
            ("babylm_100M", "train", 9),
            ("babylm_10M", "train", 300),
            ("babylm_dev", "dev", 60),
            ("babylm_test", "test", 400),
        ]:
            for source in ("aochildes", "switchboard"):
                archive.writestr(f"babylm_data/{folder}/{source}.{ending}", text(lines))
    prepared = prepared_from(raw, "babylm")
    vocabulary = json.loads((prepared.public / "vocabulary.json").read_text())
    with np.load(prepared.public / "train.npz") as train, np.load(prepared.public / "valid.npz") as valid:
        assert train.files == valid.files == ["aochildes", "switchboard"]
        assert "".join(vocabulary[token] for token in train["aochildes"]).count("Ċ") == 300
    exam = raw.parent / "exam"
    draw_exam(load_task("babylm"), Variant.FULL, prepared, new_secret(), exam)
    contexts = np.load(exam / "inputs" / "contexts.npy")
    answers = [int(row["token"]) for row in read(exam / "answers.csv")]
    assert contexts.shape == (len(answers), 256)
    assert len(answers) >= 8
    assert np.load(exam / "words.npy") == len(vocabulary) > 256


def test_a_file_that_was_not_laid_there_is_named(raw: Path) -> None:
    with pytest.raises(PrepareError, match=r"holds no file train\.csv"):
        prepared_from(raw, "house-price")


def test_cifar10(raw: Path) -> None:
    import tarfile

    pytest.importorskip("torch")
    draw = np.random.default_rng(0)
    planes = {f"data_batch_{n}.bin": draw.integers(0, 255, (4, 1 + 3072), dtype=np.uint8) for n in range(1, 6)}
    planes["test_batch.bin"] = draw.integers(0, 255, (6, 1 + 3072), dtype=np.uint8)
    for records in planes.values():
        records[:, 0] %= 10
    with tarfile.open(raw / "cifar-10-binary.tar.gz", "w:gz") as archive:
        for name, records in planes.items():
            member = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
            member.size = records.nbytes
            archive.addfile(member, io.BytesIO(records.tobytes()))
    prepared = prepared_from(raw, "cifar10")
    with np.load(prepared.public / "train.npz") as train, np.load(prepared.public / "test.npz") as test:
        assert train["images"].shape == (20, 32, 32, 3)
        assert train["labels"].tolist() == [row[0] for n in range(1, 6) for row in planes[f"data_batch_{n}.bin"]]
        assert test.files == ["images"]
        red_top_left = planes["test_batch.bin"][2, 1]
        blue_second_row = planes["test_batch.bin"][2, 1 + 2048 + 32]
        assert test["images"][2, 0, 0, 0] == red_top_left
        assert test["images"][2, 1, 0, 2] == blue_second_row
    answers = read(prepared.private / "answers.csv")
    assert [int(row["label"]) for row in answers] == planes["test_batch.bin"][:, 0].tolist()
