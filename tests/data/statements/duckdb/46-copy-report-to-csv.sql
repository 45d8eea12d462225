-- columns: lib.loan(loan_id, book_id, member, due, returned)
-- columns: lib.book(book_id, title)
-- edge: lib.book#title -> file:out/overdue.csv#title IDENTITY
-- edge: lib.loan#member -> file:out/overdue.csv#member IDENTITY
-- edge: lib.loan#due -> file:out/overdue.csv#days_late TRANSFORMATION
-- edge: lib.loan#book_id -> file:out/overdue.csv JOIN
-- edge: lib.book#book_id -> file:out/overdue.csv JOIN
-- edge: lib.loan#returned -> file:out/overdue.csv FILTER
-- edge: lib.loan#due -> file:out/overdue.csv FILTER
-- edge: lib.loan#due -> file:out/overdue.csv SORT
-- completeness: complete

COPY (
    SELECT b.title, l.member, date_diff('day', l.due, current_date) AS days_late
    FROM lib.loan l
    JOIN lib.book b ON b.book_id = l.book_id
    WHERE l.returned IS NULL AND l.due < current_date
    ORDER BY l.due
) TO 'out/overdue.csv' (HEADER, DELIMITER ',');
