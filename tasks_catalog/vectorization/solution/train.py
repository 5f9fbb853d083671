"""The forward pass of a convolution layer as one matrix product, timed.

    python train.py [INPUTS [OUTPUT]]

INPUTS is a folder with images.npy, filters.npy and bias.npy; the result is saved as OUTPUT.
"""

import sys
import time
from pathlib import Path

import numpy as np


def relu(values):
    return np.maximum(0, values)


class Conv2D:
    """A convolution with stride 1 and no padding, followed by a ReLU.

    filters: (height, width, channels, number of filters); bias: (number of filters,)
    """

    def __init__(self, filters, bias):
        self.filters = filters
        self.bias = bias

    def forward(self, images):
        """images: (batch, height, width, channels) -> (batch, out height, out width, number of filters)"""
        filter_height, filter_width, channels, n_filters = self.filters.shape
        windows = np.lib.stride_tricks.sliding_window_view(images, (filter_height, filter_width), axis=(1, 2))
        patches = windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, filter_height * filter_width * channels)
        result = patches @ self.filters.reshape(-1, n_filters) + self.bias
        result = result.reshape(*windows.shape[:3], n_filters)

        return relu(result)


def main():
    inputs = Path(sys.argv[1] if len(sys.argv) > 1 else "data")
    output = sys.argv[2] if len(sys.argv) > 2 else "output.npy"
    images, filters, bias = (np.load(inputs / f"{name}.npy") for name in ("images", "filters", "bias"))

    layer = Conv2D(filters, bias)
    started = time.perf_counter()
    result = layer.forward(images)
    print(f"seconds: {time.perf_counter() - started:.4f}")

    np.save(output, result)
    print(f"saved {output} with shape {result.shape}, mean {result.mean():.6f}")


if __name__ == "__main__":
    main()
