"""Small warehouses of tasks that are really run: the tables, views, loads and reports of a shop.

A task is kept in parts (select list, FROM, WHERE, …), so that a change of a kind can be made to it by code. The SQL is
such that DuckDB and Spark both run it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

#: name → (columns with their types, rows)
RAW: dict[str, tuple[list[tuple[str, str]], list[tuple[Any, ...]]]] = {
    "raw_orders": (
        [("order_id", "INT"), ("customer_id", "INT"), ("product_id", "INT"), ("amount", "INT"), ("quantity", "INT"),
         ("status", "STRING"), ("channel", "STRING")],
        [(i, i % 7, i % 5, 100 + (i * 37) % 211, 1 + i % 4, ("paid", "open", "void")[i % 3], ("web", "shop")[i % 2])
         for i in range(40)],
    ),
    "raw_customers": (
        [("customer_id", "INT"), ("name", "STRING"), ("country", "STRING"), ("email", "STRING"), ("score", "INT")],
        [(i, f"Name {i}", ("de", "fr", "it")[i % 3], f"n{i}@example.org", 10 * i) for i in range(9)],
    ),
    "raw_products": (
        [("product_id", "INT"), ("title", "STRING"), ("category", "STRING"), ("price", "INT")],
        [(i, f"Thing {i}", ("toys", "food")[i % 2], 5 + i * 3) for i in range(7)],
    ),
    "raw_returns": (
        [("order_id", "INT"), ("customer_id", "INT"), ("product_id", "INT"), ("amount", "INT"), ("quantity", "INT"),
         ("status", "STRING"), ("channel", "STRING")],
        [(i, i % 7, i % 5, -(10 + i), 1, "paid", "web") for i in range(3, 20, 3)],
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Task:
    """A task: how it writes (table, view, insert, report), and its query in parts.

    ``items`` are (expression, name) pairs; a name of ``""`` leaves the expression as it is (a star). ``declared`` are
    the columns of the table that an insert writes, ``names`` its column list.
    """

    name: str
    how: str
    items: tuple[tuple[str, str], ...]
    source: str
    where: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    having: str = ""
    order: str = ""
    limit: int | None = None
    distinct: bool = False
    union: str = ""
    declared: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    ctes: str = ""
    comment: str = ""
    raw: str | None = None

    def query(self) -> str:
        """Return the SELECT."""
        listed = ", ".join(f"{expression} AS {name}" if name else expression for expression, name in self.items)
        parts = [f"SELECT {'DISTINCT ' if self.distinct else ''}{listed}", f"FROM {self.source}"]
        if self.where:
            parts.append("WHERE " + " AND ".join(self.where))
        if self.group:
            parts.append("GROUP BY " + ", ".join(self.group))
        if self.having:
            parts.append(f"HAVING {self.having}")
        if self.union:
            parts.append(f"UNION ALL {self.union}")
        if self.order:
            parts.append(f"ORDER BY {self.order}")
        if self.limit is not None:
            parts.append(f"LIMIT {self.limit}")
        return self.ctes + "\n".join(parts)

    def sql(self) -> str:
        """Return the text of the task as its message carries it."""
        if self.raw is not None:
            return self.raw
        text = self.comment + self.query()
        if self.how == "view":
            return f"CREATE OR REPLACE VIEW {self.name} AS\n{text}"
        if self.how == "table":
            return f"CREATE OR REPLACE TABLE {self.name} AS\n{text}"
        if self.how == "insert":
            listed = f" ({', '.join(self.names)})" if self.names else ""
            return f"INSERT INTO {self.name}{listed}\n{text}"
        return text

    def has(self, name: str) -> bool:
        """Say whether it has an output of this name."""
        return any(each == name for _, each in self.items)

    def with_items(self, items: list[tuple[str, str]]) -> Task:
        """Return the task with another select list."""
        return replace(self, items=tuple(items))


@dataclass(frozen=True)
class Warehouse:
    """Tasks in an order in which each finds its sources ready."""

    name: str
    tasks: tuple[Task, ...]
    raw: dict[str, Any] = field(default_factory=lambda: RAW)

    def task(self, name: str) -> Task:
        """Return a task by name."""
        return next(task for task in self.tasks if task.name == name)

    def having(self, *changed: Task, without: tuple[str, ...] = ()) -> Warehouse:
        """Return the warehouse with these tasks in place of those of their names; new ones come last."""
        by_name = {task.name: task for task in changed}
        kept = [by_name.pop(task.name, task) for task in self.tasks if task.name not in without]
        return replace(self, tasks=(*kept, *by_name.values()))


def _named(*names: str, of: str = "") -> tuple[tuple[str, str], ...]:
    return tuple((f"{of}{name}", name) for name in names)


def shop(how: str = "table") -> Warehouse:
    """Return the shop: staging with explicit columns; readers with stars, positions, joins, unions and windows."""
    orders = ("order_id", "customer_id", "product_id", "amount", "quantity", "status", "channel")
    loaded = (("order_id", "INT"), ("customer_id", "INT"), ("revenue", "INT"), ("status", "STRING"))
    return Warehouse(
        f"shop of {how}s",
        (
            Task("stg_orders", how, _named(*orders), "raw_orders", ("amount > 0",)),
            Task("stg_returns", how, _named(*orders), "raw_returns"),
            Task("stg_customers", how, (("customer_id", "customer_id"), ("upper(name)", "name"),
                 ("country", "country"), ("email", "email"), ("score + 1", "score")), "raw_customers"),
            Task("stg_products", how, _named("product_id", "title", "category", "price"), "raw_products"),
            Task("all_orders", "view", (("*", ""),), "stg_orders", union="SELECT * FROM stg_returns"),
            Task("order_items", how, (
                ("o.order_id", "order_id"), ("o.customer_id", "customer_id"),
                ("o.amount * o.quantity", "revenue"), ("o.status", "status"), ("p.category", "category"),
                ("c.country", "country")),
                "stg_orders o JOIN stg_products p ON o.product_id = p.product_id "
                "LEFT JOIN stg_customers c ON o.customer_id = c.customer_id", ("o.status <> 'void'",)),
            Task("fct_sales", "insert", _named("order_id", "customer_id", "revenue", "status"), "order_items",
                 declared=loaded),
            Task("fct_mirror", "insert", (("*", ""),), "slim_orders", declared=loaded),
            Task("by_country", how, (("country", "country"), ("sum(revenue)", "revenue"), ("count(*)", "orders"),
                 ("max(customer_id)", "newest")), "order_items", group=("country",), having="count(*) > 1"),
            Task("by_category", how, (("category", "category"), ("sum(revenue)", "total"),
                 ("avg(revenue)", "mean")), "order_items", ("revenue > 150",), group=("category",)),
            Task("customer_dim", how, (("*", ""),), "stg_customers"),
            Task("customer_scores", "report", (("customer_id", "customer_id"), ("lower(email)", "email"),
                 ("score * 2", "double_score")), "customer_dim"),
            Task("country_board", "report", (("country", "country"), ("revenue", "revenue"), ("orders", "orders")),
                 "by_country", order="country"),
            Task("ranked", "report", (("order_id", "order_id"), ("country", "country"),
                 ("rank() OVER (PARTITION BY country ORDER BY revenue, order_id)", "place")), "order_items"),
            Task("paid_only", "report", (("order_id", "order_id"), ("revenue", "revenue")), "fct_sales",
                 ("status = 'paid'",)),
            Task("channels", "report", (("channel", "channel"), ("count(*)", "n"), ("sum(amount)", "amount")),
                 "all_orders", group=("channel",)),
            Task("loyal", "report", (("name", "name"), ("score", "score")), "stg_customers",
                 ("customer_id IN (SELECT customer_id FROM stg_orders WHERE amount > 150)",)),
            Task("titles", "report", (("title", "title"), ("o.amount", "amount")),
                 "stg_products p JOIN stg_orders o ON p.product_id = o.product_id"),
            Task("shared_keys", "report", (("*", ""),), "slim_orders NATURAL JOIN slim_customers"),
        ),
    ).having()  # fmt: skip


def complete(warehouse: Warehouse) -> Warehouse:
    """Return the warehouse with the two narrow tables that the star readers need, put where they are ready."""
    tasks = list(warehouse.tasks)
    place = next(i for i, task in enumerate(tasks) if task.name == "order_items")
    slim = Task("slim_orders", "table", (("order_id", "order_id"), ("customer_id", "customer_id"),
                ("amount * 1", "revenue"), ("status", "status")), "stg_orders")  # fmt: skip
    customers = Task("slim_customers", "table", (("customer_id", "customer_id"), ("country", "country")),
                     "stg_customers")  # fmt: skip
    return replace(warehouse, tasks=(*tasks[:place], slim, customers, *tasks[place:]))
