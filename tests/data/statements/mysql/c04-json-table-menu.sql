-- columns: resto.restaurant(rest_id, slug, city)
-- columns: resto.dish(rest_id, dish, price, allergens)
-- edge: resto.restaurant#rest_id -> resto.dish#rest_id IDENTITY
-- edge: resto.menu_doc#doc -> resto.dish#dish TRANSFORMATION
-- edge: resto.menu_doc#doc -> resto.dish#price TRANSFORMATION
-- edge: resto.menu_doc#doc -> resto.dish#allergens TRANSFORMATION
-- edge: resto.restaurant#slug -> resto.dish JOIN
-- edge: resto.menu_doc#slug -> resto.dish JOIN
-- edge: resto.menu_doc#doc -> resto.dish FILTER
-- edge: resto.menu_doc#fetched_at -> resto.dish FILTER
-- completeness: complete

REPLACE INTO resto.dish (rest_id, dish, price, allergens)
SELECT r.rest_id, TRIM(x.dish), x.price, x.allergens
FROM resto.menu_doc AS d
INNER JOIN resto.restaurant AS r ON r.slug = d.slug
CROSS JOIN JSON_TABLE(
    d.doc,
    '$.sections[*].dishes[*]'
    COLUMNS (
        dish VARCHAR(120) PATH '$.name',
        price DECIMAL(8, 2) PATH '$.price' DEFAULT '0' ON EMPTY,
        allergens JSON PATH '$.allergens'
    )
) AS x
WHERE x.price > 0
  AND d.fetched_at >= NOW() - INTERVAL 12 HOUR;
