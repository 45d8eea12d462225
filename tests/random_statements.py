"""Statements at random over a few tables, mostly right: a name, a list or a place is now and then one that is wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from ingest.sql import extract

TABLES = {"a": ["id", "x", "s"], "b": ["id", "y"], "w": ["k", "m1", "m2"], "t": ["id", "v"], "u": ["id", "x", "y"]}
SLIP = 0.06
#: The codes of problems for which an engine rejects a statement.
FAILING = {
    "unknown-column",
    "ambiguous-column",
    "column-count",
    "repeated-column",
    "unnamed-column",
    "misplaced-aggregate",
    "ungrouped-column",
}
#: A source in sight: its alias and its columns.
Seen = tuple[str, list[str]]


def judged(text: str, dialect: str, namespace: str) -> tuple[bool, bool, str]:
    """Return whether the statement is reported as one that fails, whether it is complete, and the problems in words."""
    columns = {f"{namespace}.{table}": tuple(names) for table, names in TABLES.items()}
    made = extract(text, dialect=dialect, namespace="n", columns=columns, default_database=namespace.partition(":")[2])
    reported = any(problem.code in FAILING for problem in made.problems)
    return reported, made.coverage == "complete", f"{text}\n{made.problems}"


@dataclass
class Statements:
    """Makes statements; ``lists`` says whether names in brackets may come after an alias, ``alone`` whether in ON."""

    chance: random.Random
    lists: bool = True
    alone: bool = True
    with_first: bool = True
    named: dict[str, list[str]] = field(default_factory=dict)

    def statement(self) -> str:
        """Return an INSERT, UPDATE, DELETE, CREATE TABLE or CREATE VIEW."""
        self.named = {}
        chance, target = self.chance.random(), self.chance.choice(["t", "u", "w"])
        columns = TABLES[target]
        if chance < 0.15:
            return self._update(target, columns)
        if chance < 0.22:
            return f"DELETE FROM {target} WHERE {self._condition([(target, columns)], 1)}"
        with_ = self._with() if self._often(0.3) else ""
        if chance < 0.7:
            return self._insert(target, columns, with_)
        query, made = self._query(0)
        if chance < 0.85:
            names = f" ({', '.join(self._names(made))})" if self.lists and self._often(0.3) else ""
            return f"CREATE VIEW made{names} AS {with_}{query}"
        return f"CREATE TABLE made AS {with_}{query}"

    def _often(self, share: float) -> bool:
        return self.chance.random() < share

    def _name(self, columns: list[str]) -> str:
        return self.chance.choice(["nope", "k", "y", "v", "id"] if self._often(SLIP) else columns)

    def _names(self, columns: list[str]) -> list[str]:
        """Return a list of names for columns, now and then one too many or too few."""
        count = len(columns) + (self.chance.choice([-1, 1]) if self._often(0.15) else 0)
        return [f"n{place}" for place in range(max(1, count))]

    def _column(self, seen: list[Seen], *, alone: bool = True) -> str:
        alias, columns = self.chance.choice(seen)
        name = self._name(columns)
        times = sum(each.count(name) for _, each in seen)
        if alone and (self._often(0.45 if times < 2 else 0.08)):
            return name
        return f"{'z9' if self._often(SLIP / 2) else alias}.{name}"

    def _value(self, seen: list[Seen], depth: int = 0) -> str:
        chance = self.chance.random()
        if depth > 2 or chance < 0.55:
            return self._column(seen)
        if chance < 0.7:
            return f"coalesce({self._value(seen, depth + 1)}, {self._value(seen, depth + 1)})"
        if chance < 0.8:
            return f"CASE WHEN {self._condition(seen, depth + 1)} THEN {self._value(seen, depth + 1)} ELSE 0 END"
        if chance < 0.86:
            return f"({self._query(depth + 1, count=1)[0]})"
        if chance < 0.92 and depth == 0:
            return f"sum({self._column(seen)}) OVER (PARTITION BY {self._column(seen)} ORDER BY {self._column(seen)})"
        return str(self.chance.randint(0, 5))

    def _condition(self, seen: list[Seen], depth: int = 0) -> str:
        chance = self.chance.random()
        if depth > 2 or chance < 0.6:
            return f"{self._value(seen, depth + 2)} {self.chance.choice('=<>')} {self._value(seen, depth + 2)}"
        if chance < 0.75:
            return f"{self._column(seen)} IN ({self._query(depth + 1, count=1)[0]})"
        if chance < 0.85:
            text, inner = self._from(depth + 1)
            return f"EXISTS (SELECT 1 FROM {text} WHERE {self._condition(inner, depth + 1)})"
        return f"({self._column(seen)}, {self._column(seen)}) IN ({self._query(depth + 1, count=2)[0]})"

    def _source(self, depth: int) -> tuple[str, Seen]:
        alias = f"q{self.chance.randint(1, 99)}"
        if depth <= 2 and self._often(0.3):
            query, columns = self._query(depth + 1)
            if self.lists and self._often(0.25):
                names = self._names(columns)
                return f"({query}) AS {alias} ({', '.join(names)})", (alias, names)
            return f"({query}) AS {alias}", (alias, columns)
        if self.named and self._often(0.5):
            name = self.chance.choice(list(self.named))
            return f"{name} AS {alias}", (alias, self.named[name])
        name = self.chance.choice(list(TABLES))
        return (f"{name} AS {alias}", (alias, TABLES[name])) if self._often(0.5) else (name, (name, TABLES[name]))

    def _from(self, depth: int) -> tuple[str, list[Seen]]:
        text, first = self._source(depth)
        seen = [first]
        for _ in range(self.chance.choice([0, 0, 0, 1, 1, 2]) if depth < 2 else 0):
            source, joined = self._source(depth)
            if joined[0] in {alias for alias, _ in seen} and not self._often(SLIP):
                continue
            common = [name for name in joined[1] if any(name in columns for _, columns in seen)]
            if common and self._often(0.3):
                name = self.chance.choice(joined[1] if self._often(SLIP) else common)
                text += f" {self.chance.choice(['JOIN', 'LEFT JOIN'])} {source} USING ({name})"
            elif self._often(0.1):
                text += f" NATURAL JOIN {source}"
            else:
                on = [self._column([*seen, joined], alone=self.alone), self._column([joined], alone=self.alone)]
                if self._often(SLIP / 2):
                    on[0] = f"max({on[0]})"
                text += f" JOIN {source} ON {' = '.join(on)}"
            seen.append(joined)
        return text, seen

    def _query(self, depth: int, count: int | None = None) -> tuple[str, list[str]]:
        """Return a query, and the names of its columns as far as they are simple; ``count`` is how many are needed."""
        text, seen = self._from(depth)
        if count is not None and self._often(SLIP):
            count += 1
        if count is None and self._often(0.2):
            items, names = ["*"], [name for _, columns in seen for name in columns]
        elif self._often(0.2):
            return self._grouped(text, seen, count or self.chance.randint(1, 3))
        else:
            items, names = [], []
            for _ in range(count or self.chance.randint(1, 3)):
                value = self._value(seen, depth)
                name = self.chance.choice(["id", "x", "y", "v", "p"]) if self._often(0.4) else ""
                plain = value.rpartition(".")[2]
                names.append(name or (plain if plain.isidentifier() else "p"))
                items.append(f"{value} AS {name}" if name else value)
        query = f"SELECT {', '.join(items)} FROM {text}"
        if self._often(0.4):
            query += f" WHERE {self._condition(seen, depth)}"
        elif self._often(SLIP):
            query += f" WHERE max({self._column(seen)}){self.chance.choice(['', ' OVER ()'])} > 1"
        if depth == 0 and self._often(0.2):
            query += f" ORDER BY {self.chance.randint(1, len(names) + self._often(SLIP))}"
        elif depth < 2 and count is None and self._often(0.1):
            query += f" UNION ALL {self._query(depth + 1, count=len(names) + self._often(SLIP))[0]}"
        return query, names

    def _grouped(self, text: str, seen: list[Seen], count: int) -> tuple[str, list[str]]:
        keys = [self._column(seen, alone=self.alone) for _ in range(max(1, count - 1))]
        names = [f"o{place}" for place in range(count)]
        inner = f"min({self._column(seen)})" if self._often(SLIP / 2) else self._column(seen)
        values = keys if count == 1 else [*keys, f"{self.chance.choice(['sum', 'max'])}({inner})"]
        shown = [self._column(seen), *values[1:]] if self._often(SLIP) else values
        items = [f"{value} AS {name}" for value, name in zip(shown, names, strict=True)]
        by = [str(place) for place in range(1, len(keys) + 1)] if self._often(0.2) else keys
        having = f" HAVING max({self._column(seen)}) > 1" if self._often(0.3) else ""
        slip = f", {self.chance.choice(['7', str(len(values)), f'min({keys[0]})'])}" if self._often(SLIP) else ""
        grouping = f" GROUP BY {', '.join(by)}{slip}" if not self._often(SLIP) else ""
        return f"SELECT {', '.join(items)} FROM {text}{grouping}{having}", names

    def _with(self) -> str:
        parts = []
        for name in ["c0", "c1"][: self.chance.randint(1, 2)]:
            query, columns = self._query(1)
            if self._often(0.3):
                columns = self._names(columns)
                parts.append(f"{name} ({', '.join(columns)}) AS ({query})")
            else:
                parts.append(f"{name} AS ({query})")
            self.named[name] = columns
        return f"WITH {', '.join(parts)} "

    def _insert(self, target: str, columns: list[str], with_: str) -> str:
        listed = self.chance.sample(columns, self.chance.randint(1, len(columns))) if self._often(0.5) else []
        names = f" ({', '.join(self._name([name]) for name in listed)})" if listed else ""
        head = f"INSERT INTO {target}{names} "
        query = self._query(0, count=len(listed or columns))[0]
        returning = f" RETURNING {self._name(columns)}" if not with_ and self._often(0.1) else ""
        return (with_ + head if self.with_first else head + with_) + query + returning

    def _update(self, target: str, columns: list[str]) -> str:
        other = self.chance.choice([name for name in TABLES if name != target])
        seen: list[Seen] = [(target, columns), (other, TABLES[other])]
        if self._often(0.5):
            from_, seen = "", seen[:1]
        else:
            from_ = f" FROM {other}"
        sets = f"{self._name([self.chance.choice(columns)])} = {self._value(seen, 1)}"
        returning = f" RETURNING {self._name(columns)}" if self._often(0.2) else ""
        return f"UPDATE {target} SET {sets}{from_} WHERE {self._condition(seen, 1)}{returning}"
