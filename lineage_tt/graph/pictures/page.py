"""A picture as a page: the drawing, and a table with the same content in words."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from lineage_tt.graph.pictures.picture import Picture
from lineage_tt.graph.pictures.svg import points_of, svg, title_of
from lineage_tt.model.names import shown

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b1f24;--faint:#59636e;--edge:#c4ccd5;--ground:#fafbfc}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--faint:#9aa6b2;--edge:#414b56;--ground:#14181c}}
body{margin:1.5rem;color:var(--ink);background:var(--ground);font:14px/1.45 system-ui,"Segoe UI","Noto Sans",sans-serif}
h1{font-size:1.2rem;margin:0 0 .25rem}p{margin:.25rem 0;color:var(--faint)}
figure{margin:1rem 0;overflow:auto;border:1px solid var(--edge);border-radius:6px}svg{display:block}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;
border-bottom:1px solid var(--edge);overflow-wrap:anywhere}th{font-weight:600}code{font-size:12px}
@media print{figure{border:0;overflow:visible}}
""".strip()


def page(drawn: Picture) -> Iterator[str]:
    """Yield the lines of an HTML page without scripts; nothing is loaded from elsewhere."""
    title = _text(title_of(drawn))
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body><main><h1>{title}</h1>"
    for words in (*points_of(drawn), *drawn.incomplete):
        yield f"<p>{_text(words)}</p>"
    yield '<figure tabindex="0" aria-label="the lineage as a picture; the table after it says the same">'
    yield from svg(drawn)
    yield "</figure>"
    compared = len(drawn.bases) > 1
    heads = (*(("change",) if compared else ()), "from", "to", "kinds", "tasks", "expressions", "")
    cells = "".join(f'<th scope="col">{head or "remarks"}</th>' for head in heads)
    yield f"<table><thead><tr>{cells}</tr></thead><tbody>"
    for line in drawn.lines:
        arrow = line.shown
        row = [*((line.change,) if compared else ()), arrow.source, arrow.target, arrow.label, ", ".join(arrow.tasks)]
        remark = "" if arrow.certain else "of tasks whose lineage is not complete"
        expressions = "<br>".join(f"<code>{_text(text)}</code>" for text in arrow.expressions)
        yield (
            "<tr>"
            + "".join(f"<td>{_text(cell)}</td>" for cell in row)
            + f"<td>{expressions}</td><td>{remark}</td></tr>"
        )
    yield "</tbody></table></main></body></html>"


def _text(words: str) -> str:
    return escape(shown(words))
