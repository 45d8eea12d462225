-- completeness: any

EXECUTE IMMEDIATE FORMAT("INSERT INTO `p.d.%s` SELECT a FROM `p.d.t`", suffix)
