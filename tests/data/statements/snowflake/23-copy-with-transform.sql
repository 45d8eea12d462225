-- edge: file:@raw.ext/daily/ -> RAW.DAILY TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

copy into raw.daily (id, amt, file_name)
from (select $1, $2::number(10,2), metadata$filename from @raw.ext/daily/)
file_format = (format_name = 'raw.csv_fmt')
pattern = '.*[.]csv';
