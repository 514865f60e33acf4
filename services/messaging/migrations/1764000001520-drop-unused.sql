-- What the previous release does not use any more: sending is decided in TypeScript, messages are counted in message_day.

drop function send_messages(jsonb, boolean);
drop function send_messages(jsonb);
drop function iso;

drop table message_tally;
