-- Deposits, withdrawals, what payment lists show, and the copies of other services' facts.

create function fold(_text text) returns text language sql immutable parallel safe
as $$ select lower(public.unaccent('public.unaccent', coalesce(_text, ''))) $$;
comment on function fold is 'Case and accents gone: what filter_value compares.';

create table deposit (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('initiated', 'pending', 'success', 'failed', 'canceled')),
  method text,
  ref text,
  details text,
  provider text not null,
  -- the provider's own id of it
  provider_ref text,
  -- how often it entered success: each time posted deposit:{id}:{entries}
  entries int not null default 0,
  -- when the provider first said that it was paid: it is paid once, whatever else it says later
  paid_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index deposit_user on deposit (user_id, id);
create index deposit_status on deposit (status, id) include (amount);
create index deposit_created on deposit (created_at);
create index deposit_text on deposit using gin
  (fold(coalesce(ref, '') || ' ' || coalesce(details, '') || ' ' || coalesce(method, '')) gin_trgm_ops);

create table withdrawal (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('initiated', 'pending', 'success', 'failed', 'canceled')),
  method text,
  account text,
  ref text,
  details text,
  -- how often it held money (withdrawal:{id}:hold:{holds}) and how often it entered success (withdrawal:{id}:{entries})
  holds int not null default 0,
  entries int not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index withdrawal_user on withdrawal (user_id, id);
create index withdrawal_status on withdrawal (status, id) include (amount);
create index withdrawal_created on withdrawal (created_at);
create index withdrawal_text on withdrawal using gin
  (fold(coalesce(ref, '') || ' ' || coalesce(details, '') || ' ' || coalesce(method, '')) gin_trgm_ops);

-- One row per deposit, withdrawal and refund side, and one per participant of a call that grows with every charge.
create table payment (
  id bigint generated always as identity primary key,
  -- `deposit:12`, `call:<identifier>`, `call:<identifier>:refund:1`
  source text collate "C" not null,
  user_id bigint not null,
  type text not null check (type in ('deposit', 'withdrawal', 'call', 'refund')),
  direction text not null check (direction in ('in', 'out')),
  amount bigint not null check (amount >= 0),
  currency text not null,
  status text not null check (status in ('initiated', 'pending', 'success', 'failed', 'canceled')),
  method text,
  ref text,
  details text,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint payment_source unique (source, user_id)
-- half empty pages: a call's payments grow with every step, and stay on their page without touching an index
) with (fillfactor = 50);
create index payment_user on payment (user_id, id);
create index payment_status on payment (status, id);
create index payment_created on payment (created_at);
create index payment_text on payment using gin
  (fold(coalesce(ref, '') || ' ' || coalesce(details, '') || ' ' || coalesce(method, '')) gin_trgm_ops);

-- Every event of a payment provider, once.
create table webhook_event (
  provider text not null,
  event_id text not null,
  type text not null,
  deposit_id bigint,
  received_at timestamptz not null default app_now(),
  primary key (provider, event_id)
);

create table user_copy (
  id bigint primary key,
  platform text not null,
  status text not null,
  deleted boolean not null,
  name text not null,
  email text not null,
  phone_number text not null,
  version bigint not null
);
create index user_copy_text on user_copy using gin (fold(name || ' ' || email || ' ' || phone_number) gin_trgm_ops);

create table setting_copy (
  name text primary key,
  value bigint not null,
  version bigint not null
);

-- History: the service writes and reads it, and can never change it.
do $$
declare service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke update, delete, truncate on transfer, webhook_event from %I', service_role);
    execute format('revoke insert, update, delete, truncate on system_account from %I', service_role);
    execute format('revoke delete, truncate on account, hold, deposit, withdrawal, payment from %I', service_role);
  end if;
end $$;
