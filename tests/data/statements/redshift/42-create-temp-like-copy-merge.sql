-- columns: dw.t(id,v)
-- edge: s3://b:in/t/ -> dw.t#id TRANSFORMATION
-- edge: s3://b:in/t/ -> dw.t#v TRANSFORMATION
-- edge: dw.t#id -> dw.t FILTER
-- edge: s3://b:in/t/ -> dw.t FILTER
-- completeness: any

create temp table st (like dw.t including defaults);
copy st from 's3://b/in/t/' iam_role default csv gzip ignoreheader 1;
delete from dw.t using st where dw.t.id = st.id;
insert into dw.t select * from st;
