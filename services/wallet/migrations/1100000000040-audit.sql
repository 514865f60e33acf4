-- The audit goes over the ledger in steps of a fixed size. What it has seen stands here; transfers are still the truth.

-- Checkpoints: every transfer belongs to one block, by its id. Each is sealed by the one before it.
create table audit_block (
  block bigint primary key check (block > 0),
  -- transfers with after_id < id <= up_to_id
  after_id bigint not null,
  up_to_id bigint not null,
  transfers bigint not null,
  amount numeric not null,
  -- of this block and all before it
  total_transfers bigint not null,
  total_amount numeric not null,
  digest text not null,
  chain text not null
);
comment on column audit_block.digest is 'SHA-256 of the rows.';
comment on column audit_block.chain is 'SHA-256 of the chain of the block before and of everything here.';

-- The sum of a user's transfers up to an id, so that a balance is checked without reading them all.
create table audit_account (
  user_id bigint primary key,
  up_to_id bigint not null,
  balance bigint not null
) with (fillfactor = 50);

-- How far each walk of the audit has got.
create table audit_walk (
  name text primary key,
  cursor jsonb not null,
  began_at timestamptz not null default clock_timestamp(),
  round_began_at timestamptz not null default clock_timestamp(),
  sound_at timestamptz
);
comment on column audit_walk.began_at is 'When this walk set out for the first time.';
comment on column audit_walk.sound_at is 'Everything on the way has been checked since then; null during the first round.';

-- What does not add up now; checked again until it does.
create table audit_finding (
  kind text not null,
  key text not null,
  "check" text not null,
  subject text not null,
  expected text not null,
  found text not null,
  found_at timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  primary key (kind, key, "check", subject)
);

select deny_service('delete, truncate', 'audit_block', 'audit_account');
