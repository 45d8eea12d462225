-- edge: file:@raw.landing/orders/ -> RAW.ORDERS TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

copy into raw.orders
from @raw.landing/orders/
file_format = (type = 'CSV' skip_header = 1)
on_error = 'continue';
