-- How many exports of the own data a person has begun on a UTC day.
create table export_count (
  account_id bigint primary key references account on delete cascade,
  day date not null,
  exports int not null
);
