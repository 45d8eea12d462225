"""Random queries that Spark analyses: every column named exists, every type fits, names are kept apart by aliases.

Each query is made together with the names and types of its outputs, so that queries around it can name them. Types are
``int`` and ``str``, which is enough to keep expressions valid.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

TABLES = {
    "t1": [("a", "int"), ("b", "int"), ("c", "str"), ("d", "date")],
    "t2": [("a", "int"), ("b", "int"), ("e", "str"), ("f", "double")],
    "t3": [("a", "int"), ("x", "int"), ("y", "str")],
    "dept": [("dept", "int"), ("title", "str"), ("state", "str")],
    "sales": [("yr", "int"), ("quarter", "str"), ("region", "str"), ("amount", "double"), ("course", "str")],
}
Columns = list[tuple[str, str]]
INT, STR = "int", "str"


@dataclass(frozen=True)
class Source:
    """Something in FROM under an alias, with its columns."""

    alias: str
    columns: Columns


class Grammar:
    """Makes queries from one seeded source of chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.count = 0
        self.ctes: dict[str, Columns] = {}
        self.subqueries = True  # Spark has none in a lateral query, a generator or each other

    def statement(self) -> str:
        """Return one whole query."""
        self.count, self.ctes = 0, {}
        made = []
        for _ in range(self.chance.choice([0, 0, 0, 1, 2])):
            name = self.chance.choice(["t1", self.fresh("w"), self.fresh("w")])
            text, columns = self.query(1)
            if name not in self.ctes:
                self.ctes[name] = columns
                made.append(f"{name} AS ({text})")
        text, _ = self.query(2)
        return f"WITH {', '.join(made)} {text}" if made else text

    def fresh(self, stem: str) -> str:
        """Return a name not used before in this query."""
        self.count += 1
        return f"{stem}{self.count}"

    def query(self, depth: int, outer: list[Source] | None = None) -> tuple[str, Columns]:
        """Return a query and its output columns; ``outer`` are the sources around it that it may name."""
        kinds = [self.plain, self.plain, self.plain, self.grouped, self.windowed]
        if depth > 0 and outer is None:
            kinds += [self.union, self.pipe, self.starred, self.exploded, self.unpivoted]
        return self.chance.choice(kinds)(depth, outer or [])

    # Sources

    def source(self, depth: int) -> tuple[str, Source]:
        """Return an item of FROM."""
        alias = self.fresh("s")
        if depth > 0 and self.chance.random() < 0.35:
            text, columns = self.query(depth - 1)
            if self.chance.random() < 0.3:
                columns = [(self.fresh("k"), kind) for _, kind in columns]
                return f"({text}) AS {alias}({', '.join(n for n, _ in columns)})", Source(alias, columns)
            return f"({text}) AS {alias}", Source(alias, columns)
        tables = {**TABLES, **self.ctes}
        name = self.chance.choice(sorted(tables))
        return f"{name} AS {alias}", Source(alias, tables[name])

    def sources(self, depth: int) -> tuple[str, list[Source]]:
        """Return a FROM list, joined in one of several ways."""
        text, first = self.source(depth)
        sources = [first]
        for _ in range(self.chance.choice([0, 0, 1, 1, 2])):
            more, source = self.source(depth - 1)
            kind = self.chance.choice(["JOIN", "LEFT JOIN", "FULL JOIN", "CROSS", "LATERAL"])
            if kind == "CROSS":
                text += f" CROSS JOIN {more}"
            elif kind == "LATERAL":
                subqueries, self.subqueries = self.subqueries, False
                inner, columns = self.plain(0, sources)
                self.subqueries = subqueries
                source = Source(self.fresh("l"), columns)
                text += f" CROSS JOIN LATERAL ({inner}) AS {source.alias}"
            else:
                text += f" {kind} {more} ON {self.condition([*sources, source], 0)}"
            sources.append(source)
        return text, sources

    # Expressions

    def column(self, sources: list[Source], kind: str) -> str:
        """Return a column of a type, a constant where there is none."""
        options = [f"{s.alias}.{name}" for s in sources for name, has in s.columns if has == kind]
        return self.chance.choice(options) if options else ("7" if kind == INT else "'k'")

    def value(self, sources: list[Source], kind: str, depth: int) -> str:
        """Return an expression of a type."""
        if depth <= 0 or self.chance.random() < 0.35:
            return self.column(sources, kind)

        def one(of: str = kind) -> str:
            return self.value(sources, of, depth - 1)

        options = [
            lambda: f"CASE WHEN {self.condition(sources, depth - 1)} THEN {one()} ELSE {one()} END",
            lambda: f"coalesce({one()}, {one()})",
            lambda: f"if({self.condition(sources, depth - 1)}, {one()}, {one()})",
            lambda: f"nullif({one()}, {one()})",
        ]
        if kind == INT:
            options += [lambda: f"({one()} + {one()})", lambda: f"length({one(STR)})", lambda: f"abs({one()})"]
            if self.subqueries:
                options.append(lambda: self.greatest(sources))
        else:
            options += [lambda: f"concat({one()}, {one()})", lambda: f"upper({one()})"]
            options += [lambda: f"cast({one(INT)} AS STRING)"]
            options += [lambda: f"named_struct('p', {one()}, 'q', {one(INT)}).p"]
        return self.chance.choice(options)()

    def greatest(self, sources: list[Source]) -> str:
        """Return a correlated scalar subquery; Spark lets it name the query around it, not the one around that."""
        name, self.subqueries = self.fresh("q"), False
        made = f"(SELECT max({name}.x) FROM t3 {name} WHERE {name}.a = {self.value(sources, INT, 1)})"
        self.subqueries = True
        return made

    def condition(self, sources: list[Source], depth: int) -> str:
        """Return a condition."""
        kind = self.chance.choice([INT, STR])
        left = self.value(sources, kind, depth)
        if depth > 0 and self.subqueries and self.chance.random() < 0.2:
            name = self.fresh("q")
            column = "x" if kind == INT else "y"
            return f"{left} IN (SELECT {name}.{column} FROM t3 {name})"
        return f"{left} {self.chance.choice(['=', '<', '>', '<>'])} {self.value(sources, kind, depth)}"

    def items(self, make: Callable[[str], str]) -> tuple[list[str], Columns]:
        """Return select items with fresh names, each made by ``make(kind)``."""
        columns = [(self.fresh("c"), self.chance.choice([INT, STR])) for _ in range(self.chance.randint(1, 3))]
        return [f"{make(kind)} AS {name}" for name, kind in columns], columns

    # Queries

    def plain(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """A SELECT of expressions."""
        text, sources = self.sources(depth)
        items, columns = self.items(lambda kind: self.value([*sources, *outer], kind, 2))
        where = f" WHERE {self.condition(sources, 1)}" if self.chance.random() < 0.4 else ""
        distinct = "DISTINCT " if not outer and self.chance.random() < 0.1 else ""
        return f"SELECT {distinct}{', '.join(items)} FROM {text}{where}", columns

    def grouped(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """A SELECT with GROUP BY, perhaps of several grouping sets."""
        text, sources = self.sources(depth)
        key, kind = self.column(sources, INT), self.fresh("g")
        items, columns = self.items(lambda k: self.aggregate(sources, k))
        group = self.chance.choice([f"GROUP BY {key}", f"GROUP BY ROLLUP({key})", f"GROUP BY {kind}"])
        having = f" HAVING count(*) > {self.chance.randint(1, 9)}" if self.chance.random() < 0.3 else ""
        if key == "7":
            return f"SELECT {', '.join(items)} FROM {text}", columns
        return f"SELECT {key} AS {kind}, {', '.join(items)} FROM {text} {group}{having}", [(kind, INT), *columns]

    def aggregate(self, sources: list[Source], kind: str) -> str:
        """Return an aggregate of a type."""
        value = self.value(sources, kind, 1)
        options = [f"max({value})", f"first({value})", f"max({value}) FILTER (WHERE {self.condition(sources, 0)})"]
        if kind == INT:
            options += [f"sum({value})", "count(*)", f"count(DISTINCT {value})"]
        return self.chance.choice(options)

    def windowed(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """A SELECT with windows, by name or not."""
        text, sources = self.sources(depth)
        spec = f"PARTITION BY {self.column(sources, STR)} ORDER BY {self.column(sources, INT)}"
        named = self.chance.random() < 0.5
        over = "w" if named else f"({spec})"

        def made(kind: str) -> str:
            value = self.value(sources, kind, 1)
            ranked = "row_number()" if kind == INT else f"lag({value})"
            return f"{self.chance.choice([f'max({value})', f'lead({value})', ranked])} OVER {over}"

        items, columns = self.items(made)
        return f"SELECT {', '.join(items)} FROM {text}{f' WINDOW w AS ({spec})' if named else ''}", columns

    def union(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """A set operation of two queries with outputs of the same types."""
        left, columns = self.query(depth - 1)
        text, sources = self.sources(depth - 1)
        items = ", ".join(self.value(sources, kind, 1) for _, kind in columns)
        word = self.chance.choice(["UNION ALL", "UNION", "EXCEPT", "INTERSECT"])
        return f"({left}) {word} (SELECT {items} FROM {text})", columns

    def pipe(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """A pipe of a few stages over a table."""
        text, source = self.source(depth - 1)
        columns, parts = source.columns, [f"FROM {text}"]
        for _ in range(self.chance.randint(1, 3)):
            name, kind = self.fresh("c"), self.chance.choice([INT, STR])
            value = self.value([Source("", columns)], kind, 1).replace(" .", " ").replace("(.", "(").lstrip(".")
            stage = self.chance.choice(["WHERE", "EXTEND", "SELECT"])
            if stage == "WHERE":
                parts.append(f"WHERE {columns[0][0]} IS NOT NULL")
            elif stage == "EXTEND":
                parts.append(f"EXTEND {value} AS {name}")
                columns = [*columns, (name, kind)]
            else:
                kept = self.chance.choice(columns)
                parts.append(f"SELECT {kept[0]}, {value} AS {name}")
                columns = [kept, (name, kind)]
        return f"SELECT {', '.join(n for n, _ in columns)} FROM ({' |> '.join(parts)})", columns

    def starred(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """Stars, over a join by USING where both sides have the column."""
        text, source = self.source(depth - 1)
        names = [name for name, _ in source.columns]
        if self.chance.random() < 0.5 and names.count("a") == 1 and not {"b", "e"} & set(names):
            word = self.chance.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
            columns = [("a", INT), *((n, k) for n, k in source.columns if n != "a"), ("b", INT), ("e", STR)]
            return f"SELECT * EXCEPT (f) FROM {text} {word} t2 USING (a)", columns
        name = self.fresh("c")
        return f"SELECT {source.alias}.*, 1 AS {name} FROM {text}", [*source.columns, (name, INT)]

    def exploded(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """A LATERAL VIEW over an array made of expressions."""
        text, sources = self.sources(depth - 1)
        view, name = self.fresh("v"), self.fresh("c")
        subqueries, self.subqueries = self.subqueries, False
        array = f"array({self.value(sources, INT, 1)}, {self.value(sources, INT, 1)})"
        self.subqueries = subqueries
        inner = [*sources, Source(view, [(name, INT)])]
        items, columns = self.items(lambda kind: self.value(inner, kind, 1))
        from_ = f"FROM {text} LATERAL VIEW explode({array}) {view} AS {name}"
        return f"SELECT {view}.{name}, {', '.join(items)} {from_}", [(name, INT), *columns]

    def unpivoted(self, depth: int, outer: list[Source]) -> tuple[str, Columns]:
        """An UNPIVOT of two columns of a query."""
        text, sources = self.sources(depth - 1)
        one, two, kept, label, value = (self.fresh("c") for _ in range(5))
        cells = [f"{self.value(sources, INT, 1)} AS {one}", f"{self.value(sources, INT, 1)} AS {two}"]
        inner = f"SELECT {', '.join(cells)}, {self.value(sources, STR, 1)} AS {kept} FROM {text}"
        columns = [(kept, STR), (label, STR), (value, INT)]
        return f"SELECT * FROM ({inner}) UNPIVOT ({value} FOR {label} IN ({one}, {two}))", columns
