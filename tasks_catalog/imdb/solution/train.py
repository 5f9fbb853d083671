"""Classifies movie reviews as positive or negative, and writes submission.csv.

A linear model on words and pairs of words, weighted by tf-idf.
"""

import os

import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

SEED = int(os.environ.get("SEED", "0"))


def fit_predict(texts, labels, unseen):
    encode = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"[\w']+")
    model = make_pipeline(encode, LogisticRegression(C=4, solver="liblinear", random_state=SEED))
    return model.fit(texts, labels).predict_proba(unseen)


def main():
    train, test = pd.read_csv("data/train.csv"), pd.read_csv("data/test.csv")
    fit, valid = train_test_split(train, test_size=0.1, random_state=SEED)
    predicted = fit_predict(fit["text"], fit["label"], valid["text"]).argmax(1)
    print(f"validation accuracy: {accuracy_score(valid['label'], predicted):.4f}")

    negative, positive = fit_predict(train["text"], train["label"], test["text"]).T
    pd.DataFrame({"id": test["id"], "negative": negative, "positive": positive}).to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
