-- Students and teachers.

-- Students, teachers and administrators draw from one sequence, so that an id names one person.
create sequence person_id;

create table account (
  id bigint primary key,
  platform text not null check (platform in ('student', 'teacher')),
  gauth_type text not null check (gauth_type in ('email', 'google', 'facebook', 'apple', 'phone_number')),
  status text not null default 'active' check (status in ('active', 'banned')),
  name text not null,
  email text not null,
  email_key text,
  phone_number text not null,
  phone_key text,
  password_hash text,
  language text not null default 'en' check (language in ('en', 'fr')),
  photo text not null default '',
  address text not null default '',
  city text not null default '',
  country text not null default '',
  about_me text not null default '',
  level_study text,
  subjects_interest text not null default '',
  plan_id bigint references plan,
  experience int not null default 0,
  availability text not null default '',
  bio text,
  verified boolean not null default false,
  rating numeric(2, 1),
  rating_gain double precision not null default 0,
  deleted_at timestamptz,
  search text not null default '',
  tags bigint[] not null default '{}',
  find text not null default '',
  version bigint not null default 0,
  devices_version bigint not null default 0,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
comment on column account.email_key is 'The e-mail as it is compared, unique; null while no code that was sent to it came back.';
comment on column account.phone_key is 'The phone number in E.164, when it can be read as one.';
comment on column account.language is 'Of the last request with one of the person''s bearers: mail, SMS and push are written in it.';
comment on column account.search is 'Name, skills and bio of a teacher, normalised, with a space in front.';
comment on column account.tags is 'Of a teacher: ids of his skills, and minus the id of his plan.';
comment on column account.rating is 'Of a teacher: the mean of the reviews as it is shown; null without any.';
comment on column account.rating_gain is 'What lists by rating are sorted by: how far the Bayesian mean is above its prior.';
comment on column account.find is 'Name, e-mail and phone number, normalised: what administrators search.';
-- The planner must know which words are rare.
alter table account alter column search set statistics 500;
create unique index account_email on account (email_key) where deleted_at is null;
create unique index account_login_phone on account (phone_key) where gauth_type = 'phone_number' and deleted_at is null;
create index account_plan on account (plan_id);
create index account_created on account (created_at, platform);
create index account_listed on account (status, platform, verified, id) where deleted_at is null;
create index account_find on account using gin (find gin_trgm_ops) with (fastupdate = off) where deleted_at is null;
create index account_short on account
  using gin (short_parts(find), short_parts(phone_digits(phone_number))) where deleted_at is null;
create index account_phone_digits on account using gin (phone_digits(phone_number) gin_trgm_ops) where deleted_at is null;
create index teacher_listed on account (id desc, verified, rating)
  where platform = 'teacher' and status = 'active' and deleted_at is null;
create index teacher_verified on account (id desc) where platform = 'teacher' and status = 'active' and deleted_at is null and verified;
create index teacher_by_rating on account (rating_gain desc, id desc, verified, rating)
  where platform = 'teacher' and status = 'active' and deleted_at is null;
create index teacher_by_plan on account (plan_id, id desc, verified, rating)
  where platform = 'teacher' and status = 'active' and deleted_at is null;
create index teacher_rated on account (rating, id, verified)
  where platform = 'teacher' and status = 'active' and deleted_at is null and rating is not null;
-- One index answers words, skills and plan together: what they have in common is found before any row is read.
create index teacher_search on account using gin (search gin_trgm_ops, tags) with (fastupdate = off)
  where platform = 'teacher' and status = 'active' and deleted_at is null;

create table account_skill (
  account_id bigint not null references account on delete cascade,
  skill_id bigint not null references skill,
  position int not null,
  primary key (account_id, skill_id)
);
create index account_skill_skill on account_skill (skill_id, account_id desc);

create table external_identity (
  issuer text not null,
  subject text not null,
  account_id bigint not null references account,
  primary key (issuer, subject)
);
create index external_identity_account on external_identity (account_id);

create table favourite (
  id bigint generated always as identity,
  student_id bigint not null references account,
  teacher_id bigint not null references account,
  created_at timestamptz not null default app_now(),
  primary key (student_id, teacher_id)
);
create index favourite_newest on favourite (student_id, id desc);
create index favourite_teacher on favourite (teacher_id);

-- Sums to a number that changes, with the transaction, whenever the list of teachers may have changed.
create table directory_version (shard int primary key, version bigint not null default 0);
insert into directory_version (shard) select generate_series(0, 15);

-- Accounts whose texts follow a renamed skill; a job tells them again.
create table stale_account (account_id bigint primary key references account on delete cascade);

create table presence (account_id bigint primary key references account on delete cascade, seen_at timestamptz not null);
create index presence_seen on presence (seen_at desc);

-- Money that a deleted account gave up: a job tells wallet until wallet has heard it.
create table forfeit (account_id bigint primary key references account);

-- How many exports of the own data a person has begun on a UTC day.
create table export_count (
  account_id bigint primary key references account on delete cascade,
  day date not null,
  exports int not null
);

-- Uploaded photos; FILES_URL is where the files are. A key leads to its photo while the photo is visible; the account's
-- `photo` is then `/api/photos/<key>`.
create table photo (
  key text primary key,
  account_id bigint not null references account,
  size bigint not null,
  state text not null default 'pending' check (state in ('pending', 'visible', 'removed')),
  changed_at timestamptz not null default app_now()
);
create unique index photo_visible on photo (account_id) where state = 'visible';
create index photo_cleaning on photo (state, changed_at) where state <> 'visible';
comment on column photo.state is 'Pending: its bytes are on their way. Removed: they are to be removed, then this row.';

create table upload_day (
  day date not null,
  owner_id bigint not null,
  files int not null,
  bytes bigint not null,
  primary key (day, owner_id)
);
comment on table upload_day is 'What a person has uploaded in a UTC day, whatever became of it.';
