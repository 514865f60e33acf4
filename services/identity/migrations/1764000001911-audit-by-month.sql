-- no transaction
-- The audit by month. Nothing of it goes by itself; the owner may move old months out.
select partition_history('audit', 'created_at');
select partition_validate('audit');
select partition_by_time('audit', 'created_at', 'month');
