-- columns: G.S(P, PTS)
-- edge: G.S#P -> G.TOP#P IDENTITY
-- edge: G.S#PTS -> G.TOP#PTS IDENTITY
-- edge: G.S#PTS -> G.TOP SORT
-- completeness: complete

CREATE TABLE g.top AS SELECT p, pts FROM g.s ORDER BY pts DESC FETCH FIRST 10 ROWS ONLY;
