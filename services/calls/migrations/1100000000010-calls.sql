-- The call services with their prices, the calls, and when a job looks at a call.

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
  end_announced boolean not null default true,
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
-- A call is written at every step: on its page, without touching an index.
) with (fillfactor = 70);
comment on column call.accepting_at is 'Intent: a teacher accepted and wallet was asked for the hold; the prices are fixed from here on.';
comment on column call.steps_due is 'Intent: steps that must be charged; those above `steps` are asked of wallet again until it answers.';
comment on column call.reserved is 'What wallet holds for the next step, as last heard.';
comment on column call.settled is 'Nothing is left to ask of wallet.';
-- Apps hear of a call's end after its last charge, or when that charge has to wait.
comment on column call.end_announced is 'False while `call.ended` waits for the charge of the last steps.';
comment on column call.lease is 'Who speaks with wallet about this call until leased_until; a technical time, by the server''s clock.';
create unique index call_live_student on call (student_id) where state in ('ringing', 'active');
create unique index call_live_teacher on call (teacher_id) where state in ('ringing', 'active');
create index call_open on call (id) where not settled;
create index call_of_student on call (student_id, id);
create index call_of_teacher on call (teacher_id, id);
create index call_channel on call (channel);
create index call_service on call (service_id);
create index call_state on call (state, call_type, id);
select deny_service('delete, truncate', 'call', 'service');

-- The jobs look here and not at every live call.
create table call_deadline (
  call_id bigint primary key,
  lapse_at timestamptz,
  uncovered_at timestamptz,
  open_at timestamptz
) with (fillfactor = 50);
comment on table call_deadline is
  'A row for each call that is not settled: what deadlinesOf in call-deadline.ts says of it. Only who has locked the call writes it, but for uncovered_at.';
comment on column call_deadline.lapse_at is 'When time alone ends the ringing or the call.';
comment on column call_deadline.uncovered_at is 'When the next step is due that the hold does not cover; later, once a job has asked for the balance.';
comment on column call_deadline.open_at is 'From when on a job may go on with what is open with wallet; by the server''s clock.';
create index call_deadline_lapse on call_deadline (lapse_at) where lapse_at is not null;
create index call_deadline_uncovered on call_deadline (uncovered_at) where uncovered_at is not null;
create index call_deadline_open on call_deadline (open_at) where open_at is not null;

create table low_balance (
  call_id bigint not null references call,
  at timestamptz not null,
  primary key (call_id, at)
);
comment on table low_balance is 'When the student of a call was told that its next step is not covered.';
