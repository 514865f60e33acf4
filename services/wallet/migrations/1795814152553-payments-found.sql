-- no transaction
-- Which deposits the provider is asked about next.
drop index concurrently if exists deposit_ask;
create index concurrently deposit_ask on deposit (provider, ask_at) where ask_at is not null;
-- Withdrawals by the administrator who claimed them, and by payout account.
drop index concurrently if exists withdrawal_claimer;
create index concurrently withdrawal_claimer on withdrawal (claimer_id, id) where claimer_id is not null;
drop index concurrently if exists withdrawal_account;
create index concurrently withdrawal_account on withdrawal using gin (account_signs(account) gin_trgm_ops);
