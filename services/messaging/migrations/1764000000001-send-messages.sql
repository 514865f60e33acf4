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
  home record;
  standing record;
  recipient bigint;
  told jsonb;
begin
  perform from room where uuid in (select (value ->> 'room')::uuid from jsonb_array_elements(p_items))
    order by uuid for no key update;

  for item in
    select given.ordinality::int as nr, x.* from jsonb_array_elements(p_items) with ordinality as given,
      jsonb_to_record(given.value) as x(room uuid, sender bigint, message text, type text, link text, client text,
        shown jsonb, push jsonb, context jsonb)
    order by 1
  loop
    nr := item.nr;
    message_id := null;
    sent_at := null;
    pushed := false;
    verdict := 'sent';

    select student_id, teacher_id into home from room where uuid = item.room and item.sender in (student_id, teacher_id);
    if not found then
      verdict := 'not_found';
      return next;
      continue;
    end if;
    recipient := home.student_id + home.teacher_id - item.sender;

    if item.client is not null then
      select id, created_at into message_id, sent_at from message
      where room_uuid = item.room and sender_id = item.sender and client_message_id = item.client;
      if found then
        verdict := 'repeated';
        return next;
        continue;
      end if;
    end if;

    select max(name) filter (where id = item.sender) as sender_name,
      coalesce(bool_or(id = item.sender and (deleted or status <> 'active')), false) as sender_barred,
      coalesce(bool_or(id = recipient and (deleted or status <> 'active')), false) as recipient_barred
    into standing from user_copy where id in (item.sender, recipient);
    if standing.sender_barred or standing.recipient_barred then
      verdict := case when standing.sender_barred then 'sender_barred' else 'recipient_barred' end;
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
      ('events.message.sent', 'message.sent', message_id::text, 0, jsonb_build_object('id', message_id,
        'room_uuid', item.room, 'sender_id', item.sender, 'recipient_id', recipient, 'type', item.type,
        'created_at', iso(sent_at)), item.context),
      ('live.user.' || item.sender, 'message.created', 'user.' || item.sender, 0, told, item.context),
      ('live.user.' || recipient, 'message.created', 'user.' || recipient, 0, told, item.context);

    insert into push (user_id, device_key, kind, title, body, data, expires_at)
    select recipient, live.key, item.push ->> 'kind', coalesce(nullif(standing.sender_name, ''), item.push ->> 'title'),
      item.push ->> 'body', (item.push -> 'data') || jsonb_build_object('message_id', message_id::text),
      sent_at + make_interval(secs => (item.push ->> 'lifetime')::int)
    from device_copy cross join unnest(device_keys) as live (key)
    where user_id = recipient and not exists (select from dead_device where device_key = live.key);
    pushed := found;
    return next;
  end loop;
end $$;
