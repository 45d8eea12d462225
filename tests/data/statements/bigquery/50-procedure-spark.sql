-- completeness: any

CREATE PROCEDURE `p.d.sp`() WITH CONNECTION `p.us.c` OPTIONS (engine = 'SPARK', main_file_uri = 'gs://b/x.py') LANGUAGE PYTHON
