-- Money that providers take back from deposits: disputes, refunds made at the provider, and refunds that students ask for.

-- What providers took back and students no longer had, less what students have paid back.
insert into system_account (id, name) values (-4, 'platform:losses');

create table dispute (
  id bigint generated always as identity primary key,
  deposit_id bigint not null references deposit,
  user_id bigint not null,
  provider text not null,
  -- the provider's own id of it
  provider_ref text collate "C" not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text not null,
  status text not null check (status in ('inquiry', 'needs_response', 'under_review', 'won', 'lost')),
  evidence_due_at timestamptz,
  -- taken from the student; the rest of the amount is the platform's loss, of which the student owes `owed`
  taken bigint not null default 0 check (taken >= 0),
  owed bigint not null default 0 check (owed >= 0),
  recovered bigint not null default 0 check (recovered >= 0),
  written_off bigint not null default 0 check (written_off >= 0),
  -- its transfers are dispute:{id}:1 to dispute:{id}:{entries}
  entries int not null default 0,
  taken_at timestamptz,
  returned_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint dispute_ref unique (provider, provider_ref)
);
create index dispute_deposit on dispute (deposit_id);
create index dispute_user on dispute (user_id, id);
create index dispute_status on dispute (status, id);
create index dispute_owed on dispute (user_id) where owed > 0;
create index dispute_created on dispute (created_at);
create index dispute_find on dispute using gin
  (fold(provider_ref || ' ' || reason) gin_trgm_ops, short_parts(fold(provider_ref || ' ' || reason)));

-- What happened to a dispute, in order.
create table dispute_step (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute,
  event text not null,
  at timestamptz not null default app_now()
);
create index dispute_step_dispute on dispute_step (dispute_id, id);

create table deposit_refund (
  id bigint generated always as identity primary key,
  deposit_id bigint not null references deposit,
  user_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('requested', 'sent', 'success', 'failed', 'canceled', 'rejected')),
  ref text,
  details text,
  provider text not null,
  -- random; the idempotency key at the provider, which returns it with the refund
  refund_key text not null,
  sent_at timestamptz,
  -- when the provider is next asked about it; null: never again
  ask_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index deposit_refund_deposit on deposit_refund (deposit_id);
create index deposit_refund_user on deposit_refund (user_id, id);
create index deposit_refund_status on deposit_refund (status, id) include (created_at);
create index deposit_refund_created on deposit_refund (created_at);
create index deposit_refund_ask on deposit_refund (provider, ask_at) where ask_at is not null;
create index deposit_refund_find on deposit_refund using gin
  (fold(coalesce(ref, '') || ' ' || coalesce(details, '')) gin_trgm_ops,
   short_parts(fold(coalesce(ref, '') || ' ' || coalesce(details, ''))));

select deny_service('delete, truncate', 'dispute', 'deposit_refund');
select deny_service('update, delete, truncate', 'dispute_step');
select keep_tally('dispute', 'id >> 13 as bucket, status, utc_day(created_at) as created_at', 'owed');
select keep_tally('deposit_refund', 'id >> 13 as bucket, status, utc_day(created_at) as created_at', 'amount');

-- The parts of the new references, computed when they are read.
alter table transfer
  add column dispute_id bigint generated always as (
    case when starts_with(reference, 'dispute:') and split_part(reference, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(reference, ':', 2)::bigint end) virtual,
  add column refund_id bigint generated always as (
    case when starts_with(reference, 'deposit-refund:') and split_part(reference, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(reference, ':', 2)::bigint end) virtual;
alter table hold
  add column refund_id bigint generated always as (
    case when starts_with(reference, 'deposit-refund:') and split_part(reference, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(reference, ':', 2)::bigint end) virtual;
alter table payment
  add column dispute_id bigint generated always as (
    case when starts_with(source, 'dispute:') and split_part(source, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(source, ':', 2)::bigint end) virtual,
  add column refund_id bigint generated always as (
    case when starts_with(source, 'deposit-refund:') and split_part(source, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(source, ':', 2)::bigint end) virtual;
