-- columns: public.p(id,price)
-- columns: public.r(id,rate)
-- edge: public.p#price -> public.p#price TRANSFORMATION
-- edge: public.r#rate -> public.p#price TRANSFORMATION
-- edge: public.p#id -> public.p FILTER
-- edge: public.r#id -> public.p FILTER
-- completeness: any

UPDATE public.p AS p SET price = p.price * r.rate FROM public.r r WHERE r.id = p.id
