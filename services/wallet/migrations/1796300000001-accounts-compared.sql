-- no transaction
-- Withdrawals of different people to the same payout account, and open ones to a stored account.
drop index concurrently if exists withdrawal_signs;
create index concurrently withdrawal_signs on withdrawal (account_signs(account)) where account is not null;
drop index concurrently if exists withdrawal_payout_account;
create index concurrently withdrawal_payout_account on withdrawal (payout_account_id) where payout_account_id is not null;
drop index concurrently if exists deposit_provider_ref;
create index concurrently deposit_provider_ref on deposit (provider, provider_ref) where provider_ref is not null;
