-- When a job has something to do for a call. The jobs look here and not at every live call; a trigger keeps the rows, so
-- that those of the release before, which writes calls without knowing them, are right too.

create table call_deadline (
  call_id bigint primary key,
  lapse_at timestamptz,
  uncovered_at timestamptz,
  open_at timestamptz
) with (fillfactor = 50);
create index call_deadline_lapse on call_deadline (lapse_at) where lapse_at is not null;
create index call_deadline_uncovered on call_deadline (uncovered_at) where uncovered_at is not null;
create index call_deadline_open on call_deadline (open_at) where open_at is not null;
comment on table call_deadline is 'A row for each call that is not settled. Only who has locked the call writes it, but for uncovered_at.';
comment on column call_deadline.lapse_at is 'When time alone ends the ringing or the call: the instants of `lapse` in life-cycle.ts.';
comment on column call_deadline.uncovered_at is 'When the next step is due that the hold does not cover; later, once a job has asked for the balance.';
comment on column call_deadline.open_at is 'From when on a job may go on with what is open with wallet; by the server''s clock.';

create function keep_deadlines() returns trigger language plpgsql
-- A plan made while the table is small would read the whole of it when it has grown.
set enable_seqscan = off
as $$
begin
  insert into call_deadline as known (call_id, lapse_at, uncovered_at, open_at)
  select id,
    case state
      when 'ringing' then greatest(ring_expires_at, accepting_at + interval '10 seconds')
      when 'active' then greatest(accepted_at, billed_at) + 2 * make_interval(secs => iterator) end,
    case when state = 'active' and steps > 0 and steps = steps_due and reserved < iterator_cost
      then accepted_at + steps * make_interval(secs => iterator) end,
    case when steps < steps_due or state not in ('ringing', 'active')
      then coalesce(greatest(leased_until, retry_at), '-infinity') end
  from changed where not settled
  on conflict (call_id) do update
    set lapse_at = excluded.lapse_at, uncovered_at = excluded.uncovered_at, open_at = excluded.open_at
    where (known.lapse_at, known.uncovered_at, known.open_at)
      is distinct from (excluded.lapse_at, excluded.uncovered_at, excluded.open_at);
  if exists (select from changed where settled) then
    delete from call_deadline where call_id = any(array(select id from changed where settled));
  end if;
  return null;
end $$;
create trigger call_begun after insert on call referencing new table as changed
  for each statement execute function keep_deadlines();
create trigger call_changed after update on call referencing new table as changed
  for each statement execute function keep_deadlines();

-- The trigger writes the rows of the calls that there are: about a second for 50,000.
update call set version = version where not settled;
