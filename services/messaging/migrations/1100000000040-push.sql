-- Push: one row per notification and device, gone when delivered.

create table push (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  device_key text not null,
  kind text not null check (kind in ('message', 'support', 'incoming_call', 'call_over', 'missed_call', 'booking')),
  title text not null,
  body text not null,
  data jsonb not null,
  language text not null default 'en',
  attempts int not null default 0,
  created_at timestamptz not null default app_now(),
  next_attempt_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index push_due on push (next_attempt_at);
create index push_user on push (user_id);

create table dead_device (
  device_key text primary key,
  died_at timestamptz not null default app_now()
);
comment on table dead_device is 'Keys that the push provider has declared gone: nothing is sent to them again.';
create index dead_device_died on dead_device (died_at);
