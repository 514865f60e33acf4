-- no transaction
-- Which payouts a provider is asked about next, and those that its webhooks are about.
drop index concurrently if exists payout_item_ask;
create index concurrently payout_item_ask on payout_item (provider, ask_at) where ask_at is not null;
drop index concurrently if exists payout_item_key;
create unique index concurrently payout_item_key on payout_item (payout_key) where payout_key is not null;
drop index concurrently if exists payout_item_provider_ref;
create index concurrently payout_item_provider_ref on payout_item (provider, provider_ref) where provider is not null;
