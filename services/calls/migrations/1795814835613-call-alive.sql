-- Signs of life of students. A replica of the release before neither records nor requires them.

alter table call
  add column alive_at timestamptz,
  add column needs_alive boolean not null default false;
comment on column call.alive_at is 'The student''s last sign of life; from the first one on, two steps without any end the call.';
comment on column call.needs_alive is 'No step is charged before the first sign of life: the setting at acceptance.';
