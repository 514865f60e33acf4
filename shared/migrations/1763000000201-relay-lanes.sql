-- no transaction
drop index concurrently if exists outbox_unsent_lane;
create index concurrently outbox_unsent_lane on outbox (outbox_lane(subject), id) where sent_at is null;
