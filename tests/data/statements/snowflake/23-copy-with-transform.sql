-- edge: file:@raw.ext/daily/#$1 -> RAW.DAILY#ID IDENTITY
-- edge: file:@raw.ext/daily/#$2 -> RAW.DAILY#AMT TRANSFORMATION
-- edge: file:@raw.ext/daily/#METADATA$FILENAME -> RAW.DAILY#FILE_NAME IDENTITY
-- completeness: complete
-- note: the column of a staged file is called by its place

copy into raw.daily (id, amt, file_name)
from (select $1, $2::number(10,2), metadata$filename from @raw.ext/daily/)
file_format = (format_name = 'raw.csv_fmt')
pattern = '.*[.]csv';
