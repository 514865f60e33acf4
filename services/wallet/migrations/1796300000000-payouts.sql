-- Payout accounts of teachers, batches of payouts, and what banks and operators report about them.

create table payout_account (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  method text not null,
  kind text not null check (kind in ('phone', 'iban', 'text')),
  account text not null,
  holder_name text not null,
  usable_at timestamptz not null,
  last_used_at timestamptz,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create unique index payout_account_same on payout_account (user_id, method, account, holder_name);
create index payout_account_signs on payout_account (account_signs(account));

-- Of a withdrawal in the old form all three are null. The account may have been deleted since.
alter table withdrawal add column payout_account_id bigint, add column account_kind text, add column holder_name text;

create table payout_batch (
  id bigint generated always as identity primary key,
  status text not null check (status in ('draft', 'approved', 'exported', 'closed', 'canceled')),
  format text not null check (format in ('csv', 'pain.001', 'provider')),
  currency text not null,
  needs_approval boolean not null,
  note text,
  find text generated always as (fold(coalesce(note, ''))) stored,
  creator_id bigint not null,
  creator_name text not null,
  approver_id bigint,
  approver_name text,
  approved_at timestamptz,
  exported_at timestamptz,
  closed_at timestamptz,
  file_name text,
  file_bytes int,
  file_sha256 text,
  -- who changed it last, by the name of that moment
  changer_name text,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index payout_batch_status on payout_batch (status, id);
create index payout_batch_find on payout_batch using gin (find gin_trgm_ops, short_parts(find));
select deny_service('delete, truncate', 'payout_batch');
select keep_tally('payout_batch', 'id >> 13 as bucket, status, utc_day(created_at) as created_at');

create table payout_item (
  id bigint generated always as identity primary key,
  batch_id bigint not null references payout_batch,
  withdrawal_id bigint not null,
  user_id bigint not null,
  -- the only thing by which results are matched
  reference text collate "C" not null generated always as ('W' || withdrawal_id || '-' || batch_id) stored,
  amount bigint not null check (amount > 0),
  method text,
  account text,
  holder_name text,
  status text not null default 'waiting'
    check (status in ('waiting', 'sent', 'paid', 'failed', 'uncertain', 'removed', 'returned')),
  provider_ref text,
  message text,
  settler_id bigint,
  settler_name text,
  settled_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
-- Decides that a withdrawal is in one open batch: as long as it may still be paid there, nothing else can pay it.
create unique index payout_item_open on payout_item (withdrawal_id) where status in ('waiting', 'sent', 'uncertain');
create unique index payout_item_reference on payout_item (reference);
create index payout_item_batch on payout_item (batch_id, status) include (amount);
create index payout_item_user on payout_item (user_id);
create index payout_item_paid on payout_item (withdrawal_id) where status = 'paid';
create index payout_item_settled on payout_item (settled_at) where settled_at is not null;
create index payout_item_uncertain on payout_item (updated_at) where status = 'uncertain';
select deny_service('delete, truncate', 'payout_item');

-- The bytes that were sent to the bank, once.
create table payout_file (
  batch_id bigint primary key references payout_batch,
  bytes bytea not null,
  created_at timestamptz not null default app_now()
);
select deny_service('update, delete, truncate', 'payout_file');

-- A report of a bank or operator about a batch, as it was read.
create table payout_import (
  id bigint generated always as identity primary key,
  batch_id bigint not null references payout_batch,
  -- when all of its lines had been applied or skipped
  applied_at timestamptz,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create table payout_result (
  import_id bigint not null references payout_import,
  line int not null,
  item_id bigint,
  verdict text not null,
  reported text,
  provider_ref text,
  message text,
  amount bigint,
  -- the break that applying it records; null: none
  break_kind text,
  -- null until it was applied
  outcome text check (outcome in ('applied', 'skipped')),
  primary key (import_id, line)
);
select deny_service('delete, truncate', 'payout_import', 'payout_result');

-- A comparison of a provider's report with the ledger: the same report is compared once.
create table reconciliation (
  id bigint generated always as identity primary key,
  sha256 text not null,
  provider text not null,
  from_day date not null,
  to_day date not null,
  rows int not null,
  matched int not null,
  breaks int not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create unique index reconciliation_same on reconciliation (sha256, provider, from_day, to_day);
select deny_service('delete, truncate', 'reconciliation');
