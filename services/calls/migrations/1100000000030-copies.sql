-- What this service keeps of others' nouns. `version` is the owner's: an older one never overwrites.

create function fold(_text text) returns text language sql immutable parallel safe
as $$ select lower(public.unaccent('public.unaccent', coalesce(_text, ''))) $$;
comment on function fold is 'Case and accents gone: what filter_value compares.';

create function phone_digits(given text) returns text language sql immutable parallel safe strict
return case when given ~ '^[0-9+(). /-]+$' then nullif(regexp_replace(given, '[^0-9]', '', 'g'), '') end;
comment on function phone_digits is 'The digits of what may be a phone number or a part of one; null for any other text.';

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
  version bigint not null,
  email text not null,
  phone_number text not null,
  find text not null generated always as (
    fold(name || ' ' || email || ' ' || phone_number) || chr(1) || coalesce(phone_digits(phone_number), '')) stored
);
comment on column user_copy.find is 'What is searched; chr(1), which no search contains, parts the digits of the phone number.';
create index user_copy_find on user_copy using gin (find gin_trgm_ops, short_parts(find));

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
