-- no transaction
-- Counts the rows of before, beside writers; the indexes find the rare ones among many.
select fill_tally('account', 'deleted_at');
select fill_tally('audit');
drop index concurrently if exists account_listed;
create index concurrently account_listed on account (status, platform, verified, id) where deleted_at is null;
drop index concurrently if exists audit_admin;
create index concurrently audit_admin on audit (admin_id, id);
