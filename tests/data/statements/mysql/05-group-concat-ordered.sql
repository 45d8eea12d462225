-- columns: blog.tag(post_id, name, pos)
-- columns: blog.post_tags(post_id, tags)
-- edge: blog.tag#post_id -> blog.post_tags#post_id IDENTITY
-- edge: blog.tag#name -> blog.post_tags#tags AGGREGATION
-- edge: blog.tag#pos -> blog.post_tags#tags SORT
-- edge: blog.tag#post_id -> blog.post_tags GROUP_BY
-- completeness: complete

INSERT INTO blog.post_tags
SELECT post_id, GROUP_CONCAT(name ORDER BY pos SEPARATOR ',') FROM blog.tag GROUP BY post_id;
