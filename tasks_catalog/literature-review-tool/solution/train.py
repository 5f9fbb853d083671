"""Finds papers on questions: a model names the terms of the field, and those are searched.

    python train.py [INPUTS [OUTPUT]]

INPUTS is a folder with questions.json; OUTPUT gets, for each id, the titles found, best first.
"""

import json
import math
import os
import sys
import urllib.parse
import urllib.request
from pathlib import Path

MOST = 10


def search(query, limit=MOST):
    """Papers that share words with the query."""
    asked = urllib.parse.urlencode({"query": query, "limit": limit})
    with urllib.request.urlopen(f"{os.environ['LITERATURE_URL']}?{asked}", timeout=60) as answer:
        return json.load(answer)["papers"]


def ask(question):
    """What the model says."""
    body = {"model": "recorded", "messages": [{"role": "user", "content": question}]}
    request = urllib.request.Request(
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def review(question):
    """Titles of the papers on a question, best first: those of the wanted years that have most of the terms."""
    terms = ask(f"search terms for papers on {question['question']}")
    first, last = question.get("from", 0), question.get("to", 9999)
    found = [paper for paper in search(terms, 20) if first <= int(paper["year"]) <= last]
    return [paper["title"] for paper in found[:MOST]]


def ndcg(found, relevant):
    """Normalised discounted cumulative gain of the first ten."""
    gain = sum(1 / math.log2(place + 2) for place, title in enumerate(found[:MOST]) if title in relevant)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(len(relevant), MOST)))


def main():
    inputs = Path(sys.argv[1] if len(sys.argv) > 1 else "data")
    output = Path(sys.argv[2] if len(sys.argv) > 2 else "found.json")
    questions = json.loads((inputs / "questions.json").read_text())
    found = {question["id"]: review(question) for question in questions}
    output.write_text(json.dumps(found, indent=1))
    relevant = inputs / "relevant.json"
    if relevant.exists():
        known = json.loads(relevant.read_text())
        scores = [ndcg(titles, known[name]) for name, titles in found.items()]
        print(f"validation nDCG: {sum(scores) / len(scores):.4f}")


if __name__ == "__main__":
    main()
