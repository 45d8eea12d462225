-- columns: CORE.CONTRACT(CONTRACT_ID, CUST_ID, PRODUCT, OPENED, LIMIT_AMT, STATUS)
-- columns: CORE.BALANCE(CONTRACT_ID, AS_OF, DRAWN, OVERDUE_DAYS)
-- columns: CORE.CUSTOMER(CUST_ID, BIRTH_DT, SEGMENT, COUNTRY)
-- columns: REF.RATING(CUST_ID, RATING, VALID_FROM, VALID_TO)
-- columns: REF.WEIGHT(RATING, PRODUCT, RW)
-- columns: RISK.EXPOSURE(CONTRACT_ID, CUST_ID, SEGMENT, RATING, EXPOSURE, RWA, BUCKET, CUST_EXPOSURE, RNK)
-- edge: CORE.CONTRACT#CONTRACT_ID -> RISK.EXPOSURE#CONTRACT_ID IDENTITY
-- edge: CORE.CONTRACT#CUST_ID -> RISK.EXPOSURE#CUST_ID IDENTITY
-- edge: CORE.CUSTOMER#SEGMENT -> RISK.EXPOSURE#SEGMENT TRANSFORMATION
-- edge: REF.RATING#RATING -> RISK.EXPOSURE#RATING TRANSFORMATION
-- edge: CORE.BALANCE#DRAWN -> RISK.EXPOSURE#EXPOSURE TRANSFORMATION
-- edge: CORE.CONTRACT#LIMIT_AMT -> RISK.EXPOSURE#EXPOSURE TRANSFORMATION
-- edge: CORE.BALANCE#DRAWN -> RISK.EXPOSURE#RWA TRANSFORMATION
-- edge: CORE.CONTRACT#LIMIT_AMT -> RISK.EXPOSURE#RWA TRANSFORMATION
-- edge: REF.WEIGHT#RW -> RISK.EXPOSURE#RWA TRANSFORMATION
-- edge: CORE.BALANCE#OVERDUE_DAYS -> RISK.EXPOSURE#BUCKET CONDITIONAL
-- edge: CORE.BALANCE#DRAWN -> RISK.EXPOSURE#CUST_EXPOSURE AGGREGATION
-- edge: CORE.CONTRACT#LIMIT_AMT -> RISK.EXPOSURE#CUST_EXPOSURE AGGREGATION
-- edge: CORE.CONTRACT#CUST_ID -> RISK.EXPOSURE#CUST_EXPOSURE WINDOW
-- edge: CORE.CUSTOMER#SEGMENT -> RISK.EXPOSURE#RNK WINDOW
-- edge: CORE.BALANCE#DRAWN -> RISK.EXPOSURE#RNK WINDOW
-- edge: CORE.CONTRACT#LIMIT_AMT -> RISK.EXPOSURE#RNK WINDOW
-- edge: CORE.CONTRACT#STATUS -> RISK.EXPOSURE FILTER
-- edge: CORE.BALANCE#AS_OF -> RISK.EXPOSURE FILTER
-- edge: CORE.CUSTOMER#COUNTRY -> RISK.EXPOSURE FILTER
-- edge: CORE.BALANCE#DRAWN -> RISK.EXPOSURE FILTER
-- edge: CORE.CONTRACT#LIMIT_AMT -> RISK.EXPOSURE FILTER
-- edge: CORE.CONTRACT#CONTRACT_ID -> RISK.EXPOSURE JOIN
-- edge: CORE.BALANCE#CONTRACT_ID -> RISK.EXPOSURE JOIN
-- edge: CORE.CONTRACT#CUST_ID -> RISK.EXPOSURE JOIN
-- edge: CORE.CUSTOMER#CUST_ID -> RISK.EXPOSURE JOIN
-- edge: REF.RATING#CUST_ID -> RISK.EXPOSURE JOIN
-- edge: REF.RATING#VALID_FROM -> RISK.EXPOSURE JOIN
-- edge: REF.RATING#VALID_TO -> RISK.EXPOSURE JOIN
-- edge: CORE.BALANCE#AS_OF -> RISK.EXPOSURE JOIN
-- edge: REF.RATING#RATING -> RISK.EXPOSURE JOIN
-- edge: REF.WEIGHT#RATING -> RISK.EXPOSURE JOIN
-- edge: CORE.CONTRACT#PRODUCT -> RISK.EXPOSURE JOIN
-- edge: REF.WEIGHT#PRODUCT -> RISK.EXPOSURE JOIN
-- completeness: complete

INSERT /*+ APPEND PARALLEL(8) */ INTO risk.exposure
  (contract_id, cust_id, segment, rating, exposure, rwa, bucket, cust_exposure, rnk)
WITH live AS (
  SELECT c.contract_id,
         c.cust_id,
         c.product,
         b.as_of,
         b.overdue_days,
         GREATEST(b.drawn, c.limit_amt * 0.5) AS exposure
    FROM core.contract c
    JOIN core.balance b
      ON b.contract_id = c.contract_id
   WHERE c.status = 'LIVE'
     AND b.as_of = TRUNC(SYSDATE) - 1
),
rated AS (
  SELECT l.contract_id,
         l.cust_id,
         l.product,
         l.overdue_days,
         l.exposure,
         NVL(k.segment, 'RETAIL') AS segment,
         COALESCE(r.rating, 'NR') AS rating
    FROM live l
    JOIN core.customer k
      ON k.cust_id = l.cust_id
    LEFT JOIN ref.rating r
      ON r.cust_id = l.cust_id
     AND l.as_of >= r.valid_from
     AND l.as_of < r.valid_to
   WHERE k.country <> 'XX'
)
SELECT x.contract_id,
       x.cust_id,
       x.segment,
       x.rating,
       x.exposure,
       x.exposure * w.rw,
       CASE
         WHEN x.overdue_days = 0 THEN 'CURRENT'
         WHEN x.overdue_days <= 30 THEN '1-30'
         WHEN x.overdue_days <= 90 THEN '31-90'
         ELSE '90+'
       END,
       SUM(x.exposure) OVER (PARTITION BY x.cust_id),
       DENSE_RANK() OVER (PARTITION BY x.segment ORDER BY x.exposure DESC)
  FROM rated x
  LEFT JOIN ref.weight w
    ON w.rating = x.rating
   AND w.product = x.product
 WHERE x.exposure > 0;
