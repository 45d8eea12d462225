-- columns: d.o(id, skus, qtys)
-- edge: d.o#id -> d.t#id IDENTITY
-- edge: d.o#qtys -> d.t#qty IDENTITY
-- edge: d.o#skus -> d.t#sku IDENTITY
-- completeness: any

INSERT INTO d.t (id, sku, qty) SELECT id, s, q FROM d.o ARRAY JOIN skus AS s, qtys AS q
