"""The HTML file: everything in it, nothing from outside, and nothing of an agent's text as markup.

What agents wrote reaches the page in two ways only: through autoescaped templates, and as packed data
that the page's script puts into text nodes. A content security policy lets no other script run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from pydantic import JsonValue
from pydantic_core import to_json

from environment.records import display
from evaluation.process.measures import KINDS
from evaluation.report.columns import COLUMNS, figures
from evaluation.report.headline import headline, imported, truth
from evaluation.report.leading import lead_card
from evaluation.report.model import RunRow
from evaluation.report.payload import all_visible
from evaluation.report.plots import Plots, digest_of, plotly
from evaluation.report.summary import Summary
from evaluation.report.wording import cell, interval, normalised, p_text, points, unknown_fields
from evaluation.statistics.entries import is_graded
from foundation.text import visible

THIN = "\N{NARROW NO-BREAK SPACE}"
SCRIPTS = ("dom.js", "figures.js", "plots.js", "tables.js", "search.js", "run.js", "replay.js", "compare.js", "app.js")
AXES = {"steps": "agent steps", "seconds": "wall time", "tokens": "tokens", "money": "US dollars"}


@cache
def templates() -> Environment:
    """The report's templates, escaping everything that is HTML."""
    environment = Environment(
        loader=PackageLoader("evaluation.report", "assets"),
        autoescape=select_autoescape(("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    environment.filters.update(
        percent=_unbroken(display.percent),
        number=display.number,
        interval=interval,
        money=display.money,
        count=display.count,
        duration=_unbroken(display.duration),
        cell=cell,
        headline=headline,
        imported=imported,
        truth=truth,
        lead_card=lead_card,
        normalised=normalised,
        p_value=p_text,
        points=_unbroken(points),
        unbroken=lambda sentence: sentence.replace(" %", f"{THIN}%"),
    )
    return environment


def _visible(value: object) -> object:
    """What an agent or a log named, without characters that hide, or drive a terminal that shows the Markdown."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _unbroken(figure: Callable[..., str]) -> Callable[..., str]:
    """A figure that no line break parts from its unit."""
    return lambda *values, **options: figure(*values, **options).replace(" ", THIN)


def write_html(
    summary: Summary,
    rows: Sequence[RunRow],
    pages: Iterable[str],
    claims: Iterable[str],
    *,
    title: str,
    path: Path,
    shared: Path | None = None,
) -> None:
    """Write the file piece by piece; ``pages`` come in the order of ``rows``.

    Args:
        summary: All figures.
        rows: The runs.
        pages: The packed page of each run.
        claims: All claims, packed.
        title: Heads the page.
        path: The file.
        shared: A folder whose pages share one copy of the plots' library; without it the page holds the library.
    """
    script = _own_script()
    plots = Plots.packed_in() if shared is None else Plots.beside_page(shared, path)
    stream = (
        templates()
        .get_template("report.html.j2")
        .generate(
            title=title,
            made=datetime.now(UTC),
            summary=summary,
            kinds=KINDS,
            style=Markup(_asset("report.css")),
            axes=AXES,
            script=Markup(script),
            plots=plots,
            policy=_policy(script, plots),
            data=Markup(embed(_data(summary, rows))),
            pages=_safe(pages),
            claims=_safe(claims),
        )
    )
    with path.open("w", encoding="utf-8") as file:
        file.writelines(stream)


def embed(value: JsonValue) -> str:
    """JSON that can stand in a script element: no character in it can end the element or open a comment."""
    text = to_json(all_visible(value), inf_nan_mode="null").decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _safe(base64_pieces: Iterable[str]) -> Iterator[Markup]:
    return (Markup(piece) for piece in base64_pieces)


def _policy(script: str, plots: Plots) -> str:
    library = f"'nonce-{plots.nonce}'" if plots.nonce else digest_of(plotly())
    return (
        f"default-src 'none'; script-src {digest_of(script)} {library}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _data(summary: Summary, rows: Sequence[RunRow]) -> JsonValue:
    columns = COLUMNS.everything().items()
    return {
        "summary": summary.model_dump(mode="json"),
        "columns": [{"name": name, "title": column.title, "shown_as": column.shown_as} for name, column in columns],
        "runs": [_short(row) for row in rows],
    }


def _short(row: RunRow) -> JsonValue:
    """A run as the overview's table shows it."""
    kept = {"run_id", "task", "variant", "seed", "status", "ended_by", "score", "metric", "improvement", "success"}
    return {
        **row.result.model_dump(mode="json", include=kept),
        **dict.fromkeys(unknown_fields(row.result)),
        "figures": figures(row),
        "contestant": row.contestant,
        "graded": is_graded(row.result),
        "claims": dict(row.claims),
        "failures": list(row.failures),
    }


@cache
def _asset(name: str) -> str:
    return (resources.files("evaluation.report") / "assets" / name).read_text(encoding="utf-8")


@cache
def _own_script() -> str:
    body = "\n".join(_asset(name) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{body}\n}})();'
