"""Changes of many kinds, made to the tasks of a warehouse by code.

Each is named after what it does, never after what it breaks: that is found out by running it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from warehouse import Task, Warehouse


@dataclass(frozen=True)
class Mutation:
    """One candidate change: its kind, the tasks as they would be, and those that go offline."""

    kind: str
    tasks: tuple[Task, ...] = ()
    offline: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in a report."""
        return f"{self.kind}: {', '.join([*(task.name for task in self.tasks), *self.offline])}"


def mutations(warehouse: Warehouse) -> Iterator[Mutation]:
    """Yield every change that the kinds below make to the warehouse."""
    for task in warehouse.tasks:
        for kind in (_layout, _columns, _expressions, _rows, _writing):
            yield from kind(task)
    yield from _releases(warehouse)


def _one(kind: str, task: Task) -> Mutation:
    return Mutation(kind, (task,))


def _layout(task: Task) -> Iterator[Mutation]:
    text = task.sql()
    yield _one("comments added", replace(task, comment="-- what the shop sold\n/* by the day */ "))
    yield _one("white space", replace(task, raw=text.replace(", ", "\n    , ").replace(" AND ", "\n  AND\t")))
    yield _one("case of keywords", replace(task, raw=_lower_keywords(text)))
    if " o JOIN " in task.source:
        swapped = replace(
            task,
            source=task.source.replace("o.", "zz.").replace(" o ", " zz "),
            items=tuple((expression.replace("o.", "zz."), name) for expression, name in task.items),
            where=tuple(each.replace("o.", "zz.") for each in task.where),
        )
        yield _one("alias of a table", swapped)
    if not task.ctes and task.how != "insert" and " " not in task.source:
        yield _one("read through WITH", replace(task, ctes=f"WITH x AS (SELECT * FROM {task.source})\n", source="x"))
    yield _one("brackets around conditions", replace(task, where=tuple(f"({each})" for each in task.where)))


def _lower_keywords(text: str) -> str:
    for word in ("SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "JOIN", "LEFT", "AS", "CREATE OR REPLACE", "ON"):
        text = text.replace(f"{word} ", f"{word.lower()} ").replace(f"{word}\n", f"{word.lower()}\n")
    return text


def _columns(task: Task) -> Iterator[Mutation]:
    items = list(task.items)
    plain = [place for place, (_, name) in enumerate(items) if name]
    if not plain:
        yield _one("column after a star", task.with_items([*items, ("1", "extra")]))
        return
    if not task.group and not task.union:
        first = items[plain[0]][0]
        yield _one("column added last", task.with_items([*items, (f"{first}", "extra")]))
        yield _one("column added first", task.with_items([(f"{first}", "extra"), *items]))
        yield _one("column added in the middle", task.with_items([*items[:1], ("'x'", "extra"), *items[1:]]))
        for name in ("country", "status", "amount"):
            if not task.has(name):
                yield _one("column added whose name others have", task.with_items([*items, (f"{first}", name)]))
    else:
        yield _one("aggregate added", task.with_items([*items, ("min(1)", "extra")]))
    for place in plain:
        name = items[place][1]
        rest = [each for each in items if each[1] != name]
        if rest:
            yield _one("column dropped", replace(task, items=tuple(rest)))
        yield _one("column renamed", task.with_items([(e, "new_name" if n == name else n) for e, n in items]))
    if len(plain) > 1:
        one, other = plain[0], plain[-1]
        moved = items.copy()
        moved[one], moved[other] = moved[other], moved[one]
        yield _one("columns in another order", task.with_items(moved))
        crossed = items.copy()
        crossed[one] = (items[other][0], items[one][1])
        crossed[other] = (items[one][0], items[other][1])
        yield _one("values of two columns exchanged", task.with_items(crossed))


def _expressions(task: Task) -> Iterator[Mutation]:
    for place, (expression, name) in enumerate(task.items):
        if not name:
            continue

        def changed(text: str, place: int = place, name: str = name) -> Task:
            return task.with_items([*task.items[:place], (text, name), *task.items[place + 1 :]])

        number = name in ("amount", "quantity", "revenue", "score", "price", "order_id", "customer_id", "product_id")
        if number:
            yield _one("arithmetic on a column", changed(f"{expression} + 1"))
            yield _one("number becomes text", changed(f"CAST({expression} AS STRING)"))
            yield _one("number becomes wider", changed(f"CAST({expression} AS BIGINT)"))
        if name in ("name", "country", "email", "status", "category"):
            yield _one("text in other letters", changed(f"concat({expression}, '!')"))
            yield _one("text becomes number", changed(f"length({expression})"))
        if "sum(" in expression:
            yield _one("another aggregate", changed(expression.replace("sum(", "max(")))
        if expression == "count(*)":
            yield _one("count of values", changed("count(DISTINCT 1)"))
        if " 1" in expression or " 2" in expression:
            yield _one("another constant", changed(expression.replace(" 1", " 7").replace(" 2", " 7")))
        if name == "country" and not task.group:
            yield _one("a default for NULL", changed(f"coalesce({expression}, 'none')"))
        if place == 1:
            yield _one("a column becomes NULL", changed("NULL" if not task.group else "max(NULL)"))
        if place == 0:
            yield _one("names a column that is not there", changed("no_such_column"))


def _rows(task: Task) -> Iterator[Mutation]:
    column = next((e for e, name in task.items if name and "(" not in e), None)
    if column is not None and not task.union:
        yield _one("filter added", replace(task, where=(*task.where, f"{column} IS NOT NULL AND {column} <> {column}")))
        yield _one("filter added that keeps all", replace(task, where=(*task.where, "1 = 1")))
    if task.where:
        yield _one("filter removed", replace(task, where=task.where[1:]))
        yield _one("constant of a filter", replace(task, where=(_other_constant(task.where[0]), *task.where[1:])))
    if "LEFT JOIN" in task.source:
        yield _one("outer join becomes inner", replace(task, source=task.source.replace("LEFT JOIN", "JOIN")))
    if " JOIN " in task.source and "NATURAL" not in task.source:
        joined = task.source.replace("o.product_id = p.product_id", "o.product_id = p.product_id + 1")
        yield _one("another join condition", replace(task, source=joined))
    if task.group and task.source == "order_items":
        yield _one("grouped by one more", replace(task, group=(*task.group, "customer_id")))
    if task.having:
        yield _one("filter of groups removed", replace(task, having=""))
    if not task.group and not task.union:
        yield _one("only distinct rows", replace(task, distinct=True))
        yield _one("first rows only", replace(task, order=column or "1", limit=3))
    if task.order:
        yield _one("not in order any more", replace(task, order=""))
    if task.union:
        yield _one("one branch less", replace(task, union=""))
        yield _one("one branch more", replace(task, union=f"{task.union} UNION ALL {task.union}"))
    if task.source == "stg_orders":
        yield _one("another source", replace(task, source="stg_returns"))
    yield _one("a source that is not there", replace(task, source="no_such_table"))


def _other_constant(condition: str) -> str:
    for old, new in (("'void'", "'open'"), ("'paid'", "'open'"), ("150", "190"), ("> 0", "> 200")):
        if old in condition:
            return condition.replace(old, new)
    return condition


def _writing(task: Task) -> Iterator[Mutation]:
    yield Mutation("goes offline", offline=(task.name,))
    yield _one("does not parse", replace(task, raw=task.sql().replace("SELECT", "SELECT FROM (", 1)))
    if task.how in ("table", "view"):
        other = "view" if task.how == "table" else "table"
        yield _one("table becomes view or view table", replace(task, how=other))
    if task.how == "insert":
        yield _one("insert with a column list", replace(task, names=tuple(name for name, _ in task.declared)))
        listed = tuple(name for name, _ in reversed(task.declared))
        yield _one("insert with a list in another order", replace(task, names=listed))
        if task.items[0][1]:
            fewer = replace(task, names=tuple(n for n, _ in task.declared[:-1]), items=task.items[:-1])
            yield _one("insert that leaves a column out", fewer)


def _releases(warehouse: Warehouse) -> Iterator[Mutation]:
    """Several tasks at once, and new ones."""
    orders = warehouse.task("order_items")
    readers = {"revenue": ("fct_sales", "by_country", "by_category", "ranked"), "category": ("by_category",)}
    for name, users in readers.items():
        renamed = orders.with_items([(e, "renamed" if n == name else n) for e, n in orders.items])
        fixed = tuple(_reading(warehouse.task(user), name, "renamed") for user in users)
        yield Mutation("renamed with all its readers", (renamed, *fixed))
        yield Mutation("renamed with some of its readers", (renamed, *fixed[: len(fixed) - 1]))
    for name in ("country", "status"):
        dropped = orders.with_items([each for each in orders.items if each[1] != name])
        yield Mutation("dropped in a release of two", (dropped, replace(warehouse.task("titles"), comment="-- two\n")))
    yield _one("a new report", Task("brand_new", "report", (("country", "country"),), "by_country"))
    yield _one("a new table", Task("brand_new", "table", (("country", "country"),), "by_country"))
    second = replace(warehouse.task("stg_products"), where=("price > 8",))
    writer = Task("second_writer", "table", second.items, second.source, second.where)
    yield _one("a second writer", replace(writer, raw=second.sql()))
    yield Mutation("reader and source go offline together", offline=("country_board", "by_country"))


def _reading(task: Task, old: str, new: str) -> Task:
    return replace(
        task,
        items=tuple((expression.replace(old, new), name) for expression, name in task.items),
        where=tuple(each.replace(old, new) for each in task.where),
    )
