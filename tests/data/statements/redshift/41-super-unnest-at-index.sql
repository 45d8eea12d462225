-- columns: raw.e(id,payload)
-- columns: dw.e(id,k,pos)
-- edge: raw.e#id -> dw.e#id IDENTITY
-- edge: raw.e#payload.items.k -> dw.e#k TRANSFORMATION
-- completeness: complete

insert into dw.e (id, k, pos)
select e.id, i.k::varchar, pos from raw.e e, e.payload.items as i at pos;
