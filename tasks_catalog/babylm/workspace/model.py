"""A small GPT: a transformer that predicts the next token from those before it."""

import torch
from torch import nn


class GPT(nn.Module):
    """tokens (batch, length) -> logits of the next token at each place (batch, length, words)."""

    def __init__(self, words, context, width, layers, heads, dropout):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.place = nn.Embedding(context, width)
        self.dropout = nn.Dropout(dropout)
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, dropout, activation="gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.out = nn.Linear(width, words, bias=False)
        self.out.weight = self.embed.weight
        nn.init.normal_(self.embed.weight, std=0.02)
        nn.init.normal_(self.place.weight, std=0.02)

    def forward(self, tokens):
        length = tokens.shape[1]
        state = self.dropout(self.embed(tokens) + self.place.weight[:length])
        mask = nn.Transformer.generate_square_subsequent_mask(length, device=tokens.device)
        return self.out(self.layers(state, mask=mask, is_causal=True))
