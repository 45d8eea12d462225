-- completeness: any

SELECT d.refresh_totals(current_date)
