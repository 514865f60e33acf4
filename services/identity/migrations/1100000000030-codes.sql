-- Registrations, and the codes that prove an address.

create table registration (
  id bigint primary key default nextval('person_id'),
  email_key text not null unique,
  address_key text not null,
  submission jsonb not null,
  password_hash text,
  plan_id bigint references plan,
  contested boolean not null default false,
  created_at timestamptz not null default app_now()
);
comment on table registration is 'The one submission of an address that waits for its code; its id becomes the account''s.';
comment on column registration.email_key is 'The address that the code proves: the key of an e-mail, or a phone number in E.164.';
comment on column registration.address_key is 'The e-mail of the submission as it is compared: by it a new code is requested, also one by SMS.';
comment on column registration.contested is 'Submissions with different passwords were open for the address at once: its code sets none of them.';
create index registration_created on registration (created_at);
create index registration_plan on registration (plan_id);
create index registration_address on registration (address_key);

create table code (
  purpose text not null,
  subject text not null,
  hash bytea,
  reference text,
  sent_at timestamptz,
  expires_at timestamptz,
  sends int not null default 0,
  sends_since timestamptz,
  touched_at timestamptz not null default app_now(),
  primary key (purpose, subject)
);
comment on table code is 'One code and its budget per purpose and account: a new code voids the old one and keeps the budget.';
create index code_touched on code (touched_at);

-- Wrong tries of a code count per client network, so that a stranger's do not void the owner's code.
create table code_try (
  purpose text not null,
  subject text not null,
  network text not null,
  tries int not null,
  tries_since timestamptz not null,
  day_tries int not null,
  day_since timestamptz not null,
  primary key (purpose, subject, network)
);
comment on column code_try.network is 'The /24 of an IPv4 address, the /48 of an IPv6 address; empty: all networks together.';
comment on column code_try.tries is 'Within ten minutes from tries_since; day_tries: within a day from day_since.';
create index code_try_day on code_try (day_since);

-- What asks for a code: the same write whether or not there is such an account.
create table code_request (
  id bigint generated always as identity primary key,
  purpose text not null,
  subject text not null,
  network text not null,
  created_at timestamptz not null default app_now()
);

create table outgoing (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  subject text not null,
  text text not null,
  html text,
  code text,
  attempts int not null default 0,
  next_attempt_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default app_now()
);
comment on table outgoing is 'Mail and SMS to deliver; a row goes when it is delivered, given up or too old to be of use.';
create index outgoing_due on outgoing (next_attempt_at);
create index outgoing_expires on outgoing (expires_at);

create table sms_day (recipient text not null, day date not null, sent int not null, primary key (recipient, day));
create index sms_day_day on sms_day (day);

-- How many codes go out, counted where all replicas see it.
create table send_count (
  key text primary key,
  hour_sends int not null default 0,
  hour_since timestamptz not null default app_now(),
  day_sends int not null default 0,
  day_since timestamptz not null default app_now()
);
comment on column send_count.key is 'A recipient (hashed), a client network, or all together.';
create index send_count_day on send_count (day_since);
