-- What people are shown of a call beside its row.

create table low_balance (
  call_id bigint not null references call,
  at timestamptz not null,
  primary key (call_id, at)
);
comment on table low_balance is 'When the student of a call was told that its next step is not covered.';

create table refunds_copy (
  identifier text primary key,
  refunded bigint not null,
  version bigint not null
);
comment on table refunds_copy is 'What wallet has given back of a call; without a row, nothing.';
