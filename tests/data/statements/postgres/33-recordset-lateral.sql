-- columns: public.j(id,d)
-- edge: public.j#id -> public.k#id IDENTITY
-- edge: public.j#d -> public.k#sku TRANSFORMATION
-- completeness: complete

CREATE TABLE public.k AS SELECT j.id, x.sku FROM public.j j CROSS JOIN LATERAL jsonb_to_recordset(j.d -> 'lines') AS x(sku text, n int)
