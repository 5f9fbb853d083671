"""The action that searches papers."""

from __future__ import annotations

import textwrap

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.spec import ActionInput
from environment.errors import RefusedActionError
from environment.literature import Paper

SEARCH_LITERATURE = "Search Literature"


class SearchLiteratureInput(ActionInput):
    """Arguments of Search Literature."""

    query: str = Field(min_length=1, max_length=300, description="words to look for in title and abstract")
    max_results: int = Field(default=5, ge=1, le=20, description="how many papers to show")


def search_literature(context: ActionContext, arguments: SearchLiteratureInput) -> Reply:
    """Search, and show what was found."""
    if context.literature is None:
        raise RefusedActionError("No literature search is set up for this run.")
    papers = context.literature.search(arguments.query, arguments.max_results)
    return Reply("\n\n".join(map(_shown, papers)) or "No paper was found.")


def _shown(paper: Paper) -> str:
    authors = ", ".join(paper.authors[:5]) + (" and others" if len(paper.authors) > 5 else "")
    summary = textwrap.shorten(paper.summary, 1_000, placeholder=" …")
    return f"{paper.title}\n{authors} ({paper.year}), {paper.url}\n{summary}"


SEARCH_LITERATURE_ACTION = ActionDefinition(
    name=SEARCH_LITERATURE,
    description="Searches the titles and abstracts of arXiv.",
    returns="Title, authors, year, address and abstract of the papers found, best first.",
    input=SearchLiteratureInput,
    handler=search_literature,
    reads_only=True,
)
