-- completeness: any
-- edge: s3://b:events/#* -> bronze.events#* IDENTITY
-- edge: s3://b:events/#_metadata.file_path -> bronze.events#src IDENTITY

COPY INTO bronze.events FROM (SELECT *, _metadata.file_path AS src FROM 's3://b/events/') FILEFORMAT = JSON COPY_OPTIONS ('mergeSchema' = 'true')
