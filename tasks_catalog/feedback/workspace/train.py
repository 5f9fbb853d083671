"""Predicts six scores of essays, and writes submission.csv."""

import os

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split

TEXT_FEATURES = 0  # 0..2000 (how many words are counted besides the length of the essay)
LONGEST_NGRAM = 1  # 1..3
ALPHA = 1.0  # 0.01..100 log

SEED = int(os.environ.get("SEED", "0"))
MEASURES = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]


def mcrmse(true, predicted):
    """Mean over the columns of the root mean squared error."""
    return np.sqrt(((true - predicted) ** 2).mean(axis=0)).mean()


def fit_predict(texts, scores, unseen):
    known, new = (np.array([[len(text) / 1000] for text in part]) for part in (texts, unseen))
    if TEXT_FEATURES:
        counter = CountVectorizer(ngram_range=(1, LONGEST_NGRAM), max_features=TEXT_FEATURES, lowercase=False)
        known = np.hstack([known, np.log1p(counter.fit_transform(texts).toarray())])
        new = np.hstack([new, np.log1p(counter.transform(unseen).toarray())])
    return Ridge(alpha=ALPHA).fit(known, scores).predict(new)


def main():
    train, test = pd.read_csv("data/train.csv"), pd.read_csv("data/test.csv")
    fit, valid = train_test_split(train, test_size=0.2, random_state=SEED)
    predicted = fit_predict(fit["full_text"], fit[MEASURES].to_numpy(), valid["full_text"])
    print(f"validation MCRMSE: {mcrmse(valid[MEASURES].to_numpy(), predicted):.4f}")

    predicted = fit_predict(train["full_text"], train[MEASURES].to_numpy(), test["full_text"])
    submission = pd.DataFrame(predicted, columns=MEASURES)
    submission.insert(0, "text_id", test["text_id"])
    submission.to_csv("submission.csv", index=False)
    print(f"wrote submission.csv with {len(test)} rows")


if __name__ == "__main__":
    main()
