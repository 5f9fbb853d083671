"""Makes a bibliography: a model names the paper of a nickname, and the search is asked for the title.

    python train.py [INPUTS [OUTPUT]]

INPUTS is a folder with mentions.json; OUTPUT gets an entry in BibTeX for each mention.
"""

import json
import os
import re
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


VENUE = {"inproceedings": "booktitle", "article": "journal", "misc": "howpublished"}


def words_of(text):
    """The words of a text."""
    return set(re.findall(r"[a-z0-9]+", text.lower()))


def find(text):
    """The paper that a text mentions, or nothing: the published one that has most of its words, authors and year."""
    known_as = re.search(r"known as (.+?)[.)]*$", text)
    wanted = ask(f"title of the paper known as {known_as[1]}") if known_as else text
    year, asked = re.search(r"\b(19|20)\d\d\b", wanted), words_of(wanted)

    def fit(paper):
        shared = len(asked & words_of(f"{paper['title']} {paper['summary']} {' '.join(paper['authors'])}"))
        title = words_of(paper["title"])
        near = len(asked & title) / len(title | asked)
        return (year is None or paper["year"] == year[0], shared + near, paper["kind"] != "misc")

    return max(search(wanted, 20), key=fit, default=None)


def fields_of(paper):
    """The fields of an entry, with its type."""
    return {
        "type": paper["kind"],
        "author": " and ".join(paper["authors"]),
        "title": paper["title"],
        "year": paper["year"],
        VENUE[paper["kind"]]: paper["venue"],
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
