-- columns: dw.card(card_no, spend_30d, last_use)
-- edge: dw.card_txn#amt -> dw.card#spend_30d AGGREGATION
-- edge: dw.card_txn#txn_ts -> dw.card#last_use AGGREGATION
-- edge: dw.card#card_no -> dw.card FILTER
-- edge: dw.card_txn#card_no -> dw.card FILTER
-- edge: dw.card_txn#txn_ts -> dw.card FILTER
-- edge: dw.card_txn#card_no -> dw.card GROUP_BY
-- completeness: complete

UPDATE dw.card
FROM (
    SELECT card_no, SUM(amt) AS spend, MAX(txn_ts) AS last_ts
    FROM dw.card_txn
    WHERE txn_ts > CURRENT_DATE - 30
    GROUP BY card_no
) x
SET spend_30d = x.spend, last_use = x.last_ts
WHERE dw.card.card_no = x.card_no;
