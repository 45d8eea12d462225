-- columns: shop.cart(id, user_id)
-- columns: shop.user(id, deleted)
-- edge: shop.cart#user_id -> shop.cart JOIN
-- edge: shop.user#id -> shop.cart JOIN
-- edge: shop.user#deleted -> shop.cart FILTER
-- completeness: complete

DELETE c FROM shop.cart c JOIN shop.user u ON u.id = c.user_id WHERE u.deleted = 1;
