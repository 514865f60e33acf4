-- send_messages(jsonb) stays for the release before this one.

/*
 * Sends messages in the order of the items, in the transaction of the call. Each item: {shown, client, push, context}:
 * `shown` is the public message without id and times, `client` the sender's own id of it, `push` the notification without
 * title. Verdict per item: `sent`; `repeated` (the sender's `client` is known, or occurs before in this call: the first
 * message's id); `not_found` (no such room of the sender's); `sender_barred`, `recipient_barred` (banned or deleted);
 * without `p_wait` also `busy` (somebody else has locked the room).
 * The rooms are locked before any id is taken, in one order, so ids rise in commit order within a room and calls do not
 * deadlock.
 */
create function send_messages(p_items jsonb, p_wait boolean)
returns table (nr int, verdict text, message_id bigint, sent_at timestamptz, pushed boolean) language plpgsql
-- Planning this for every call would cost more than running it.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  at timestamptz;
  at_text text;
  wanted uuid[] := array(select (value -> 'shown' ->> 'room_uuid')::uuid from jsonb_array_elements(p_items));
  locked uuid[];
begin
  if p_wait then
    locked := array(select uuid from room where uuid = any(wanted) order by uuid for no key update);
  else
    locked := array(select uuid from room where uuid = any(wanted) order by uuid for no key update skip locked);
  end if;
  at := app_now();
  at_text := iso(at);

  return query
  with asked as (
    select ordinality::int as nr, client, shown, push, context, x.*
    from rows from (jsonb_to_recordset(p_items) as (shown jsonb, client text, push jsonb, context jsonb)) with ordinality
      as a(shown, client, push, context, ordinality)
    cross join lateral jsonb_to_record(shown)
      as x(room_uuid uuid, sender_id bigint, message text, type text, message_link text)
  ), judged as materialized (
    select a.*, r.student_id + r.teacher_id - sender_id as recipient_id, sender_id = r.student_id as by_student,
      m.id as known_id, m.created_at as known_at, coalesce(s.name, '') as sender_name,
      case
        when r.student_id is null then 'not_found'
        -- Made after the rooms were locked, if this waited.
        when room_uuid <> all(locked) then case when p_wait then 'not_found' else 'busy' end
        when m.id is not null then 'repeated'
        when s.deleted or s.status <> 'active' then 'sender_barred'
        when t.deleted or t.status <> 'active' then 'recipient_barred'
        else 'sent' end as verdict,
      min(nr) over (partition by room_uuid, sender_id, client, case when client is null then nr end) as first_nr
    from asked a
    left join lateral (
      select student_id, teacher_id from room where uuid = room_uuid and sender_id in (student_id, teacher_id) limit 1
    ) r on true
    left join lateral (
      select id, created_at from message
      where client is not null and room_uuid = a.room_uuid and sender_id = a.sender_id and client_message_id = client limit 1
    ) m on true
    left join lateral (select name, status, deleted from user_copy where id = sender_id limit 1) s on true
    left join lateral (
      select status, deleted from user_copy where id = r.student_id + r.teacher_id - sender_id limit 1
    ) t on true
  ), sending as materialized (
    select *, row_number() over (order by nr) as place from judged where verdict = 'sent' and nr = first_nr
  ), inserted as (
    insert into message (room_uuid, sender_id, message, type, message_link, client_message_id, created_at)
    select room_uuid, sender_id, message, type, message_link, client, at from sending order by place
    returning id
  ), sent as materialized (
    -- Ids were taken in the order of the items.
    select *, shown || jsonb_build_object('id', id, 'created_at', at_text, 'updated_at', at_text) as told
    from sending
    cross join lateral (select (select array_agg(id order by id) from inserted)[place] as id offset 0) taken
  ), moved as (
    update room set updated_at = at,
      student_last_id = coalesce(by_student_id, student_last_id), teacher_last_id = coalesce(by_teacher_id, teacher_last_id)
    from (
      select room_uuid, max(id) filter (where by_student) as by_student_id, max(id) filter (where not by_student) as by_teacher_id
      from sent group by room_uuid
    ) newest
    where uuid = room_uuid
  ), told as (
    insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
    select 'live.user.' || pair, 'message.created', 'user.' || pair, 0, told, context
    from sent
    -- The student's id comes first.
    cross join lateral (values (
      case when by_student then sender_id || '.' || recipient_id else recipient_id || '.' || sender_id end
    )) as address(pair)
    order by id
  ), notified as (
    insert into push (user_id, device_key, kind, title, body, data, expires_at)
    select recipient_id, key, push ->> 'kind', coalesce(nullif(sender_name, ''), push ->> 'title'), push ->> 'body',
      (push -> 'data') || jsonb_build_object('message_id', id::text),
      at + make_interval(secs => (push ->> 'lifetime')::int)
    from sent cross join lateral (select device_keys from device_copy where user_id = recipient_id limit 1) d
    cross join unnest(device_keys) as live(key)
    where not exists (select from dead_device where device_key = key)
    order by id
    returning (data ->> 'message_id')::bigint as id
  )
  select j.nr, case when j.verdict = 'sent' and j.nr > j.first_nr then 'repeated' else j.verdict end,
    coalesce(j.known_id, sent.id), coalesce(j.known_at, case when j.verdict = 'sent' then at end),
    j.nr = j.first_nr and coalesce(sent.id in (select id from notified), false)
  from judged j left join sent on sent.nr = j.first_nr
  order by j.nr;
end $$;
