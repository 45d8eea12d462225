-- columns: d.o(id, words, tags)
-- edge: d.o#id -> d.w#id IDENTITY
-- edge: d.o#words -> d.w#word TRANSFORMATION
-- edge: d.o#tags -> d.w#tag IDENTITY
-- completeness: any

CREATE TEMPORARY SYSTEM FUNCTION split_words AS 'com.example.Split' LANGUAGE JAVA;
INSERT INTO d.w (id, word, tag)
SELECT id, word, tag
FROM d.o
CROSS JOIN UNNEST(tags) AS t (tag)
LEFT JOIN LATERAL TABLE(split_words(words)) AS T2(word) ON TRUE;
