-- columns: HR.EMP_STAGE(EMP_ID, TITLE, DEPT)
-- columns: HR.EMP_DIM(EMP_ID, TITLE, DEPT, VALID_FROM, VALID_TO, IS_CURRENT)
-- edge: HR.EMP_STAGE#EMP_ID -> HR.EMP_DIM#EMP_ID IDENTITY
-- edge: HR.EMP_STAGE#TITLE -> HR.EMP_DIM#TITLE IDENTITY
-- edge: HR.EMP_STAGE#DEPT -> HR.EMP_DIM#DEPT IDENTITY
-- edge: HR.EMP_DIM#EMP_ID -> HR.EMP_DIM JOIN
-- edge: HR.EMP_STAGE#EMP_ID -> HR.EMP_DIM JOIN
-- edge: HR.EMP_DIM#IS_CURRENT -> HR.EMP_DIM JOIN
-- edge: HR.EMP_DIM#TITLE -> HR.EMP_DIM JOIN
-- edge: HR.EMP_STAGE#TITLE -> HR.EMP_DIM JOIN
-- edge: HR.EMP_DIM#DEPT -> HR.EMP_DIM JOIN
-- edge: HR.EMP_STAGE#DEPT -> HR.EMP_DIM JOIN
-- edge: HR.EMP_DIM#IS_CURRENT -> HR.EMP_DIM FILTER
-- edge: HR.EMP_DIM#TITLE -> HR.EMP_DIM FILTER
-- edge: HR.EMP_STAGE#TITLE -> HR.EMP_DIM FILTER
-- edge: HR.EMP_DIM#DEPT -> HR.EMP_DIM FILTER
-- edge: HR.EMP_STAGE#DEPT -> HR.EMP_DIM FILTER
-- completeness: complete

merge into hr.emp_dim d
using (
    select s.emp_id as merge_key, s.emp_id, s.title, s.dept
    from hr.emp_stage s
    union all
    select null as merge_key, s.emp_id, s.title, s.dept
    from hr.emp_stage s
    join hr.emp_dim c
      on c.emp_id = s.emp_id and c.is_current and (c.title <> s.title or c.dept <> s.dept)
) src
on d.emp_id = src.merge_key
when matched and d.is_current and (d.title <> src.title or d.dept <> src.dept) then
    update set valid_to = current_date(), is_current = false
when not matched then
    insert (emp_id, title, dept, valid_from, valid_to, is_current)
    values (src.emp_id, src.title, src.dept, current_date(), null, true);
