-- no transaction
-- Outbox and inbox by day: what is over is dropped with its partition. An event's id is a UUIDv7, which begins with the
-- time: so the inbox keeps its key, and a repeated event meets its first row. Rows go two days after their partition should
-- have gone, at the latest, when a partition is longer than a day.
select partition_history('outbox', 'created_at');
select partition_validate('outbox');
select partition_by_time('outbox', 'created_at', 'day',
  array['sent_at is null', 'sent_at >= now() - interval ''14 days'''],
  'sent_at < now() - interval ''16 days''', 'sent_at');
select partition_history('inbox', 'event_id');
select partition_validate('inbox');
select partition_by_time('inbox', 'event_id', 'day',
  array['received_at >= now() - interval ''17 days'''],
  'received_at < now() - interval ''19 days''', 'received_at');
