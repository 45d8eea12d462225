-- columns: public.o(id,c,amt)
-- columns: public.t(c,total)
-- edge: public.o#c -> public.t#c IDENTITY
-- edge: public.o#amt -> public.t#total AGGREGATION
-- edge: public.o#c -> public.t GROUP_BY
-- completeness: complete

INSERT INTO public.t (c, total) SELECT c, sum(amt) FROM public.o GROUP BY c ON CONFLICT (c) DO UPDATE SET total = EXCLUDED.total
