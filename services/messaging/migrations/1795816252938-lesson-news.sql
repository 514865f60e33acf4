-- How many notifications about lessons one person has caused another one in the hour.
create table lesson_news (
  user_id bigint not null,
  from_id bigint not null,
  since timestamptz not null,
  sent int not null,
  primary key (user_id, from_id)
);
create index lesson_news_since on lesson_news (since);
comment on table lesson_news is 'Those beyond ten wait for the end of the hour: devices are not rung by book-and-cancel.';
