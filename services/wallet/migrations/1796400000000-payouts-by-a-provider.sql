-- Payouts that are sent to a payment provider.

alter table payout_item
  add column provider text,
  -- random, kept before the provider is called
  add column payout_key text,
  -- when the call that sends it began: from then on the provider is only asked
  add column sending_at timestamptz,
  -- when the provider is called next; null: never again
  add column ask_at timestamptz;

-- A batch that is sent has no file; the previous release would write one.
alter table payout_batch add constraint payout_batch_sent check (format <> 'provider' or file_name is null) not valid;
