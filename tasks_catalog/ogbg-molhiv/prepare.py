from __future__ import annotations

import csv
import hashlib
import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

ARCHIVE = "http://snap.stanford.edu/ogb/data/graphproppred/csv_mol_download/hiv.zip"
RDKIT = "2026.9.1"
SCREEN = "rdkit/Data/Pains/test_data/wehi_mols.csv"
SHARES = {"train": 0.7, "valid": 0.1, "test": 0.2}

Numbers = npt.NDArray[np.int64]


class Molecules(NamedTuple):
    """Molecules as OGB gives them.

    ``atoms`` (all atoms, 9) and ``bonds`` (all bonds, 2 + 3) lie one molecule after the other, as many rows
    for each as ``atom_counts`` and ``bond_counts`` say. A bond is the two atoms, counted within the
    molecule, and its features.
    """

    smiles: list[str]
    labels: Numbers
    atoms: Numbers
    atom_counts: Numbers
    bonds: Numbers
    bond_counts: Numbers
    parts: dict[str, Numbers]


def prepare(job: PrepareJob) -> None:
    """Write the graphs of all molecules, and the labels of those that are not hidden."""
    if job.variant is Variant.FULL:
        molecules = read_archive(job.sources.web(ARCHIVE))
    else:
        with job.sources.library("rdkit", RDKIT) as rdkit:
            molecules = flag(rdkit / SCREEN)
    np.savez_compressed(
        job.public / "molecules.npz",
        atoms=molecules.atoms.astype(np.int16),
        atom_counts=molecules.atom_counts,
        bonds=molecules.bonds.astype(np.int16),
        bond_counts=molecules.bond_counts,
    )
    for part in ("train", "valid"):
        table(molecules, part).to_csv(job.public / f"{part}.csv", index=False)
    test = table(molecules, "test")
    test[["molecule", "smiles"]].to_csv(job.public / "test.csv", index=False)
    test[["molecule", "label"]].to_csv(job.private / "answers.csv", index=False)


def table(molecules: Molecules, part: str) -> pd.DataFrame:
    """The molecules of one part of the split with their labels."""
    rows = np.sort(molecules.parts[part])
    smiles = [molecules.smiles[row] for row in rows]
    return pd.DataFrame({"molecule": rows, "smiles": smiles, "label": molecules.labels[rows]})


def read_archive(path: Path) -> Molecules:
    """OGB's own archive, with its own split by scaffold."""
    with zipfile.ZipFile(path) as archive:

        def read(name: str, header: int | None = None) -> pd.DataFrame:
            return pd.read_csv(io.BytesIO(archive.read(f"hiv/{name}.csv.gz")), compression="gzip", header=header)

        def numbers(name: str) -> Numbers:
            return read(name).to_numpy(dtype=np.int64)

        return Molecules(
            smiles=read("mapping/mol", header=0)["smiles"].tolist(),
            labels=numbers("raw/graph-label")[:, 0],
            atoms=numbers("raw/node-feat"),
            atom_counts=numbers("raw/num-node-list")[:, 0],
            bonds=np.hstack([numbers("raw/edge"), numbers("raw/edge-feat")]),
            bond_counts=numbers("raw/num-edge-list")[:, 0],
            parts={part: numbers(f"split/scaffold/{part}")[:, 0] for part in SHARES},
        )


def flag(screen: Path) -> Molecules:
    """Molecules of a screening library that ships with RDKit; the label is a PAINS alert (Baell 2010)."""
    from rdkit import Chem
    from rdkit.Chem import FilterCatalog
    from rdkit.Chem.Scaffolds.MurckoScaffold import MurckoScaffoldSmiles

    with screen.open(encoding="utf-8", newline="") as file:
        read = [Chem.MolFromSmiles(row[0]) for row in csv.reader(file)]
    distinct = {Chem.MolToSmiles(molecule): molecule for molecule in read if molecule is not None}
    smiles = sorted(distinct, key=lambda text: hashlib.sha256(text.encode()).digest())  # says nothing about the label
    molecules = [Chem.MolFromSmiles(text) for text in smiles]
    which = FilterCatalog.FilterCatalogParams()
    which.AddCatalog(FilterCatalog.FilterCatalogParams.FilterCatalogs.PAINS)
    alerts = FilterCatalog.FilterCatalog(which)
    atoms = [[atom_features(atom) for atom in molecule.GetAtoms()] for molecule in molecules]
    bonds = [[bond_features(bond) for bond in molecule.GetBonds()] for molecule in molecules]
    return Molecules(
        smiles=smiles,
        labels=np.array([alerts.HasMatch(molecule) for molecule in molecules], dtype=np.int64),
        atoms=np.array([row for rows in atoms for row in rows]),
        atom_counts=np.array([len(rows) for rows in atoms]),
        bonds=np.array([row for rows in bonds for row in rows]),
        bond_counts=np.array([len(rows) for rows in bonds]),
        parts=scaffold_split([MurckoScaffoldSmiles(mol=molecule) for molecule in molecules]),
    )


def scaffold_split(scaffolds: Iterable[str]) -> dict[str, Numbers]:
    """Whole scaffolds to one part each, the most frequent ones to learn from (Wu et al. 2018, as OGB does)."""
    groups: dict[str, list[int]] = defaultdict(list)
    for row, scaffold in enumerate(scaffolds):
        groups[scaffold].append(row)
    total = sum(map(len, groups.values()))
    parts: dict[str, list[int]] = {part: [] for part in SHARES}
    for rows in sorted(groups.values(), key=lambda rows: (-len(rows), rows)):
        roomy = (part for part, share in SHARES.items() if len(parts[part]) + len(rows) <= share * total)
        parts[next(roomy, "test")] += rows
    return {part: np.array(rows) for part, rows in parts.items()}


CHIRALITY = ("CHI_UNSPECIFIED", "CHI_TETRAHEDRAL_CW", "CHI_TETRAHEDRAL_CCW", "CHI_OTHER")
HYBRIDIZATION = ("SP", "SP2", "SP3", "SP3D", "SP3D2")
BOND_TYPE = ("SINGLE", "DOUBLE", "TRIPLE", "AROMATIC")
STEREO = ("STEREONONE", "STEREOZ", "STEREOE", "STEREOCIS", "STEREOTRANS", "STEREOANY")


def atom_features(atom: Any) -> list[int]:
    """OGB's nine features of an atom, each a number from 0."""
    return [
        atom.GetAtomicNum() - 1,
        place(atom.GetChiralTag(), CHIRALITY),
        atom.GetTotalDegree(),
        atom.GetFormalCharge() + 5,
        atom.GetTotalNumHs(),
        atom.GetNumRadicalElectrons(),
        place(atom.GetHybridization(), HYBRIDIZATION),
        int(atom.GetIsAromatic()),
        int(atom.IsInRing()),
    ]


def bond_features(bond: Any) -> list[int]:
    """The two atoms of a bond, and OGB's three features of it."""
    ends = [bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()]
    return [*ends, place(bond.GetBondType(), BOND_TYPE), place(bond.GetStereo(), STEREO), int(bond.GetIsConjugated())]


def place(value: object, choices: tuple[str, ...]) -> int:
    """Where a value stands among the choices; behind the last where it is none of them."""
    return choices.index(str(value)) if str(value) in choices else len(choices)
