from __future__ import annotations

import hashlib
import io
import shutil
import tarfile

import pandas as pd

from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

HUB = "https://huggingface.co/datasets/stanfordnlp/imdb/resolve/main/plain_text"
MODEL_HUB = "https://huggingface.co/distilbert/distilbert-base-uncased/resolve/main"
MODEL_FILES = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "vocab.txt")
CLEAR = 0.5
"""Sentences rated nearer to neutral than this have no clear label and are left out."""


def prepare(job: PrepareJob) -> None:
    """Write the reviews with their labels, and the test reviews without."""
    if job.variant is Variant.FULL:
        train, test = read_hub(job)
        fetch_model(job)
    else:
        train, test = read_snippets(job)
    train.to_csv(job.public / "train.csv", index=False)
    test[["id", "text"]].to_csv(job.public / "test.csv", index=False)
    test[["id", "label"]].to_csv(job.private / "answers.csv", index=False)


def read_hub(job: PrepareJob) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The data set's own split of 25,000 and 25,000 reviews, less test reviews that are in the training set."""
    parts = {
        part: pd.read_parquet(job.sources.web(f"{HUB}/{part}-00000-of-00001.parquet"))[["text", "label"]]
        for part in ("train", "test")
    }
    train, test = (shuffled(table.drop_duplicates("text")) for table in parts.values())
    return train, test[~test["text"].isin(train["text"])]


def fetch_model(job: PrepareJob) -> None:
    """The pretrained model that the agent may fine-tune, since its sandbox has no network."""
    (job.public / "distilbert").mkdir()
    for name in MODEL_FILES:
        shutil.copy(job.sources.web(f"{MODEL_HUB}/{name}"), job.public / "distilbert" / name)


def read_snippets(job: PrepareJob) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sentences from film reviews, positive or negative by the mean of 20 people's ratings; a fifth is hidden."""
    archive = job.sources.pypi(
        "vaderSentiment",
        "3.3.2",
        "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz",
        checksum="5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9",
        sdist=True,
    )
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        file = packed.extractfile("hutto_ICWSM_2014/movieReviewSnippets_GroundTruth.txt")
        lines = file.read().decode("utf-8").splitlines() if file else []
    rated = pd.DataFrame([line.split("\t", 2)[1:] for line in lines], columns=["rating", "text"])
    rating = rated["rating"].astype(float)
    rated["label"] = (rating > 0).astype(int)
    snippets = shuffled(rated.loc[rating.abs() >= CLEAR, ["text", "label"]].drop_duplicates("text"))
    hidden = snippets["text"].map(text_hash) % 5 == 0
    return snippets[~hidden], snippets[hidden]


def shuffled(reviews: pd.DataFrame) -> pd.DataFrame:
    """The reviews in the order of a hash of their text, with an ``id`` that says nothing."""
    ordered = reviews.sort_values("text", key=lambda texts: texts.map(text_hash), ignore_index=True)
    return ordered.rename_axis("id").reset_index()


def text_hash(text: str) -> int:
    """A number that depends on the text alone, the same on every machine."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)
