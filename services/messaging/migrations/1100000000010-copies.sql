-- Copies of what other services own, fed by their events. `version` is the owner's: an older one never overwrites.

create function normalised(given text) returns text language sql immutable parallel safe strict
return btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, normalize(given, NFKC))), '[^[:alnum:]]+', ' ', 'g'));
comment on function normalised is 'Lower case, no accents, words parted by one space: both sides of every search.';

create function phone_digits(given text) returns text language sql immutable parallel safe strict
return case when given ~ '^[0-9+(). /-]+$' then nullif(regexp_replace(given, '[^0-9]', '', 'g'), '') end;
comment on function phone_digits is 'The digits of what may be a phone number or a part of one; null for any other text.';

create table user_copy (
  id bigint primary key,
  version bigint not null,
  platform text not null check (platform in ('student', 'teacher')),
  status text not null,
  deleted boolean not null,
  name text not null,
  email text not null,
  phone_number text not null,
  photo text not null,
  address text not null,
  city text not null,
  country text not null,
  about_me text not null,
  level_study text,
  subjects_interest text not null,
  domains text[] not null,
  experience int not null,
  availability text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unproven_email text
);
comment on column user_copy.unproven_email is 'Shown to its owner and to administrators; `email` is empty then.';
-- Find reports by their people.
create index user_copy_named on user_copy using gin
  (normalised(name || ' ' || coalesce(unproven_email, email) || ' ' || phone_number) gin_trgm_ops,
   short_parts(normalised(name || ' ' || coalesce(unproven_email, email) || ' ' || phone_number)));
create index user_copy_phone_digits on user_copy using gin
  (phone_digits(phone_number) gin_trgm_ops, short_parts(phone_digits(phone_number)));

create table balance_copy (
  user_id bigint primary key,
  version bigint not null,
  available bigint not null
);

create table device_copy (
  user_id bigint primary key,
  version bigint not null,
  device_keys text[] not null,
  language text not null default 'en'
);
comment on column device_copy.language is 'What the user''s notifications are written in.';
create index device_copy_keys on device_copy using gin (device_keys);

create table setting_copy (
  name text primary key,
  version bigint not null,
  value bigint not null
);

create table call_copy (
  identifier text primary key,
  version bigint not null,
  state text not null,
  room_uuid uuid not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index call_copy_live on call_copy (room_uuid) where state in ('ringing', 'active');
create index call_copy_over on call_copy (ended_at) where state not in ('ringing', 'active');
