-- Differences between the ledger and a payment provider, for an administrator to look into. A break never moves money.
create table break (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('only_ours', 'only_theirs', 'amount', 'status', 'returned', 'over_limit')),
  provider text not null,
  reference text collate "C" not null,
  -- what each side says: a status or a description
  ours text,
  theirs text,
  amount_ours bigint,
  amount_theirs bigint,
  status text not null default 'open' check (status in ('open', 'resolved')),
  note text not null default '',
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
-- The same break is recorded once while it is open.
create unique index break_open on break (kind, provider, reference) where status = 'open';
create index break_status on break (status, id);
create index break_kind on break (kind, id);
create index break_find on break using gin
  (fold(reference || ' ' || note) gin_trgm_ops, short_parts(fold(reference || ' ' || note)));
select deny_service('delete, truncate', 'break');
select keep_tally('break', 'id >> 13 as bucket, kind, status, utc_day(created_at) as created_at');
