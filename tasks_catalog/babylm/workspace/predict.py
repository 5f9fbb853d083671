"""Predicts the token that follows each of many contexts, with the model that train.py saved.

    python predict.py INPUTS OUTPUT

INPUTS is a folder with contexts.npy, token numbers (contexts, length); saved as OUTPUT is the logarithm of
the probability of each word of the vocabulary to come next, float32 (contexts, words).
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from model import GPT

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def main():
    inputs, output = sys.argv[1:]
    contexts = torch.from_numpy(np.load(Path(inputs) / "contexts.npy").astype(np.int64))
    config = json.loads(Path("model/config.json").read_text())
    model = GPT(**config).to(DEVICE)
    model.load_state_dict(torch.load("model/weights.pt", map_location=DEVICE, weights_only=True))
    model.eval()
    with torch.no_grad():
        parts = contexts[:, -config["context"] :].split(64)
        predictions = torch.cat([model(part.to(DEVICE))[:, -1].log_softmax(-1).cpu() for part in parts])
    np.save(output, predictions.numpy())
    print(f"saved {output} with shape {tuple(predictions.shape)}")


if __name__ == "__main__":
    main()
