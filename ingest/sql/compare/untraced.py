"""The template parts of which a neutralised text shows nothing, so that two templates can be compared all the same.

Two texts that are the same once neutralised may still come from templates that do something else: the list of a loop,
the body of a macro, ``config(…)``. These parts are compared as they are written, comments and layout aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ingest.sql.text.jinja import TAG, constant_of, leaves_no_trace
from ingest.sql.text.parts import Part, is_shown_whole, name_of_part, part_as_written
from ingest.sql.text.regions import CODE, COMMENT, TEMPLATE, Region

_WORDS: Final = re.compile(r"\w+|\S")
_CLOSINGS: Final = {"{{": "}}", "{%": "%}", "${": "}", "$[": "]"}
_OPENINGS: Final = re.compile(r"\{\{|\{%|\$\{(?!\{)|\$\[")
#: Tags that leave a trace themselves, whose branches are compared in another way, or that hold a whole text.
_SEEN: Final = frozenset(["if", "elif", "else", "endif", "raw", "endraw", "endsnapshot"])
_WHOLE: Final = "snapshot"


def untraced(sql: str, regions: Sequence[Region], parts: Iterable[Part]) -> list[str]:
    """Return what a text's template parts say that leaves no trace, as it is written, and in order.

    A block, from its tag to its end, is one part, since it says something of all that is in it. ``parts`` are what the
    neutralised text was made from: an unknown part of a name is shown by its label, which may not be all of it.
    """
    cut = [part for part in parts if part.role == "name" and not part.known]
    names = [(part.start, _part_at(sql, _OPENINGS.match(sql, part.start))) for part in cut]
    found = [(start, part_as_written(text)) for start, text in names if text and not is_shown_whole(text)]
    return [text for _, text in sorted([*found, *_blocks(sql, regions)])]


def _blocks(sql: str, regions: Sequence[Region]) -> Iterator[tuple[int, str]]:
    tags = [TAG.fullmatch(sql, each.start, each.end) if each.kind == TEMPLATE else None for each in regions]
    paired = {tag[1].removeprefix("end") for tag in tags if tag is not None and tag[1].startswith("end")} - {_WHOLE}
    place, shown = 0, dict[str, list[int]]()
    while place < len(regions):
        region, tag = regions[place], tags[place]
        end = place + 1
        if tag is not None and tag[1] == "raw":
            end = _end_of(tags, place, "raw")
        elif tag is not None and tag[1] not in _SEEN:
            opens = tag[1] in paired and not _sets_value(tag)
            end = _end_of(tags, place, tag[1]) if opens else end
            if opens or not _is_shown(tag, shown := shown or _uses(sql)):
                yield region.start, as_written(sql, regions[place:end])
        elif region.kind == TEMPLATE and tag is None:
            text = sql[region.start : region.end]
            if text.startswith("{{") and leaves_no_trace(name_of_part(text)):
                yield region.start, as_written(sql, [region])
        place = end


def as_written(sql: str, regions: Sequence[Region]) -> str:
    """Return regions of a text as they are written, without comments and however they are laid out."""
    words: list[str] = []
    for region in regions:
        text = sql[region.start : region.end]
        if region.kind == CODE:
            words += _WORDS.findall(text)
        elif region.kind != COMMENT:
            words.append(part_as_written(text) if region.kind == TEMPLATE else text)
    return " ".join(words)


def _end_of(tags: Sequence[re.Match[str] | None], place: int, word: str) -> int:
    """Return the place after the tag that ends a block, or after all where none does."""
    depth = 0
    for at in range(place, len(tags)):
        tag = tags[at]
        if tag is None:
            continue
        if tag[1] == word and not _sets_value(tag):
            depth += 1
        elif tag[1] == f"end{word}":
            depth -= 1
            if depth == 0:
                return at + 1
    return len(tags)


def _sets_value(tag: re.Match[str]) -> bool:
    """Whether a tag is ``{% set x = … %}``, which has no end, unlike ``{% set x %} … {% endset %}``."""
    return tag[1] == "set" and "=" in tag[2]


def _is_shown(tag: re.Match[str], uses: Mapping[str, Sequence[int]]) -> bool:
    """Whether a tag sets a constant that the text shows wherever it is used: only as ``{{ name }}``, and set once."""
    name = constant_of(tag[0])
    if name is None:
        return False
    alone, within = uses.get(name, (0, 0))
    return alone > 0 and within == 1  # the tag itself


def _uses(sql: str) -> dict[str, list[int]]:
    """Return for each word of a text's template parts how many parts it is, and how many others it is in."""
    uses: dict[str, list[int]] = {}
    for part in _parts_in(sql):
        name = name_of_part(part)
        for word in {*re.findall(r"\w+", part), name}:
            uses.setdefault(word, [0, 0])[word != name] += 1
    return uses


def _parts_in(sql: str) -> Iterator[str]:
    """Yield the template parts of a text, those in strings, too; reads each character once, whatever the text."""
    end, unclosed = 0, set[str]()
    for opening in _OPENINGS.finditer(sql):
        if opening.start() < end or opening[0] in unclosed:
            continue
        if part := _part_at(sql, opening):
            end = opening.start() + len(part)
            yield part
        else:
            unclosed.add(opening[0])


def _part_at(sql: str, opening: re.Match[str] | None) -> str:
    """Return the template part that begins with an opening, "" where there is none or it does not end."""
    if opening is None:
        return ""
    closing = _CLOSINGS[opening[0]]
    end = sql.find(closing, opening.end())
    return sql[opening.start() : end + len(closing)] if end >= 0 else ""
