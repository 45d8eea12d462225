-- columns: BILLING.INVOICE(INVOICE_ID, ACCOUNT_ID, ISSUED_AT, STATUS, CURRENCY)
-- columns: BILLING.INVOICE_LINE(INVOICE_ID, LINE_NO, PRODUCT_ID, QTY, UNIT_PRICE, DISCOUNT)
-- columns: DIM.PRODUCT(PRODUCT_ID, FAMILY, IS_RECURRING)
-- columns: CRM.ACCOUNT(ACCOUNT_ID, NAME, INDUSTRY, OWNER_ID, DELETED)
-- columns: CRM.OWNER(OWNER_ID, REGION)
-- edge: CRM.OWNER#REGION -> MART.ARR_BY_REGION#REGION TRANSFORMATION
-- edge: DIM.PRODUCT#FAMILY -> MART.ARR_BY_REGION#FAMILY IDENTITY
-- edge: BILLING.INVOICE#ISSUED_AT -> MART.ARR_BY_REGION#MONTH TRANSFORMATION
-- edge: BILLING.INVOICE#ACCOUNT_ID -> MART.ARR_BY_REGION#ACCOUNTS AGGREGATION
-- edge: BILLING.INVOICE_LINE#QTY -> MART.ARR_BY_REGION#NET AGGREGATION
-- edge: BILLING.INVOICE_LINE#UNIT_PRICE -> MART.ARR_BY_REGION#NET AGGREGATION
-- edge: BILLING.INVOICE_LINE#DISCOUNT -> MART.ARR_BY_REGION#NET AGGREGATION
-- edge: BILLING.INVOICE_LINE#QTY -> MART.ARR_BY_REGION#RECURRING AGGREGATION
-- edge: BILLING.INVOICE_LINE#UNIT_PRICE -> MART.ARR_BY_REGION#RECURRING AGGREGATION
-- edge: BILLING.INVOICE_LINE#DISCOUNT -> MART.ARR_BY_REGION#RECURRING AGGREGATION
-- edge: DIM.PRODUCT#IS_RECURRING -> MART.ARR_BY_REGION#RECURRING CONDITIONAL
-- edge: BILLING.INVOICE_LINE#QTY -> MART.ARR_BY_REGION#PREV_NET AGGREGATION
-- edge: BILLING.INVOICE_LINE#UNIT_PRICE -> MART.ARR_BY_REGION#PREV_NET AGGREGATION
-- edge: BILLING.INVOICE_LINE#DISCOUNT -> MART.ARR_BY_REGION#PREV_NET AGGREGATION
-- edge: CRM.OWNER#REGION -> MART.ARR_BY_REGION#PREV_NET WINDOW
-- edge: DIM.PRODUCT#FAMILY -> MART.ARR_BY_REGION#PREV_NET WINDOW
-- edge: BILLING.INVOICE#ISSUED_AT -> MART.ARR_BY_REGION#PREV_NET WINDOW
-- edge: BILLING.INVOICE_LINE#QTY -> MART.ARR_BY_REGION#GROWTH AGGREGATION
-- edge: BILLING.INVOICE_LINE#UNIT_PRICE -> MART.ARR_BY_REGION#GROWTH AGGREGATION
-- edge: BILLING.INVOICE_LINE#DISCOUNT -> MART.ARR_BY_REGION#GROWTH AGGREGATION
-- edge: CRM.OWNER#REGION -> MART.ARR_BY_REGION#GROWTH WINDOW
-- edge: DIM.PRODUCT#FAMILY -> MART.ARR_BY_REGION#GROWTH WINDOW
-- edge: BILLING.INVOICE#ISSUED_AT -> MART.ARR_BY_REGION#GROWTH WINDOW
-- edge: BILLING.INVOICE#ISSUED_AT -> MART.ARR_BY_REGION#RK WINDOW
-- edge: BILLING.INVOICE_LINE#QTY -> MART.ARR_BY_REGION#RK WINDOW
-- edge: BILLING.INVOICE_LINE#UNIT_PRICE -> MART.ARR_BY_REGION#RK WINDOW
-- edge: BILLING.INVOICE_LINE#DISCOUNT -> MART.ARR_BY_REGION#RK WINDOW
-- edge: BILLING.INVOICE#STATUS -> MART.ARR_BY_REGION FILTER
-- edge: CRM.ACCOUNT#DELETED -> MART.ARR_BY_REGION FILTER
-- edge: BILLING.INVOICE#ISSUED_AT -> MART.ARR_BY_REGION FILTER
-- edge: BILLING.INVOICE_LINE#QTY -> MART.ARR_BY_REGION FILTER
-- edge: BILLING.INVOICE_LINE#UNIT_PRICE -> MART.ARR_BY_REGION FILTER
-- edge: BILLING.INVOICE_LINE#DISCOUNT -> MART.ARR_BY_REGION FILTER
-- edge: BILLING.INVOICE#INVOICE_ID -> MART.ARR_BY_REGION JOIN
-- edge: BILLING.INVOICE_LINE#INVOICE_ID -> MART.ARR_BY_REGION JOIN
-- edge: BILLING.INVOICE_LINE#PRODUCT_ID -> MART.ARR_BY_REGION JOIN
-- edge: DIM.PRODUCT#PRODUCT_ID -> MART.ARR_BY_REGION JOIN
-- edge: BILLING.INVOICE#ACCOUNT_ID -> MART.ARR_BY_REGION JOIN
-- edge: CRM.ACCOUNT#ACCOUNT_ID -> MART.ARR_BY_REGION JOIN
-- edge: CRM.ACCOUNT#OWNER_ID -> MART.ARR_BY_REGION JOIN
-- edge: CRM.OWNER#OWNER_ID -> MART.ARR_BY_REGION JOIN
-- edge: CRM.OWNER#REGION -> MART.ARR_BY_REGION GROUP_BY
-- edge: DIM.PRODUCT#FAMILY -> MART.ARR_BY_REGION GROUP_BY
-- edge: BILLING.INVOICE#ISSUED_AT -> MART.ARR_BY_REGION GROUP_BY
-- completeness: complete

create or replace table mart.arr_by_region as
with lines as (
    select
        i.account_id,
        date_trunc('month', i.issued_at) as month,
        p.family,
        p.is_recurring,
        l.qty * l.unit_price - coalesce(l.discount, 0) as net
    from billing.invoice i
    join billing.invoice_line l
      on l.invoice_id = i.invoice_id
    join dim.product p
      on p.product_id = l.product_id
    where i.status = 'PAID'
),
placed as (
    select
        x.month,
        x.family,
        x.is_recurring,
        x.net,
        x.account_id,
        nvl(o.region, 'unknown') as region
    from lines x
    join crm.account a
      on a.account_id = x.account_id
    left join crm.owner o
      on o.owner_id = a.owner_id
    where not a.deleted
),
monthly as (
    select
        region,
        family,
        month,
        count(distinct account_id) as accounts,
        sum(net) as net,
        sum(case when is_recurring then net else 0 end) as recurring
    from placed
    group by region, family, month
    having sum(net) > 0
)
select
    region,
    family,
    month,
    accounts,
    net,
    recurring,
    lag(net) over (partition by region, family order by month) as prev_net,
    net - lag(net) over (partition by region, family order by month) as growth,
    rank() over (partition by month order by net desc) as rk
from monthly
where month >= '2024-01-01';
