-- columns: silver.signup(user_id, plan, ts)
-- edge: bronze.kafka#value -> silver.signup#user_id TRANSFORMATION
-- edge: bronze.kafka#value -> silver.signup#plan TRANSFORMATION
-- edge: bronze.kafka#ts -> silver.signup#ts IDENTITY
-- edge: bronze.kafka#value -> silver.signup FILTER
-- completeness: any

INSERT INTO silver.signup
SELECT get_json_object(cast(value AS STRING), '$.user.id'),
       upper(get_json_object(cast(value AS STRING), '$.plan')),
       ts
FROM bronze.kafka
WHERE get_json_object(cast(value AS STRING), '$.type') = 'signup';
