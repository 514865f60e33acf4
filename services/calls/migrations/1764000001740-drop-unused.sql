-- The last release counts calls by their day in `tally`.
drop table call_day;
