"""Makes a bibliography: each mention is sent to the search as it is, and the first paper found is written down.

    python train.py [INPUTS [OUTPUT]]

INPUTS is a folder with mentions.json; OUTPUT gets an entry in BibTeX for each mention.
"""

import json
import os
import sys
import urllib.parse
import urllib.request
from pathlib import Path


def search(query, limit=10):
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


def find(text):
    """The paper that a text mentions, or nothing."""
    found = search(text)
    return found[0] if found else None


def fields_of(paper):
    """The fields of an entry, with its type."""
    return {
        "type": "article",
        "author": ", ".join(paper["authors"]),
        "title": paper["title"],
        "year": paper["year"],
        "journal": paper["venue"],
    }


def entry(key, fields):
    """An entry as BibTeX."""
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if name != "type"]
    return "\n".join([f"@{fields['type']}{{{key},", *lines, "}", ""])


def main():
    inputs = Path(sys.argv[1] if len(sys.argv) > 1 else "data")
    output = Path(sys.argv[2] if len(sys.argv) > 2 else "references.bib")
    found = {}
    for mention in json.loads((inputs / "mentions.json").read_text()):
        paper = find(mention["text"])
        found[mention["id"]] = fields_of(paper) if paper else {"type": "misc", "title": mention["text"]}
    output.write_text("".join(entry(key, fields) for key, fields in found.items()))
    references = inputs / "references.json"
    if references.exists():
        known = json.loads(references.read_text())
        right = [found[key].get(name) == value for key, fields in known.items() for name, value in fields.items()]
        print(f"validation field accuracy: {sum(right) / len(right):.4f}")


if __name__ == "__main__":
    main()
