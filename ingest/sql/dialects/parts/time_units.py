"""The words that name a unit or a part of a time, in any engine: in the place of a unit they are no columns."""

from __future__ import annotations

from typing import Final

from ingest.sql.words import words

#: Words that may also be the value of a name that no source has.
DATE_PARTS: Final = words(
    """year quarter month week day hour minute second millisecond microsecond nanosecond dayofweek dayofyear isoweek
    isoyear date time datetime doy dow epoch decade century yy mm dd hh mi ss ms"""
)
UNITS: Final = DATE_PARTS | words(
    """y yyy yyyy yr yrs years q qq qtr qtrs quarters m mon mons months w wk ww wy woy weeks weekofyear weekofyeariso
    weekofyear_iso weekiso week_iso isowk isoww iso_week yearofweek yearofweekiso d days dayofmonth dayofweekiso
    dayofweek_iso weekday weekday_iso dow_iso dw dw_iso yearday dy h hr hrs hours n min mins minutes s sec secs seconds
    msec msecs milliseconds us usec usecs mcs microsec microsecs microseconds ns nsec nsecs nanosec nanosecs nsecond
    nseconds nanoseconds decades centuries millennium millennia epoch_second epoch_seconds epoch_millisecond
    epoch_milliseconds epoch_microsecond epoch_microseconds epoch_nanosecond epoch_nanoseconds timezone timezone_hour
    timezone_minute timezone_region timezone_abbr tz tzh tzm tzoffset iyyy iw cc scc syyyy ddd julian ordinal
    year_month day_hour day_minute day_second day_microsecond hour_minute hour_second hour_microsecond minute_second
    minute_microsecond second_microsecond sql_tsi_frac_second sql_tsi_microsecond sql_tsi_second sql_tsi_minute
    sql_tsi_hour sql_tsi_day sql_tsi_week sql_tsi_month sql_tsi_quarter sql_tsi_year"""
)
