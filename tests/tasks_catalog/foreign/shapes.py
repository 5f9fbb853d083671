# ruff: noqa: E501
"""Graders in the shapes that competitions of MLE-bench have, each with a score worked out another way."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

HEAD = "import numpy as np\nimport pandas as pd\nfrom mlebench.grade_helpers import InvalidSubmissionError\n"
MERGED = "def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:\n    both = answers.merge(submission, on='id', suffixes=('', '_p'))\n"


@dataclass(frozen=True)
class Shape:
    """One grader, a submission, and its score.

    Attributes:
        beside: Further files of the competition.
    """

    name: str
    grade: str
    answers: str
    submission: str
    score: float
    beside: dict[str, str | bytes] = field(default_factory=dict)
    answers_name: str = "test.csv"


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _varint(value >> 7)


def _part(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def tf_records(ids: list[str], feature: str) -> bytes:
    """A file of examples with an id each, as TensorFlow writes it."""
    records = []
    for text in ids:
        value = _part(1, _part(1, text.encode()))
        example = _part(
            1, _part(1, _part(1, b"other") + _part(2, b"")) + _part(1, _part(1, feature.encode()) + _part(2, value))
        )
        records.append(struct.pack("<QI", len(example), 0) + example + struct.pack("<I", 0))
    return b"".join(records)


def _soft(*logits: float) -> float:
    """The negative log of the first of several after a softmax."""
    return math.log(sum(math.exp(logit - logits[0]) for logit in logits))


NUMBERS = "id,y\n0,1\n1,2\n2,4\n"
FOUND = "id,y\n2,5\n0,1\n1,4\n"

SHAPES = [
    Shape(
        "accuracy",
        "from sklearn.metrics import accuracy_score\nfrom mlebench.competitions.utils import prepare_for_accuracy_metric\n"
        "def grade(submission, answers):\n"
        "    return accuracy_score(**prepare_for_accuracy_metric(submission, answers, target_column='y', id_column='id'))\n",
        "id,y\n1,a\n2,b\n3,b\n4,c\n",
        "id,y\n4,c\n3,b\n2,a\n1,a\n",
        0.75,
    ),
    Shape(
        "written for pandas 2",
        "def grade(submission, answers):\n"
        "    assert submission.fillna('').applymap(lambda value: isinstance(value, str)).values.all()\n"
        "    texts = sorted(submission['y'].astype(str))\n"
        "    submission.fillna('', inplace=True)\n"
        "    submission.loc[:, 'y'] = submission['y'].str.len()\n"
        "    return submission['y'].sum() + texts.count('nan') + (answers['y'].dtype == object)\n",
        "id,y\na,x\nb,y\n",
        "id,y\na,xyz\nb,\n",
        5.0,
    ),
    Shape(
        "numbers made of arrays and columns of one value",
        HEAD + "from places import place\n"
        "def grade(submission, answers):\n"
        "    assert isinstance(place('b', answers['id'].values), int) and int('7') + float() == 7 and int('11', 2) == 3\n"
        "    found = [float(submission.loc[submission['id'] == name, 'y']) for name in answers['id']]\n"
        "    return sum(found[place(name, answers['id'].values)] * int(answers['y'].astype(int)[k])"
        " for k, name in enumerate(answers['id']))\n",
        "id,y\na,1\nb,10\n",
        "id,y\nb,0.5\na,3\n",
        8.0,
        {"places.py": "import numpy as np\ndef place(name, names):\n    return int(np.where(names == name)[0])\n"},
    ),
    Shape(
        "area under the curve",
        "from sklearn.metrics import roc_auc_score\nfrom mlebench.competitions.utils import prepare_for_auroc_metric\n"
        "def grade(submission, answers):\n"
        "    return roc_auc_score(**prepare_for_auroc_metric(submission, answers, id_col='id', target_col='y'))\n",
        "id,y\n1,0\n2,1\n3,0\n4,1\n",
        "id,y\n1,0.1\n2,0.4\n3,0.35\n4,0.2\n",
        0.75,
    ),
    Shape(
        "log loss of classes, with softmax and a relative import",
        "from sklearn.metrics import log_loss\nfrom mlebench.competitions.utils import one_hot_dfs_to_log_loss_inputs\n"
        "from .classes import CLASSES\n"
        "def grade(submission, answers):\n"
        "    return log_loss(**one_hot_dfs_to_log_loss_inputs(submission[['id', *CLASSES]], answers, id_column='id'))\n",
        "id,a,b\nx,1,0\ny,0,1\n",
        "id,b,a\ny,2,1\nx,0,3\n",
        (_soft(3, 0) + _soft(2, 1)) / 2,
        {"classes.py": "CLASSES = ['a', 'b']\n"},
    ),
    Shape(
        "log loss of probabilities",
        "from sklearn.metrics import log_loss\nfrom mlebench.competitions.utils import one_hot_dfs_to_log_loss_inputs\n"
        "def grade(submission, answers):\n"
        "    return log_loss(**one_hot_dfs_to_log_loss_inputs(submission, answers, apply_softmax=False))\n",
        "id,a,b\n1,1,0\n2,0,1\n",
        "id,a,b\n1,0.5,0.5\n2,0.25,0.75\n",
        -(math.log(0.5) + math.log(0.75)) / 2,
    ),
    Shape(
        "log loss of one-hot answers made here",
        "from sklearn.metrics import log_loss\n"
        "from mlebench.competitions.utils import df_to_one_hot, one_hot_dfs_to_log_loss_inputs\n"
        "def grade(submission, answers):\n"
        "    true = df_to_one_hot(answers, id_column='id', target_column='y', classes=['a', 'b'])\n"
        "    return log_loss(**one_hot_dfs_to_log_loss_inputs(submission, true, apply_softmax=False))\n",
        "id,y\n1,a\n2,b\n",
        "id,a,b\n1,0.5,0.5\n2,0.25,0.75\n",
        -(math.log(0.5) + math.log(0.75)) / 2,
    ),
    Shape(
        "mean absolute error",
        HEAD + "from sklearn.metrics import mean_absolute_error\n" + MERGED + "    return mean_absolute_error(both['y'], both['y_p'])\n",
        NUMBERS, FOUND, 1.0,
    ),
    Shape(
        "root mean squared error",
        HEAD + "from sklearn.metrics import root_mean_squared_error\n" + MERGED + "    return root_mean_squared_error(both['y'], both['y_p'])\n",
        NUMBERS, FOUND, math.sqrt(5 / 3),
    ),
    Shape(
        "root mean squared logarithmic error",
        HEAD + MERGED + "    return float(np.sqrt(np.mean((np.log1p(both.y) - np.log1p(both.y_p)) ** 2)))\n",
        NUMBERS, FOUND,
        math.sqrt(((math.log(3) - math.log(5)) ** 2 + (math.log(5) - math.log(6)) ** 2) / 3),
    ),
    Shape(
        "quadratic kappa",
        HEAD + "from sklearn.metrics import cohen_kappa_score\n" + MERGED + "    return cohen_kappa_score(both.y, both.y_p, weights='quadratic')\n",
        "id,y\n0,0\n1,1\n2,2\n3,2\n", "id,y\n0,0\n1,1\n2,2\n3,0\n",
        1 - 4 / 6.5,
    ),
    Shape(
        "F1 of classes",
        HEAD + "from sklearn.metrics import f1_score\n" + MERGED + "    return f1_score(both.y, both.y_p, average='macro')\n",
        "id,y\n0,a\n1,a\n2,b\n", "id,y\n0,a\n1,b\n2,b\n",
        2 / 3,
    ),
    Shape(
        "F1 of tags",
        HEAD + MERGED
        + "    pairs = [(set(t.split()), set(str(p).split())) for t, p in zip(both.y, both.y_p)]\n"
        "    hits = sum(len(t & p) for t, p in pairs)\n"
        "    return 2 * hits / sum(len(t) + len(p) for t, p in pairs)\n",
        "id,y\n0,a b\n1,c\n", "id,y\n0,a c\n1,c\n",
        2 * 2 / 6,
    ),
    Shape(
        "precision at five",
        HEAD + "from mlebench.metrics import mean_average_precision_at_k\n" + MERGED
        + "    true = both.y.astype(str).str.split(' ').apply(set).tolist()\n"
        "    return mean_average_precision_at_k(true, both.y_p.astype(str).str.split(' ').tolist(), k=5)\n",
        "id,y\n0,7\n1,8 9\n", "id,y\n0,5 7 7\n1,8 1 9\n",
        (1 / 2 + (1 + 2 / 3) / 2) / 2,
    ),
    Shape(
        "dice of run-length codes",
        HEAD + "from mlebench.competitions.utils import rles_to_masks\nfrom mlebench.metrics import dice_coefficient\n" + MERGED
        + "    sizes = both.height.tolist(), both.width.tolist()\n"
        "    masks = zip(rles_to_masks(both.y.fillna('').tolist(), *sizes), rles_to_masks(both.y_p.fillna('').tolist(), *sizes))\n"
        "    return np.mean([dice_coefficient(p, t, both_empty_value=1.0) for t, p in masks])\n",
        "id,y,height,width\n0,1 4,3,4\n1,,3,4\n", "id,y\n0,3 4\n1,\n",
        (2 * 2 / 8 + 1) / 2,
    ),
    Shape(
        "overlap of decoded masks",
        HEAD + "from mlebench.competitions.utils import rle_decode, rle_encode\n" + MERGED
        + "    true, found = (rle_decode(both[c][0], height=2, width=3) for c in ('y', 'y_p'))\n"
        "    assert rle_encode(true) == [1, 2, 5, 1]\n"
        "    return (true & found).sum() / (true | found).sum()\n",
        "id,y\n0,1 2 5 1\n", "id,y\n0,2 4\n",
        2 / 5,
    ),
    Shape(
        "answers as JSON lines, a list",
        HEAD + "def grade(submission: pd.DataFrame, answers: dict) -> float:\n"
        "    found = dict(zip(submission.id, submission.y))\n"
        "    return sum(found[a['id']] in a['any'] for a in answers) / len(answers)\n",
        '{"id": 1, "any": ["a", "b"]}\n{"id": 2, "any": []}\n', "id,y\n1,b\n2,a\n",
        0.5, {}, "test.jsonl",
    ),
    Shape(
        "answers as JSON lines, a table",
        HEAD + MERGED + "    return float((both.y == both.y_p).mean())\n",
        '{"id": 1, "y": "a"}\n{"id": 2, "y": "b"}\n', "id,y\n1,a\n2,a\n",
        0.5, {}, "test.jsonl",
    ),
    Shape(
        "answers between tabs",
        HEAD + MERGED + "    return float((both.y == both.y_p).mean())\n",
        "id\ty\n1\ta\n2\tb\n", "id,y\n1,a\n2,a\n",
        0.5, {}, "test.tsv",
    ),
    Shape(
        "rank correlation of columns",
        HEAD + "from scipy.stats import spearmanr\n" + MERGED
        + "    return float(np.mean([spearmanr(both[c], both[c + '_p']).correlation for c in ('u', 'v')]))\n",
        "id,u,v\n0,1,3\n1,2,2\n2,3,1\n", "id,u,v\n0,10,1\n1,20,2\n2,30,3\n",
        0.0,
    ),
    Shape(
        "a metric in a sibling that imports a sibling by name",
        "from .own_metric_of_shape import score\n"
        "def grade(submission, answers):\n"
        "    return score(answers, submission, 'id')\n",
        NUMBERS, FOUND, 3.0,
        {
            "own_metric_of_shape.py": "import own_helper_of_shape\n"
            "def score(solution, submission, row_id):\n"
            "    return own_helper_of_shape.total(solution, submission, row_id)\n",
            "own_helper_of_shape.py": "def total(a, b, key):\n"
            "    both = a.merge(b, on=key)\n"
            "    return float((both.y_x - both.y_y).abs().sum())\n",
        },
    ),
    Shape(
        "symmetric percentage error",
        HEAD + MERGED + "    return float(200 * np.mean(np.abs(both.y - both.y_p) / (both.y.abs() + both.y_p.abs())))\n",
        NUMBERS, FOUND, 200 / 3 * (2 / 6 + 1 / 9),
    ),
    Shape(
        "column-wise error",
        HEAD + "def grade(submission, answers):\n"
        "    a, s = (t.sort_values('id').drop(columns='id') for t in (answers, submission))\n"
        "    return float(np.sqrt(((a.to_numpy() - s[a.columns].to_numpy()) ** 2).mean(axis=0)).mean())\n",
        "id,u,v\n0,1,1\n1,1,1\n", "id,v,u\n1,1,3\n0,3,3\n",
        (2 + math.sqrt(2)) / 2,
    ),
    Shape(
        "edit distance, with a logger",
        HEAD + "from mlebench.utils import get_logger\nlogger = get_logger(__name__)\n"
        "def distance(a, b):\n"
        "    row = list(range(len(b) + 1))\n"
        "    for i, x in enumerate(a, 1):\n"
        "        new = [i]\n"
        "        for j, y in enumerate(b, 1):\n"
        "            new.append(min(new[-1] + 1, row[j] + 1, row[j - 1] + (x != y)))\n"
        "        row = new\n"
        "    return row[-1]\n" + MERGED + "    logger.info('grading')\n    return float(np.mean([distance(a, b) for a, b in zip(both.y, both.y_p)]))\n",
        "id,y\n0,kitten\n1,abc\n", "id,y\n0,sitting\n1,abc\n",
        1.5,
    ),
    Shape(
        "ids of TensorFlow's records",
        HEAD + "from pathlib import Path\nfrom mlebench.competitions.utils import get_ids_from_tf_records, get_logger\n"
        "def grade(submission, answers):\n"
        "    ids = get_ids_from_tf_records(Path(__file__).parent / 'test.tfrec')\n"
        "    return len(set(ids) & set(submission.id)) / len(ids)\n",
        "id,y\nimg_1,0\n", "id,y\nimg_1,0\nimg_3,0\n",
        0.5,
        {"test.tfrec": tf_records(["img_1", "img_2"], "image_name")},
    ),
    Shape(
        "ids that look like numbers of many digits",
        HEAD + MERGED + "    return float(both.y_p.iloc[0])\n",
        "id,y\n0,1\n", "id,y\n0,0.30000000000000004\n",
        0.30000000000000004,
    ),
    Shape(
        "ids of digits alone, too many for a number, in tables and open files",
        HEAD + "from pathlib import Path\n" + MERGED + "    with open(Path(__file__).parent / 'weights.csv') as file:\n"
        "        weights = pd.read_csv(file)\n"
        "        file.seek(0)\n        next(file)\n        assert len(pd.read_csv(file, header=None)) == 2\n"
        "    return float(both.merge(weights, on='id').eval('w * abs(y - y_p)').sum() + both.id.str.len().max())\n",
        "id,y\n00123456789012345678901,1\n90123456789012345678902,2\n",
        "id,y\n90123456789012345678902,4\n00123456789012345678901,1.5\n",
        3 * 0.5 + 5 * 2 + 23,
        {"weights.csv": "id,w\n00123456789012345678901,3\n90123456789012345678902,5\n"},
    ),
]  # fmt: skip
ABSOLUTE = next(shape for shape in SHAPES if shape.name == "mean absolute error")
