-- What this service keeps of others' nouns. `version` is the owner's: an older one never overwrites.

create function fold(_text text) returns text language sql immutable parallel safe
as $$ select lower(public.unaccent('public.unaccent', coalesce(_text, ''))) $$;
comment on function fold is 'Case and accents gone: what filter_value compares.';

create table user_copy (
  id bigint primary key,
  platform text not null,
  status text not null,
  deleted boolean not null,
  name text not null,
  photo text not null,
  plan_id bigint,
  domains text[] not null,
  experience int not null,
  availability text not null,
  bio text,
  verified boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version bigint not null
);
-- Finds the calls of people by their names.
create index user_copy_named on user_copy using gin (fold(name) gin_trgm_ops, short_parts(fold(name)));

create table plan_copy (
  id bigint primary key,
  name text not null,
  points bigint not null,
  image_cost bigint not null,
  deleted boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version bigint not null
);

create table setting_copy (name text primary key, value bigint not null, version bigint not null);

create table room_copy (uuid uuid primary key);
comment on table room_copy is 'Rooms that exist without a call: what tells an unknown room from a foreign one.';

create table refunds_copy (
  identifier text primary key,
  refunded bigint not null,
  version bigint not null
);
comment on table refunds_copy is 'What wallet has given back of a call; without a row, nothing.';

-- Who calls nobody and is called by nobody of whom: fed by messaging.
create table block_copy (
  user_id bigint not null,
  blocked_id bigint not null,
  active boolean not null,
  version bigint not null,
  primary key (user_id, blocked_id)
);
create index block_copy_blocked on block_copy (blocked_id);
