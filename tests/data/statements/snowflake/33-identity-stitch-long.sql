-- columns: RAW.PAGE(ANON_ID, USER_ID, TS, PROPS)
-- columns: RAW.IDENT(ANON_ID, USER_ID, AT)
-- edge: RAW.PAGE#USER_ID -> MART.STITCHED#PERSON TRANSFORMATION
-- edge: RAW.IDENT#USER_ID -> MART.STITCHED#PERSON TRANSFORMATION
-- edge: RAW.PAGE#ANON_ID -> MART.STITCHED#PERSON TRANSFORMATION
-- edge: RAW.PAGE#PROPS -> MART.STITCHED#CAMPAIGN TRANSFORMATION
-- edge: RAW.PAGE#TS -> MART.STITCHED#VIEWS AGGREGATION
-- edge: RAW.PAGE#TS -> MART.STITCHED#FIRST_SEEN AGGREGATION
-- edge: RAW.PAGE#PROPS -> MART.STITCHED#LAST_URL AGGREGATION
-- edge: RAW.PAGE#TS -> MART.STITCHED#LAST_URL SORT
-- edge: RAW.IDENT#USER_ID -> MART.STITCHED#IS_KNOWN CONDITIONAL
-- edge: RAW.PAGE#USER_ID -> MART.STITCHED#IS_KNOWN CONDITIONAL
-- edge: RAW.PAGE#TS -> MART.STITCHED FILTER
-- edge: RAW.IDENT#ANON_ID -> MART.STITCHED FILTER
-- edge: RAW.IDENT#AT -> MART.STITCHED FILTER
-- edge: RAW.PAGE#PROPS -> MART.STITCHED FILTER
-- edge: RAW.PAGE#ANON_ID -> MART.STITCHED JOIN
-- edge: RAW.IDENT#ANON_ID -> MART.STITCHED JOIN
-- edge: RAW.PAGE#USER_ID -> MART.STITCHED GROUP_BY
-- edge: RAW.IDENT#USER_ID -> MART.STITCHED GROUP_BY
-- edge: RAW.PAGE#ANON_ID -> MART.STITCHED GROUP_BY
-- edge: RAW.PAGE#PROPS -> MART.STITCHED GROUP_BY
-- completeness: complete

create or replace transient table mart.stitched as
with map as (
    select anon_id, user_id
    from raw.ident
    qualify row_number() over (partition by anon_id order by at desc) = 1
),
views as (
    select p.anon_id,
           p.user_id,
           p.ts,
           p.props:url::string as url,
           lower(p.props:utm.campaign::string) as campaign
    from raw.page p
    where p.ts >= dateadd('day', -30, current_date)
      and p.props:bot::boolean is distinct from true
),
joined as (
    select coalesce(v.user_id, m.user_id, v.anon_id) as person,
           case when coalesce(v.user_id, m.user_id) is not null then 1 else 0 end as is_known,
           v.campaign, v.ts, v.url
    from views v
    left join map m on m.anon_id = v.anon_id
)
select person, campaign,
       count(ts) as views,
       min(ts) as first_seen,
       array_agg(url) within group (order by ts desc)[0]::string as last_url,
       max(is_known) as is_known
from joined
group by person, campaign;
