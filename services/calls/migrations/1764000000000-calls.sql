-- Calls, the services catalogue, and what this service keeps of others' nouns.

create table service (
  id bigint generated always as identity primary key,
  name text not null,
  iterator int not null check (iterator between 2 and 3600),
  base_cost bigint not null check (base_cost between 0 and 500000000),
  iterator_cost bigint not null check (iterator_cost between 0 and 500000000),
  deleted boolean not null default false,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create unique index service_name on service (upper(name)) where not deleted;
comment on column service.iterator is 'Length of a billing step, in seconds.';
comment on column service.base_cost is 'Added to the first step, in the smallest unit of the currency.';

create table call (
  id bigint generated always as identity primary key,
  identifier text not null unique default gen_random_uuid()::text,
  state text not null default 'ringing'
    check (state in ('ringing', 'active', 'ended', 'rejected', 'missed', 'canceled')),
  call_type text not null check (call_type in ('video', 'audio')),
  channel uuid not null,
  student_id bigint not null,
  teacher_id bigint not null,
  service_id bigint not null references service,
  plan_id bigint,
  ring_expires_at timestamptz not null,
  rtc_token text,
  rtc_token_expires_at timestamptz,
  accepting_at timestamptz,
  iterator int,
  base_cost bigint,
  iterator_cost bigint,
  commission_percent int,
  accepted_at timestamptz,
  billed_at timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('student', 'teacher', 'silence', 'exhaustion', 'ban')),
  steps_due int not null default 0,
  steps int not null default 0,
  total_cost bigint not null default 0,
  total_duration int,
  reserved bigint not null default 0,
  reserved_until timestamptz,
  settled boolean not null default false,
  lease int not null default 0,
  leased_until timestamptz,
  retry_at timestamptz,
  attempts int not null default 0,
  answer_lost_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  check (steps between 0 and steps_due),
  check (accepted_at is not null or steps_due = 0),
  check ((state in ('active', 'ended')) = (accepted_at is not null)),
  check (accepted_at is null or (iterator is not null and base_cost is not null and iterator_cost is not null
    and commission_percent is not null)),
  check (ended_at is null or accepted_at is null or ended_at >= accepted_at),
  check (state not in ('ringing', 'active') or not settled)
) with (fillfactor = 70);
comment on column call.accepting_at is 'Intent: a teacher accepted and wallet was asked for the hold; the prices are fixed from here on.';
comment on column call.steps_due is 'Intent: steps that must be charged; those above `steps` are asked of wallet again until it answers.';
comment on column call.reserved is 'What wallet holds for the next step, as last heard.';
comment on column call.settled is 'Nothing is left to ask of wallet.';
comment on column call.lease is 'Who speaks with wallet about this call until leased_until; a technical time, by the server''s clock.';
create unique index call_live_student on call (student_id) where state in ('ringing', 'active');
create unique index call_live_teacher on call (teacher_id) where state in ('ringing', 'active');
create index call_open on call (id) where not settled;
create index call_of_student on call (student_id, id);
create index call_of_teacher on call (teacher_id, id);
create index call_channel on call (channel);
create index call_service on call (service_id);

create table teacher_tally (
  teacher_id bigint primary key,
  accepted bigint not null default 0,
  seconds bigint not null default 0
);
comment on table teacher_tally is 'Accepted calls and their seconds: a sum over teachers is the dashboard''s figure.';

create table user_copy (
  id bigint primary key,
  platform text not null,
  status text not null,
  deleted boolean not null,
  name text not null,
  photo text not null,
  plan_id bigint,
  domains text[] not null,
  experience int not null,
  availability text not null,
  bio text,
  verified boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version bigint not null
);
create table plan_copy (
  id bigint primary key,
  name text not null,
  points bigint not null,
  image_cost bigint not null,
  deleted boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version bigint not null
);
create table setting_copy (name text primary key, value bigint not null, version bigint not null);
create table room_copy (uuid uuid primary key);
comment on table room_copy is 'Rooms that exist without a call: what tells an unknown room from a foreign one.';

do $$
declare service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke delete, truncate on call, service from %I', service_role);
  end if;
end $$;
