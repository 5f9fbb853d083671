"""Results told in Chinese: their names in English words, their punctuation as ASCII."""

from __future__ import annotations

import re

_WORDS = {
    "均方根误差": "RMSE",
    "平均绝对误差": "MAE",
    "均方误差": "MSE",
    "测试集": "test",
    "验证集": "validation",
    "训练集": "train",
    "准确率": "accuracy",
    "准确度": "accuracy",
    "正确率": "accuracy",
    "精确率": "precision",
    "查准率": "precision",
    "召回率": "recall",
    "查全率": "recall",
    "困惑度": "perplexity",
    "损失值": "loss",
    "学习率": "learning rate",
    "样本数": "samples",
    "概率": "prob",
    "模型在": "",
    "上的": "",
    "的": "",
    "参数量": "params",
    "分数": "score",
    "得分": "score",
    "损失": "loss",
    "误差": "error",
    "精度": "accuracy",
    "训练": "train",
    "验证": "validation",
    "测试": "test",
    "平均": "mean",
    "最佳": "best",
    "最好": "best",
    "最优": "best",
    "最终": "final",
    "耗时": "time",
    "用时": "time",
    "时间": "time",
}
_WORD = re.compile(r"第\s?\d+\s?轮|" + "|".join(_WORDS))
_SPACES = re.compile(" {2,}")
_HALF_WIDTH = str.maketrans("：，；（）％＝", ":,;()%=")


def half_width(line: str) -> str:
    """The line with its punctuation as ASCII; every position stays."""
    return line if line.isascii() else line.translate(_HALF_WIDTH)


def in_english(phrase: str) -> str:
    """``验证准确率`` is ``validation accuracy``; words that are not known stay."""
    if phrase.isascii():
        return phrase
    told = _WORD.sub(lambda found: f" {_WORDS.get(found.group(), '')} ", phrase)
    return phrase if told == phrase else _SPACES.sub(" ", told)
