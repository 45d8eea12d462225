-- columns: hive.dw.doc_word(doc_id, word, pos)
-- edge: hive.raw.doc#doc_id -> hive.dw.doc_word#doc_id IDENTITY
-- edge: hive.raw.doc#words -> hive.dw.doc_word#word IDENTITY
-- edge: hive.raw.doc#words -> hive.dw.doc_word FILTER
-- completeness: any
-- note: the position is a count of rows, made of no column's value

INSERT INTO hive.dw.doc_word
SELECT d.doc_id, u.w, u.n
FROM hive.raw.doc d
CROSS JOIN UNNEST(d.words) WITH ORDINALITY AS u (w, n)
WHERE u.w <> '';
