"""The SQL of a job, read by our extractor in the names of the event's datasets.

A statement says ``orders`` where the event says ``postgres://host:5432`` and ``shop.public.orders``. Each table of the
text is the dataset of the event whose name, or another of its names, ends with the table's name. Of several, the one in
the session's schema counts, else the one that the text does not also call by a longer name. Where none or several are
left, what the text says about the table is left out, and a problem says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ingest.events.openlineage import describing, queries
from ingest.events.openlineage.merging import Dataset, Picture
from ingest.events.openlineage.spec import facets as f
from ingest.resolve.resolver import SqlResolver
from ingest.sql.dialects.names import canonical, is_known
from ingest.sql.dialects.registry import SIMILAR
from lineage_tt.model.edges import ALIAS, EdgeTuple, column_of, dataset_of, name_of
from lineage_tt.model.facts import Shape, with_types
from lineage_tt.model.messages import Columns, Lineage, Problem, TaskChange
from lineage_tt.write.catalog.reresolve import TRANSIENT

#: The namespace of tables as the text names them, before they are the event's datasets.
_TEXT: Final = "sql"
UNMATCHED: Final = "unmatched-dataset"
_PARTS: Final = re.compile(r"[^./\\]+")
_WORD: Final = r"""(?:"[^"]+"|`[^`]+`|\[[^\[\]]+\]|\w[\w$]*+)"""
#: Possessive, and at the beginning of a word only: a long text is read once.
_DOTTED: Final = re.compile(rf"(?<![\w$]){_WORD}(?:\s*+\.\s*+{_WORD})+")
_SCHEMES: Final = {
    "awsathena": "athena", "postgres": "postgres", "postgresql": "postgres", "redshift": "redshift", "mssql": "tsql",
    "sqlserver": "tsql", "oracle": "oracle", "azurecosmos": "", "unitycatalog": "databricks",
}  # fmt: skip


def dialect_of(picture: Picture, stated: str | None = None) -> str | None:
    """Return the dialect of a picture's SQL: as its policy or facet says, else that of its engine or its datasets."""
    facet = f.read(picture.facets, "sql", f.Sql)
    engine = f.read(picture.run, "processing_engine", f.Identified)
    words = [stated, facet.dialect if facet else None, picture.job_type.integration, engine.name if engine else None]
    words += [_scheme(each.namespace) for each in (*picture.outputs.values(), *picture.inputs.values())]
    return next((dialect for word in words if word and (dialect := _known(word)) is not None), None)


def parsed(pictures: Sequence[tuple[Picture, str | None]], resolver: SqlResolver) -> list[Lineage | None]:
    """Return the lineage of pictures' SQL in the names of their datasets; None for one that cannot be read at all.

    A text that could not be read this time, because a worker died or ran out of time, is opaque and says so. Each
    picture comes with the dialect that its policy gives.
    """
    requests = [_request(picture, dialect) for picture, dialect in pictures]
    # a query without a target is no gap: the run itself says what it writes, if anything
    lineages = iter(resolver([each for each in requests if each is not None], asks_target=False))
    answers = [(each[1], next(lineages)) if each is not None else None for each in requests]
    return [
        _renamed(answer[1], answer[0]) if answer is not None and _says_something(answer[1]) else None
        for answer in answers
    ]


def _says_something(lineage: Lineage) -> bool:
    return lineage.coverage != "opaque" or any(problem.code in TRANSIENT for problem in lineage.problems)


def _request(picture: Picture, dialect: str | None) -> tuple[TaskChange, _Names] | None:
    facet = f.read(picture.facets, "sql", f.Sql)
    name = dialect_of(picture, dialect)
    if facet is None or name is None or not facet.query.strip():
        return None
    outputs = list(picture.outputs)
    message = TaskChange(
        "sql", "sql", "update", 0, sql=facet.query, dialect=name, namespace=_TEXT,
        target=outputs[0] if len(outputs) == 1 else None,
    )  # fmt: skip
    return message, _Names(picture, facet.query)


def _renamed(lineage: Lineage, names: _Names) -> Lineage:
    """Return a lineage in the event's names, without what it says of other datasets."""
    edges: list[EdgeTuple] = []
    lost: set[str] = set()
    for source, target, *rest in lineage.edges:
        if rest[1] == ALIAS:  # other names of a dataset come from the run's symlinks
            continue
        ends = [names.node(source), names.node(target)]
        lost |= {dataset_of(node) for node, end in zip((source, target), ends, strict=True) if end is None}
        if ends[0] is not None and ends[1] is not None:
            edges.append((ends[0], ends[1], *rest))  # type: ignore[arg-type]
    problems = [p._replace(subject=names.node(p.subject) or p.subject) for p in lineage.problems]
    problems += [
        Problem(UNMATCHED, f"the text names {name_of(each)}, and the run no such dataset", each)
        for each in sorted(lost)
    ]
    return Lineage(
        edges=sorted(set(edges)),
        ordered=True,
        coverage="partial" if problems else lineage.coverage,
        problems=problems,
        outputs=[*_outputs(lineage.outputs, names)],
        filled=[*_outputs(lineage.filled, names)],
        parser=lineage.parser,
    )


def _outputs(outputs: Iterable[tuple[str, Columns]], names: _Names) -> Iterator[tuple[str, Columns]]:
    for node, columns in outputs:
        renamed = names.node(node)
        if renamed is not None:
            yield renamed, columns


class _Names(Mapping[str, Shape]):
    """The event's datasets by their names in SQL, each with its columns; unknown datasets are not in it."""

    def __init__(self, picture: Picture, sql: str) -> None:
        self._session = queries.session_of(picture.run)
        self._text = sql
        unordered = queries.of_engine(picture.facets) and queries.has_star(sql)
        self._nodes: dict[str, str | None] = {}
        self._shapes: dict[str, Shape] = {}
        self._ends: dict[tuple[str, ...], set[str]] = {}
        for node, dataset in {**picture.inputs, **picture.outputs}.items():
            self._nodes[node] = node
            columns = describing.all_columns(picture, dataset)
            if columns and not (unordered and node in picture.inputs):  # a star takes columns in their order
                types = dict(describing.type_texts(columns))
                self._shapes[node] = with_types((column.name for column in columns), types)
            for name in _names(dataset):
                parts = _parts(name)
                for start in range(len(parts)):
                    self._ends.setdefault(parts[start:], set()).add(node)

    def node(self, name: str) -> str | None:
        """Return the event's name of a node of the text; None where there is none, or more than one."""
        dataset, column = dataset_of(name), column_of(name)
        if dataset not in self._nodes:
            parts = _parts(name_of(dataset))
            matches = self._ends.get(parts, set())
            if len(matches) > 1 and 0 < len(parts) < len(self._session) + 1:
                matches = self._ends.get(self._session[: len(self._session) + 1 - len(parts)] + parts, set())
            if len(matches) > 1:
                matches = matches - self._named_longer(parts)
            self._nodes[dataset] = next(iter(matches)) if len(matches) == 1 else None
        node = self._nodes[dataset]
        return node if node is None or column is None else f"{node}#{column}"

    def _named_longer(self, parts: tuple[str, ...]) -> set[str]:
        """Return the datasets that the text calls by a longer name with the same end."""
        longer = (_parts(re.sub(r"\s", "", each)) for each in _DOTTED.findall(self._text))
        ends = {each for each in longer if len(each) > len(parts) and each[-len(parts) :] == parts}
        return set().union(*(self._ends.get(each, ()) for each in ends))

    def __getitem__(self, dataset: str) -> Shape:
        node = self.node(dataset)
        if node is None:
            raise KeyError(dataset)
        return self._shapes[node]

    def __iter__(self) -> Iterator[str]:
        return iter(())  # the extractor asks for what the text names

    def __len__(self) -> int:
        return 0


def _names(dataset: Dataset) -> Iterator[str]:
    yield dataset.name
    symlinks = f.read(dataset.facets, "symlinks", f.Symlinks)
    yield from (each.name for each in (symlinks.identifiers if symlinks else ()))


def _parts(name: str) -> tuple[str, ...]:
    """Return the words of a table's name or of a path, in lower case; a Hive folder ``shop.db/orders`` is two."""
    words = [word.lower().strip('"`[]') for word in _PARTS.findall(name)]
    return tuple(word for word in words if word and word != "db") if "/" in name else tuple(words)


def _scheme(namespace: str) -> str:
    word = namespace.partition(":")[0].lower()
    return _SCHEMES.get(word, word)


def _known(word: str) -> str | None:
    name = word.lower()
    if name in SIMILAR:
        return SIMILAR[name].name
    return canonical(name) or None if is_known(name) else None
