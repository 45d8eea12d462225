-- columns: PROD.MART.A(ID,V)
-- edge: PROD.MART.A#ID -> PROD.MART.B#ID IDENTITY
-- edge: PROD.MART.A#V -> PROD.MART.B#V2 TRANSFORMATION
-- completeness: complete

use database prod;
use schema mart;
alter session set timezone = 'UTC';
create or replace transient table b cluster by (id) as select id, v * 100 as v2 from a;
