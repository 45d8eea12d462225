-- columns: d.ev(uid, n)
-- edge: d.ev#n -> d.t#n IDENTITY
-- edge: d.ev#uid -> d.t#name TRANSFORMATION
-- edge: d.users_dict#name -> d.t#name TRANSFORMATION
-- completeness: complete
-- note: the value comes from the dictionary, too

INSERT INTO d.t (n, name) SELECT n, dictGet('d.users_dict', 'name', uid) FROM d.ev
