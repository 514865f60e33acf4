-- Plans, skills and settings, and how texts are searched.

create function normalised(given text) returns text language sql immutable parallel safe strict
return btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, normalize(given, NFKC))), '[^[:alnum:]]+', ' ', 'g'));
comment on function normalised is 'Lower case, no accents, words parted by one space: both sides of every search.';

create function phone_digits(given text) returns text language sql immutable parallel safe strict
return case when given ~ '^[0-9+(). /-]+$' then nullif(regexp_replace(given, '[^0-9]', '', 'g'), '') end;
comment on function phone_digits is 'The digits of what may be a phone number or a part of one; null for any other text.';

create table plan (
  id bigint generated always as identity primary key,
  name text not null,
  points int not null check (points >= 0),
  image_cost int not null check (image_cost >= 0),
  deleted boolean not null default false,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create unique index plan_name on plan (lower(name)) where not deleted;

create table skill (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create unique index skill_name on skill (lower(name));

create table setting (
  id bigint generated always as identity primary key,
  name text not null unique,
  value int not null,
  description text not null,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
