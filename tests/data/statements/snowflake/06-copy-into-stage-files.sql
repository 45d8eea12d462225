-- edge: file:@raw.landing/orders/ -> RAW.ORDERS IDENTITY
-- completeness: any

copy into raw.orders
from @raw.landing/orders/
file_format = (type = 'CSV' skip_header = 1)
on_error = 'continue';
