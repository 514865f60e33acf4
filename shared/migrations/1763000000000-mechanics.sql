-- The tables that every service has: outbox, inbox, dead letters, idempotency keys, and the clock.

create table app_clock (
  only_row boolean primary key default true check (only_row),
  shift interval not null
);
comment on table app_clock is 'Empty but in tests, where the owner may shift app_now(); the service''s role only reads it.';

create function app_now() returns timestamptz language sql volatile parallel safe
as $$ select clock_timestamp() + coalesce((select shift from app_clock), interval '0') $$;
comment on function app_now is 'The time that decides anything: read it after taking the lock.';

create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null default uuidv7(),
  subject text not null,
  name text not null,
  aggregate_id text not null,
  aggregate_version bigint not null,
  data jsonb not null,
  context jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz
);
create index outbox_unsent on outbox (id) where sent_at is null;
create index outbox_sent on outbox (sent_at) where sent_at is not null;
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02);

create table inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
create index inbox_received on inbox (received_at);

create table dead_letter (
  id bigint generated always as identity primary key,
  consumer text not null,
  event_id uuid not null,
  name text not null,
  message jsonb not null,
  error text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (consumer, event_id)
);

create table idempotency_key (
  caller text not null,
  scope text not null,
  key text not null,
  fingerprint text not null,
  status int,
  response jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (caller, scope, key)
);
create index idempotency_key_created on idempotency_key (created_at);

do $$
declare service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke insert, update, delete, truncate on app_clock, migrations from %I', service_role);
  end if;
end $$;
