-- An answer is kept as it was sent: jsonb does not keep the order of keys. `response` stays, written and read by the
-- release before this one, until it is dropped.
alter table idempotency_key
  add column answer text,
  add column subject text;
comment on column idempotency_key.answer is 'The body of the answer, byte for byte.';
comment on column idempotency_key.subject is
  'The record that a running request has made: who repeats it after a crash goes on with that one.';
