"""Predicts the token that follows each of many contexts with the n-gram model of ngram.py.

    python predict.py INPUTS OUTPUT
"""

import sys
from pathlib import Path

import numpy as np
from ngram import NGrams


def main():
    inputs, output = sys.argv[1:]
    contexts = np.load(Path(inputs) / "contexts.npy")
    with np.load("model/text.npz") as saved:
        model = NGrams(saved["text"], int(saved["words"]))
    predictions = np.log(model.predict(contexts)).astype(np.float32)
    np.save(output, predictions)
    print(f"saved {output} with shape {predictions.shape}")


if __name__ == "__main__":
    main()
