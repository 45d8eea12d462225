-- columns: p.d.t(a)
-- edge: p.d.t#a -> p.d.t2#a IDENTITY
-- completeness: complete
-- note: the rows move to the new name, as with SWAP and EXCHANGE

ALTER TABLE `p.d.t` RENAME TO t2
