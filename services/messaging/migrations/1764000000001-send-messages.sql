create function iso(moment timestamptz) returns text language sql stable parallel safe
as $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

/*
 * Sends messages, one after the other, in the transaction of the call. Each item: {room, sender, message, type, link, client,
 * shown, push, context}: `shown` is the public message without id and times, `push` the notification without title.
 * Verdict per item: `sent`; `repeated` (the sender's `client` is known: the first message's id); `not_found` (no such room
 * of the sender's); `sender_barred`, `recipient_barred` (banned or deleted). The rooms are locked before any id is taken,
 * in one order, so ids rise in commit order within a room and calls do not deadlock.
 */
create function send_messages(p_items jsonb)
returns table (nr int, verdict text, message_id bigint, sent_at timestamptz, pushed boolean) language plpgsql as $$
declare
  item record;
  told jsonb;
begin
  perform from room where uuid in (select (value ->> 'room')::uuid from jsonb_array_elements(p_items))
    order by uuid for no key update;

  for item in
    select given.ordinality::int as nr, x.*, r.uuid is not null as found, recipient.id as recipient,
      coalesce(s.name, '') as sender_name, coalesce(s.deleted or s.status <> 'active', false) as sender_barred,
      coalesce(t.deleted or t.status <> 'active', false) as recipient_barred,
      coalesce(d.device_keys <> '{}', false) as reachable
    from jsonb_array_elements(p_items) with ordinality as given
    cross join jsonb_to_record(given.value) as x(room uuid, sender bigint, message text, type text, link text, client text,
      shown jsonb, push jsonb, context jsonb)
    left join room r on r.uuid = x.room and x.sender in (r.student_id, r.teacher_id)
    left join lateral (select r.student_id + r.teacher_id - x.sender) as recipient (id) on true
    left join user_copy s on s.id = x.sender
    left join user_copy t on t.id = recipient.id
    left join device_copy d on d.user_id = recipient.id
    order by 1
  loop
    nr := item.nr;
    message_id := null;
    sent_at := null;
    pushed := false;

    if item.client is not null then
      select id, created_at into message_id, sent_at from message
      where room_uuid = item.room and sender_id = item.sender and client_message_id = item.client;
    end if;
    verdict := case
      when not item.found then 'not_found'
      when message_id is not null then 'repeated'
      when item.sender_barred then 'sender_barred'
      when item.recipient_barred then 'recipient_barred'
      else 'sent' end;
    if verdict <> 'sent' then
      return next;
      continue;
    end if;

    sent_at := app_now();
    insert into message (room_uuid, sender_id, message, type, message_link, client_message_id, created_at)
    values (item.room, item.sender, item.message, item.type, item.link, item.client, sent_at)
    returning id into message_id;
    update room set
      student_last_id = case when student_id = item.sender then message_id else student_last_id end,
      teacher_last_id = case when teacher_id = item.sender then message_id else teacher_last_id end,
      updated_at = sent_at
    where uuid = item.room;

    told := item.shown || jsonb_build_object('id', message_id, 'created_at', iso(sent_at), 'updated_at', iso(sent_at));
    insert into outbox (subject, name, aggregate_id, aggregate_version, data, context) values
      ('live.user.' || item.sender, 'message.created', 'user.' || item.sender, 0, told, item.context),
      ('live.user.' || item.recipient, 'message.created', 'user.' || item.recipient, 0, told, item.context);

    if item.reachable then
      insert into push (user_id, device_key, kind, title, body, data, expires_at)
      select item.recipient, key, item.push ->> 'kind', coalesce(nullif(item.sender_name, ''), item.push ->> 'title'),
        item.push ->> 'body', (item.push -> 'data') || jsonb_build_object('message_id', message_id::text),
        sent_at + make_interval(secs => (item.push ->> 'lifetime')::int)
      from device_copy cross join unnest(device_keys) as live (key)
      where user_id = item.recipient and not exists (select from dead_device where device_key = live.key);
      pushed := found;
    end if;
    return next;
  end loop;
end $$;
