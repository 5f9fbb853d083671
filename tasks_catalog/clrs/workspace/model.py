"""The kind of network that is submitted. The grader builds it from here, whatever this file becomes.

It encodes a graph, lets its nodes exchange messages for some steps, and decodes for each pair of nodes
which node comes before the second on the shortest path from the first. Each pair of nodes hears of all
third nodes (triplet messages, Dudzik & Velickovic 2022), as in the model of the CLRS benchmark.
"""

import torch
from torch import nn


class Reasoner(nn.Module):
    """weights (batch, nodes, nodes), 0 where there is no edge -> logits (batch, nodes, nodes, nodes).

    hidden: width of nodes and pairs.
    triplet: width of the messages among three nodes.
    steps: how often messages are exchanged; 0 takes as many as there are nodes.
    keep_pairs: pairs remember what they heard in the step before.
    normalise: what pairs remember is normalised.
    positions: nodes know their number.
    """

    def __init__(self, hidden=32, triplet=8, steps=0, keep_pairs=False, normalise=False, positions=True):
        super().__init__()
        self.hidden, self.steps, self.keep_pairs, self.positions = hidden, steps, keep_pairs, positions
        width = 2 * hidden
        self.encode_node = nn.Linear(1, hidden)
        self.encode_pair = nn.Linear(3, hidden)
        self.triplet_nodes = nn.ModuleList(nn.Linear(width, triplet) for _ in range(3))
        self.triplet_pairs = nn.ModuleList(nn.Linear(width, triplet) for _ in range(3))
        self.heard = nn.Linear(triplet, hidden)
        self.normalise = nn.LayerNorm(hidden) if normalise else nn.Identity()
        self.sender, self.receiver, self.link = (nn.Linear(width, hidden) for _ in range(3))
        self.update_old, self.update_new = nn.Linear(width, hidden), nn.Linear(hidden, hidden)
        self.decoders = nn.ModuleList(nn.Linear(width, triplet) for _ in range(3))
        self.out = nn.Linear(triplet, 1)

    def forward(self, weights, every_step=False):
        """every_step: logits after each step, (batch, steps, nodes, nodes, nodes)."""
        batch, count, _ = weights.shape
        numbers = torch.arange(count, device=weights.device) / count * self.positions
        node = self.encode_node(numbers.view(1, count, 1).expand(batch, count, 1))
        itself = torch.eye(count, device=weights.device).expand_as(weights)
        pair = self.encode_pair(torch.stack([weights, (weights > 0).float(), itself], -1))
        state, memory = torch.zeros_like(node), torch.zeros_like(pair)
        logits = []
        for _ in range(self.steps or count):
            nodes = torch.cat([node, state], -1)
            pairs = torch.cat([pair, memory if self.keep_pairs else torch.zeros_like(memory)], -1)
            memory = self.normalise(torch.relu(self.heard(self.triplet_messages(nodes, pairs))))
            messages = (self.sender(nodes)[:, :, None] + self.receiver(nodes)[:, None] + self.link(pairs)).amax(1)
            state = torch.relu(self.update_old(nodes) + self.update_new(messages))
            if every_step:
                logits.append(self.decode(pair, memory))
        return torch.stack(logits, 1) if every_step else self.decode(pair, memory)

    def triplet_messages(self, nodes, pairs):
        """For each pair (i, j) the strongest message over all k: (batch, i, j, triplet)."""
        first, second, third = (layer(nodes) for layer in self.triplet_nodes)
        direct, start, end = (layer(pairs) for layer in self.triplet_pairs)
        through = (start + third[:, None])[:, :, None] + end.transpose(1, 2)[:, None]
        return direct + first[:, :, None] + second[:, None] + through.amax(3)

    def decode(self, pair, memory):
        """How likely k comes before j on the way from i: (batch, i, j, k)."""
        direct, start, end = (layer(torch.cat([pair, memory], -1)) for layer in self.decoders)
        said = direct[:, :, :, None] + start[:, :, None] + end.transpose(1, 2)[:, None]
        return self.out(torch.relu(said)).squeeze(-1)
