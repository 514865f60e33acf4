-- How many messages were written on each UTC day. It takes the place of message_tally, which the release before goes on
-- counting; a job counts what there is.

create table message_day (day date primary key, messages bigint not null);
create table message_day_mark (
  only_row boolean primary key default true check (only_row),
  up_to_id bigint not null default 0
);
insert into message_day_mark default values;
comment on table message_day_mark is 'Messages with an id <= up_to_id are in message_day; newer ones are counted when asked.';
