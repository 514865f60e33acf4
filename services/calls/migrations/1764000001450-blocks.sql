-- Who calls nobody and is called by nobody of whom: fed by messaging.
create table block_copy (
  user_id bigint not null,
  blocked_id bigint not null,
  active boolean not null,
  version bigint not null,
  primary key (user_id, blocked_id)
);
create index block_copy_blocked on block_copy (blocked_id);
