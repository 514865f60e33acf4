-- How often a consumer's handler failed on an event by its own fault, counted over all replicas; gone when it is a dead letter.

create table event_failure (
  consumer text not null,
  event_id uuid not null,
  failures int not null default 1,
  failed_at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
create index event_failure_failed on event_failure (failed_at);
