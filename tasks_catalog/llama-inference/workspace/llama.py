"""A Llama model in plain PyTorch, with the weights of a checkpoint in the layout of Hugging Face."""

import json

import torch
from safetensors.torch import load_file
from torch import nn


class Norm(nn.Module):
    """Scales vectors to a root mean square of 1."""

    def __init__(self, size, epsilon):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.epsilon = epsilon

    def forward(self, x):
        scale = torch.rsqrt(x.float().square().mean(-1, keepdim=True) + self.epsilon)
        return self.weight * (x * scale).to(x.dtype)


def rotate(x, angles):
    """Turns each pair of features (i, i + half) of x (batch, heads, length, features) by its angle."""
    first, second = x.chunk(2, dim=-1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        size, self.heads = config["hidden_size"], config["num_attention_heads"]
        self.groups = config.get("num_key_value_heads", self.heads)
        features = size // self.heads
        self.q_proj = nn.Linear(size, self.heads * features, bias=False)
        self.k_proj = nn.Linear(size, self.groups * features, bias=False)
        self.v_proj = nn.Linear(size, self.groups * features, bias=False)
        self.o_proj = nn.Linear(self.heads * features, size, bias=False)

    def forward(self, x, angles):
        batch, length, _ = x.shape
        query = self.q_proj(x).view(batch, length, self.heads, -1).transpose(1, 2)
        key = self.k_proj(x).view(batch, length, self.groups, -1).transpose(1, 2)
        value = self.v_proj(x).view(batch, length, self.groups, -1).transpose(1, 2)
        query, key = rotate(query, angles), rotate(key, angles)
        key = key.repeat_interleave(self.heads // self.groups, dim=1)
        value = value.repeat_interleave(self.heads // self.groups, dim=1)
        scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
        future = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(future, float("-inf")).softmax(-1)
        return self.o_proj((weights @ value).transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        size, inner = config["hidden_size"], config["intermediate_size"]
        self.gate_proj = nn.Linear(size, inner, bias=False)
        self.up_proj = nn.Linear(size, inner, bias=False)
        self.down_proj = nn.Linear(inner, size, bias=False)

    def forward(self, x):
        return self.down_proj(nn.functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        size, epsilon = config["hidden_size"], config["rms_norm_eps"]
        self.input_layernorm, self.self_attn = Norm(size, epsilon), Attention(config)
        self.post_attention_layernorm, self.mlp = Norm(size, epsilon), FeedForward(config)

    def forward(self, x, angles):
        x = x + self.self_attn(self.input_layernorm(x), angles)
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config["hidden_size"]
        self.embed_tokens = nn.Embedding(config["vocab_size"], size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))
        self.norm = Norm(size, config["rms_norm_eps"])
        self.lm_head = nn.Linear(size, config["vocab_size"], bias=False)
        self.features, self.base = size // config["num_attention_heads"], config.get("rope_theta", 10000.0)

    def forward(self, tokens):
        """tokens (batch, length) -> logits (batch, length, vocabulary)"""
        steps = torch.arange(0, self.features, 2, device=tokens.device) / self.features
        angles = torch.arange(tokens.shape[1], device=tokens.device)[:, None] / self.base**steps
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x, angles)
        return self.lm_head(self.norm(x))


def load_model(folder, device, dtype):
    """The model in a folder with config.json and *.safetensors."""
    weights = {}
    for path in sorted(folder.glob("*.safetensors")):
        for name, weight in load_file(path).items():
            if "rotary" not in name:
                weights[name.removeprefix("model.")] = weight.to(device, dtype)
    weights.setdefault("lm_head.weight", weights["embed_tokens.weight"])
    with torch.device("meta"):
        model = Llama(json.loads((folder / "config.json").read_text()))
    model.load_state_dict(weights, assign=True)
    return model.eval()
