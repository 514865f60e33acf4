-- no transaction
-- For the registrations of a day.
drop index concurrently if exists account_created;
create index concurrently account_created on account (created_at, platform);
