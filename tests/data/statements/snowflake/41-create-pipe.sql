-- edge: file:@raw.st/ev/ -> RAW.EV TRANSFORMATION
-- completeness: any

create or replace pipe raw.p auto_ingest = true as copy into raw.ev from @raw.st/ev/ file_format = (type = json);
