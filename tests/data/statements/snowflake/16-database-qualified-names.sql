-- database: PROD.PUBLIC
-- columns: PROD.PUBLIC.A(K, V)
-- columns: OTHER.SALES.B(K, W)
-- edge: PROD.PUBLIC.A#K -> PROD.MART.AB#K IDENTITY
-- edge: PROD.PUBLIC.A#V -> PROD.MART.AB#V IDENTITY
-- edge: OTHER.SALES.B#W -> PROD.MART.AB#W IDENTITY
-- edge: PROD.PUBLIC.A#K -> PROD.MART.AB JOIN
-- edge: OTHER.SALES.B#K -> PROD.MART.AB JOIN
-- completeness: complete

create or replace transient table mart.ab as
select a.k, a.v, b.w from a left join other.sales.b b on a.k = b.k;
