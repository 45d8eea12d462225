-- columns: public.q(id,st)
-- columns: public.arch(id,st)
-- edge: public.q#id -> public.arch#id IDENTITY
-- edge: public.q#st -> public.arch#st IDENTITY
-- edge: public.q#st -> public.arch FILTER
-- edge: public.q#st -> public.q FILTER
-- completeness: complete

WITH gone AS (DELETE FROM public.q WHERE st = 'done' RETURNING id, st) INSERT INTO public.arch (id, st) SELECT id, st FROM gone
