-- no transaction
-- Calls and their seconds by the UTC day on which they were accepted; a job closes days that are over.
drop table if exists call_day;
create table call_day (day date primary key, calls bigint not null, seconds bigint not null);
comment on table call_day is 'Days that are over and all of whose calls are settled: nothing about them changes any more.';
drop index concurrently if exists call_accepted;
create index concurrently call_accepted on call (accepted_at) where accepted_at is not null;
