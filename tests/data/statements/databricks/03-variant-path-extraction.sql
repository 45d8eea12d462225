-- edge: main.bronze.webhooks#id -> main.silver.payments#id IDENTITY
-- edge: main.bronze.webhooks#payload -> main.silver.payments#amount TRANSFORMATION
-- edge: main.bronze.webhooks#payload -> main.silver.payments#method TRANSFORMATION
-- edge: main.bronze.webhooks#received_at -> main.silver.payments#day TRANSFORMATION
-- edge: main.bronze.webhooks#payload -> main.silver.payments FILTER
-- completeness: any

CREATE OR REPLACE TABLE main.silver.payments AS
SELECT id,
       payload:data.amount::decimal(18,2) AS amount,
       lower(payload:data.method::string) AS method,
       date_trunc('DAY', received_at) AS day
FROM main.bronze.webhooks
WHERE payload:type::string = 'payment.succeeded';
