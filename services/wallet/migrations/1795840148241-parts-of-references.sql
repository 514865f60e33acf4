-- The parts of a reference or source as columns. They are computed when they are read: also for the rows of other releases,
-- and without rewriting a table. A part that is not well-formed is null.

alter table transfer
  add column call_identifier text collate "C" generated always as (
    case when starts_with(reference, 'call:') then nullif(split_part(reference, ':', 2), '') end) virtual,
  add column deposit_id bigint generated always as (
    case when starts_with(reference, 'deposit:') and split_part(reference, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(reference, ':', 2)::bigint end) virtual,
  add column withdrawal_id bigint generated always as (
    case when starts_with(reference, 'withdrawal:') and split_part(reference, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(reference, ':', 2)::bigint end) virtual,
  add column number int generated always as (
    case when split_part(reference, ':', -1) ~ '^[0-9]{1,9}$' then split_part(reference, ':', -1)::int end) virtual;
comment on column transfer.number is
  'Of `call:{call_identifier}:step:{number}` and `call:{call_identifier}:refund:{number}`, `deposit:{deposit_id}:{number}`, `withdrawal:{withdrawal_id}:{number}` and `forfeit:{user}:{number}`.';

alter table hold
  add column call_identifier text collate "C" generated always as (
    case when starts_with(reference, 'call:') then nullif(split_part(reference, ':', 2), '') end) virtual,
  add column withdrawal_id bigint generated always as (
    case when starts_with(reference, 'withdrawal:') and split_part(reference, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(reference, ':', 2)::bigint end) virtual,
  add column number int generated always as (
    case when split_part(reference, ':', 4) ~ '^[0-9]{1,9}$' then split_part(reference, ':', 4)::int end) virtual;
comment on column hold.number is 'Of `withdrawal:{withdrawal_id}:hold:{number}`; null for `call:{call_identifier}`.';

alter table payment
  add column call_identifier text collate "C" generated always as (
    case when starts_with(source, 'call:') then nullif(split_part(source, ':', 2), '') end) virtual,
  add column deposit_id bigint generated always as (
    case when starts_with(source, 'deposit:') and split_part(source, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(source, ':', 2)::bigint end) virtual,
  add column withdrawal_id bigint generated always as (
    case when starts_with(source, 'withdrawal:') and split_part(source, ':', 2) ~ '^[1-9][0-9]{0,17}$'
      then split_part(source, ':', 2)::bigint end) virtual,
  add column number int generated always as (
    case when split_part(source, ':', 4) ~ '^[0-9]{1,9}$' then split_part(source, ':', 4)::int end) virtual;
comment on column payment.number is
  'Of `call:{call_identifier}:refund:{number}`; null for `call:{call_identifier}`, `deposit:{deposit_id}` and `withdrawal:{withdrawal_id}`.';
