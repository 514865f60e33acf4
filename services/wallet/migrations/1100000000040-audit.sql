-- What the audit of the ledger has sealed, checked and found; transfers are still the truth.

-- Every settled transfer belongs to one block, by its id. A block is written once, and each seals all before it.
create table audit_block (
  block bigint primary key check (block > 0),
  -- its transfers have ids above those of the block before
  up_to_id bigint not null,
  -- of this block and all before it
  transfers bigint not null,
  amount numeric not null,
  chain text not null
);
comment on column audit_block.chain is 'SHA-256 of the chain of the block before, of up_to_id and of the rows.';

-- The sum of a user's sealed transfers, so that a balance is checked without reading them all.
create table audit_account (
  user_id bigint primary key,
  balance bigint not null
) with (fillfactor = 50);

create table audit_mark (
  only_row boolean primary key default true check (only_row),
  -- the newest block, known in a second place
  block bigint not null,
  chain text not null,
  -- the accounts of all transfers up to here were compared
  compared_to bigint not null,
  -- when a replica audits new transfers again
  due_at timestamptz not null default '-infinity',
  -- when nothing new was left
  audited_at timestamptz
);
insert into audit_mark (block, chain, compared_to) values (0, '', 0);

-- The audit of the whole ledger, every night.
create table audit_whole (
  only_row boolean primary key default true check (only_row),
  known_at timestamptz not null default clock_timestamp(),
  -- when the last one that was finished began
  checked_at timestamptz,
  claimed_until timestamptz not null default '-infinity'
);
insert into audit_whole default values;

-- What does not add up; a whole audit removes what it does not see any more.
create table audit_finding (
  "check" text not null,
  subject text not null,
  expected text not null,
  found text not null,
  found_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  primary key ("check", subject)
);

select deny_service('update, delete, truncate', 'audit_block');
select deny_service('delete, truncate', 'audit_account', 'audit_mark', 'audit_whole');
