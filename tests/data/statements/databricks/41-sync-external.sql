-- completeness: any
-- note: SYNC upgrades tables of one catalog into another

SYNC SCHEMA main.d AS EXTERNAL FROM hive_metastore.d
