"""Statements of all kinds for a Trino with the catalogs memory, tpch and lake, in an order in which they can run."""

from __future__ import annotations

from typing import Final

#: Statements that write tables, views or rows.
WRITES: Final = (
    """
create schema if not exists lake.dw;
create table memory.default.o as select * from tpch.tiny.orders where orderkey < 1000;
create table memory.default.c as select custkey, name, nationkey, mktsegment, acctbal from tpch.tiny.customer
    where custkey < 200;
create table memory.default.x as select o.custkey, sum(case when o.orderstatus='F' then o.totalprice end) p,
    row_number() over (partition by c.mktsegment order by o.custkey) rn from o join c on o.custkey=c.custkey group
    by o.custkey, c.mktsegment;
create view memory.default.v as select custkey k, p * 2 as double_p from x where p > 10;
insert into x select k, 1, 2 from v;
insert into memory.default.x (rn, custkey) select custkey + 1, custkey from c;
insert into x values (1, 2.0, 3);
create table memory.default.empty (a bigint, b varchar);
insert into empty select orderkey, comment from o;
insert into empty with big as (select custkey, name from c where acctbal > 0) select custkey, upper(name) from
    big;
create table memory.default.u as select custkey, 'c' kind from c union all select orderkey, 'o' from o;
create table memory.default.u2 as select custkey from c union select custkey from o;
create table memory.default.u3 as select custkey from c intersect select custkey from o;
create table memory.default.u4 as select custkey from c except select custkey from o;
create table memory.default.j1 as select c.name, o.totalprice from c left join o on c.custkey = o.custkey and
    o.totalprice > 100;
create table memory.default.j2 as select c.name, o.totalprice from c right join o using (custkey);
create table memory.default.j3 as select a.name n1, b.name n2 from c a cross join c b where a.custkey < 3 and
    b.custkey < 3;
create table memory.default.s1 as select name, (select max(totalprice) from o where o.custkey = c.custkey) m
    from c;
create table memory.default.s2 as select name from c where custkey in (select custkey from o where totalprice >
    1000);
create table memory.default.s3 as select name from c where exists (select 1 from o where o.custkey = c.custkey);
create table memory.default.w1 as select custkey, lag(totalprice) over (partition by custkey order by orderdate)
    prev, rank() over (order by totalprice) r from o;
create table memory.default.g1 as select mktsegment, count(*) n, avg(acctbal) a from c group by mktsegment
    having count(*) > 1;
create table memory.default.g2 as select mktsegment, nationkey, sum(acctbal) s from c group by rollup
    (mktsegment, nationkey);
create table memory.default.g3 as select custkey, array_agg(orderkey order by orderdate) a, max_by(comment,
    totalprice) m from o group by custkey;
create table memory.default.n1 as select t.custkey, k.key from c t cross join unnest(array[t.custkey,
    t.nationkey]) as k(key);
create table memory.default.n2 as select custkey, e from (select custkey, split(comment, ' ') words from o)
    cross join unnest(words) as t(e);
create table memory.default.k1 as select coalesce(o.comment, c.name) as t, if(o.totalprice > 100, 'a',
    c.mktsegment) f, cast(o.orderdate as varchar) || '-' || c.name z from o join c on o.custkey = c.custkey;
create table memory.default.k2 as select distinct orderstatus, orderpriority from o;
create table memory.default.k3 as select * from (values (1, 'a'), (2, 'b')) as t(id, name);
create table memory.default.k4 as select name, acctbal from c order by acctbal desc limit 10;
create table memory.default.k5 as select t.* from c t;
create table memory.default.k6 as select c.*, o.totalprice from c join o on c.custkey = o.custkey;
create table memory.default.k7 as select json_extract_scalar(json_parse('{"a":1}'), '$.a') j, custkey from c;
create table memory.default.k8 as select try(totalprice / shippriority) q, nullif(orderstatus, 'F') s,
    greatest(totalprice, custkey) g from o;
create table memory.default.k9 as select transform(array[custkey, nationkey], e -> e + acctbal) t from c;
create table memory.default.r1 as select row(custkey, name) as r from c;
create table memory.default.r2 as select r[1] as a from r1;
create table memory.default.f1 as select sum(totalprice) filter (where orderstatus = 'F') a,
    approx_distinct(custkey) d from o;
create table memory.default.d1 as select date_trunc('month', orderdate) m, sum(totalprice) s from o group by 1
    order by 1;
create table if not exists memory.default.d1 as select custkey m, custkey s from o;
create or replace view memory.default.v2 as select v.k, c.name from v join c on v.k = c.custkey;
create table memory.default.v3 as select k, name from v2;
create table memory.default.wr as with recursive t(n) as (select 1 union all select n + 1 from t where n < 5)
    select n from t;
create table memory.default.l1 as select c.name, l.p from c cross join lateral (select max(totalprice) p from o
    where o.custkey = c.custkey) l;
create table lake.dw.orders as select orderkey, custkey, totalprice, orderstatus from tpch.tiny.orders where
    orderkey < 500;
create table lake.dw.part with (partitioning = array['orderstatus']) as select * from lake.dw.orders;
insert into lake.dw.orders select orderkey, custkey, totalprice, orderstatus from memory.default.o where
    orderkey > 500;
update lake.dw.orders set totalprice = totalprice * 2, orderstatus = 'X' where custkey = 10;
update lake.dw.orders set totalprice = (select max(acctbal) from memory.default.c) where orderkey < 5;
delete from lake.dw.orders where orderstatus = 'P';
delete from lake.dw.part where custkey in (select custkey from memory.default.c);
merge into lake.dw.orders t using memory.default.o s on t.orderkey = s.orderkey when matched then update set
    totalprice = s.totalprice + t.custkey when not matched then insert (orderkey, custkey) values (s.orderkey,
    s.custkey);
merge into lake.dw.part t using (select orderkey, max(totalprice) p from memory.default.o group by orderkey) s
    on t.orderkey = s.orderkey when matched and s.p > 1000 then delete when matched then update set totalprice = s.p;
create materialized view lake.dw.mv as select custkey, sum(totalprice) s from lake.dw.orders group by custkey;
refresh materialized view lake.dw.mv;
create or replace table lake.dw.re as select custkey, count(*) n from lake.dw.orders group by custkey;
insert into lake.dw.re select custkey, s from lake.dw.mv;
create view lake.dw.lv as select m.custkey, m.s, c.name from lake.dw.mv m join memory.default.c c on c.custkey =
    m.custkey;
create table lake.dw.like_orders (like lake.dw.orders);
insert into lake.dw.like_orders table lake.dw.orders;
insert into lake.dw.like_orders select * from lake.dw.orders where totalprice between 1 and 1000;
alter table lake.dw.like_orders execute optimize;
analyze lake.dw.orders;
create table memory.default.tmp1 as select 1 as one;
drop table memory.default.tmp1;
alter table memory.default.k2 rename to memory.default.k2b;
create table memory.default.short as select custkey from c;
alter table short rename to shorter;
create table memory.default.tmp2 as select 1 as one;
drop table tmp2;
create table lake.dw.o as select orderkey, custkey, totalprice from o where orderkey < 100;
create table memory.default.li as select * from tpch.tiny.lineitem where orderkey < 100;
create table memory.default.li2 as select orderkey, partkey, suppkey, quantity * extendedprice as gross, tax, shipdate,
    returnflag || linestatus as flags from li;
create table memory.default.nat as select n.nationkey, n.name, r.name as region from tpch.tiny.nation n
    join tpch.tiny.region r on n.regionkey = r.regionkey;
""".strip()
    .removesuffix(";")
    .split(";\n")
)
#: One statement of each kind for a short run, with those that make what they, the reads and the failures below use.
_SOME: Final = (
    "create schema", "create table memory.default.o ", "create table memory.default.c ",
    "create table memory.default.x ", "create view memory.default.v ", "insert into x select",
    "create table memory.default.n1 ",
    "create table memory.default.k2 ", "create or replace view memory.default.v2", "create table lake.dw.orders ",
    "insert into lake.dw.orders", "update lake.dw.orders set totalprice = totalprice", "delete from lake.dw.orders",
    "merge into lake.dw.orders", "create materialized view", "refresh materialized", "analyze",
    "create table memory.default.tmp1", "drop table memory", "alter table memory.default.k2",
    "create table memory.default.short", "alter table short", "create table lake.dw.o ",
)  # fmt: skip
SOME: Final = tuple(each for each in WRITES if each.startswith(_SOME))
#: Statements that only read, and statements that neither read nor write data.
READS: Final = [
    "select custkey, sum(totalprice) from o group by custkey",
    "select count(*) from lake.dw.orders",
    "select * from v2",
    "show tables",
    "explain select * from o",
]
#: Statements that fail in analysis.
FAILURES: Final = [
    "select nope from o",
    "insert into x select 1",
]
