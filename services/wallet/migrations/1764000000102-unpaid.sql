-- no transaction
-- Deposits that nobody paid, oldest first.
drop index concurrently if exists deposit_unpaid;
create index concurrently deposit_unpaid on deposit (created_at) where status in ('initiated', 'pending');
