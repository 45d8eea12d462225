-- columns: raw.vehicle(vin, plate, owner, version, updated)
-- columns: dim.vehicle(vin, plate, owner, updated)
-- edge: raw.vehicle#vin -> dim.vehicle#vin IDENTITY
-- edge: raw.vehicle#plate -> dim.vehicle#plate AGGREGATION
-- edge: raw.vehicle#version -> dim.vehicle#plate AGGREGATION
-- edge: raw.vehicle#owner -> dim.vehicle#owner AGGREGATION
-- edge: raw.vehicle#version -> dim.vehicle#owner AGGREGATION
-- edge: raw.vehicle#updated -> dim.vehicle#updated AGGREGATION
-- edge: raw.vehicle#vin -> dim.vehicle GROUP_BY
-- completeness: complete

INSERT INTO dim.vehicle (vin, plate, owner, updated)
SELECT
    vin,
    argMax(plate, version),
    argMax(owner, version),
    max(updated)
FROM raw.vehicle
GROUP BY vin;
