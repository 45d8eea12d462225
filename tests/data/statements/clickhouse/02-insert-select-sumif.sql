-- columns: mart.user_stat(uid, paid, refunded, last_order)
-- edge: raw.orders#uid -> mart.user_stat#uid IDENTITY
-- edge: raw.orders#amount -> mart.user_stat#paid AGGREGATION
-- edge: raw.orders#status -> mart.user_stat#paid CONDITIONAL
-- edge: raw.orders#amount -> mart.user_stat#refunded AGGREGATION
-- edge: raw.orders#status -> mart.user_stat#refunded CONDITIONAL
-- edge: raw.orders#created -> mart.user_stat#last_order AGGREGATION
-- edge: raw.orders#uid -> mart.user_stat GROUP_BY
-- completeness: any

INSERT INTO mart.user_stat
SELECT uid,
       sumIf(amount, status = 'paid'),
       sumIf(amount, status = 'refund'),
       max(created)
FROM raw.orders
GROUP BY uid;
