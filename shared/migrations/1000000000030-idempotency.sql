-- Requests with an Idempotency-Key, for a day.

create table idempotency_key (
  caller text not null,
  scope text not null,
  key text not null,
  fingerprint text not null,
  subject text,
  status int,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (caller, scope, key)
);
comment on column idempotency_key.subject is
  'The record that a running request has made: who repeats it after a crash goes on with that one.';
comment on column idempotency_key.answer is 'The body of the answer, byte for byte: jsonb does not keep the order of keys.';
create index idempotency_key_created on idempotency_key (created_at);
