-- no transaction
-- Counts the rows of before, beside writers.
select fill_tally('deposit');
select fill_tally('withdrawal');
select fill_tally('payment');
