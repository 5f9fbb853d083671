"""Predicts six scores of essays, and writes submission.csv.

Ridge regression on the frequencies of words, word pairs and punctuation, case kept since it counts.
"""

import os

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split

SEED = int(os.environ.get("SEED", "0"))
MEASURES = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]


def mcrmse(true, predicted):
    """Mean over the columns of the root mean squared error."""
    return np.sqrt(((true - predicted) ** 2).mean(axis=0)).mean()


def counts(texts):
    """Length, full stops, capitals and mean length of words of each text."""
    rows = [
        [len(text) / 1000, text.count(".") / 10, sum(map(str.isupper, text)) / 10, np.mean([len(w) for w in text.split()])]
        for text in texts
    ]
    return csr_matrix(np.array(rows))


def fit_predict(texts, scores, unseen):
    words = TfidfVectorizer(
        ngram_range=(1, 2), lowercase=False, sublinear_tf=True, min_df=5, max_features=5000, token_pattern=r"[\w']+|[.,]"
    )
    known = hstack([words.fit_transform(texts), counts(texts)])
    return Ridge(alpha=1.0).fit(known, scores).predict(hstack([words.transform(unseen), counts(unseen)])).clip(1, 5)


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
