-- Accounts, codes, tokens, administrators, settings, catalogue, and the copies of what other services tell.

-- Students, teachers and administrators draw from one sequence, so that an id names one person.
create sequence person_id;

create function normalised(given text) returns text language sql immutable parallel safe strict
return btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, normalize(given, NFKC))), '[^[:alnum:]]+', ' ', 'g'));
comment on function normalised is 'Lower case, no accents, words parted by one space: both sides of every search.';

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

create table account (
  id bigint primary key,
  platform text not null check (platform in ('student', 'teacher')),
  gauth_type text not null check (gauth_type in ('email', 'google', 'facebook', 'apple', 'phone_number')),
  status text not null default 'active' check (status in ('active', 'banned')),
  name text not null,
  email text not null,
  email_key text not null,
  phone_number text not null,
  phone_key text,
  password_hash text,
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
  deleted_at timestamptz,
  search text not null default '',
  find text not null default '',
  version bigint not null default 0,
  devices_version bigint not null default 0,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
comment on column account.email_key is 'The e-mail in lower case: what is unique.';
comment on column account.phone_key is 'The phone number in E.164, when it can be read as one.';
comment on column account.search is 'Name, skills and bio of a teacher, normalised, with a space in front.';
comment on column account.find is 'Name, e-mail and phone number, normalised: what administrators search.';
create unique index account_email on account (email_key) where deleted_at is null;
create unique index account_login_phone on account (phone_key) where gauth_type = 'phone_number' and deleted_at is null;
create index account_plan on account (plan_id);
create index account_find on account using gin (find gin_trgm_ops) with (fastupdate = off) where deleted_at is null;
create index teacher_listed on account (id desc, verified) where platform = 'teacher' and status = 'active' and deleted_at is null;
create index teacher_verified on account (id desc) where platform = 'teacher' and status = 'active' and deleted_at is null and verified;
create index teacher_plan on account (plan_id, id desc) where platform = 'teacher' and status = 'active' and deleted_at is null;
create index teacher_search on account using gin (search gin_trgm_ops) with (fastupdate = off)
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

-- Sums to a number that changes, with the transaction, whenever the list of teachers may have changed.
create table directory_version (shard int primary key, version bigint not null default 0);
insert into directory_version (shard) select generate_series(0, 15);

-- Accounts whose texts follow a renamed skill; a job tells them again.
create table stale_account (account_id bigint primary key references account on delete cascade);

create table registration (
  id bigint primary key default nextval('person_id'),
  email_key text not null unique,
  submission jsonb not null,
  password_hash text,
  plan_id bigint references plan,
  created_at timestamptz not null default app_now()
);
comment on table registration is 'The one submission of an address that waits for its code; its id becomes the account''s.';
create index registration_created on registration (created_at);
create index registration_plan on registration (plan_id);

create table code (
  purpose text not null,
  subject text not null,
  hash bytea,
  reference text,
  sent_at timestamptz,
  expires_at timestamptz,
  code_tries int not null default 0,
  tries int not null default 0,
  tries_since timestamptz,
  day_tries int not null default 0,
  day_since timestamptz,
  sends int not null default 0,
  sends_since timestamptz,
  touched_at timestamptz not null default app_now(),
  primary key (purpose, subject)
);
comment on table code is 'One code and its budget per purpose and account: a new code voids the old one and keeps the budget.';
create index code_touched on code (touched_at);

create function check_code(p_purpose text, p_subject text, p_hash bytea, p_consume boolean, out accepted boolean, out reference text)
language plpgsql as $$
declare c code; at timestamptz;
begin
  accepted := false;
  insert into code (purpose, subject) values (p_purpose, p_subject) on conflict do nothing;
  select * into c from code where code.purpose = p_purpose and code.subject = p_subject for update;
  at := app_now();
  if c.tries_since is null or c.tries_since <= at - interval '10 minutes' then c.tries := 0; c.tries_since := at; end if;
  if c.day_since is null or c.day_since <= at - interval '1 day' then c.day_tries := 0; c.day_since := at; end if;
  if c.tries >= 5 or c.day_tries >= 20 then return; end if;
  if c.hash = p_hash and c.expires_at > at then
    accepted := true;
    reference := c.reference;
    c.tries := 0; c.day_tries := 0; c.code_tries := 0;
    if p_consume then c.hash := null; end if;
  else
    c.tries := c.tries + 1; c.day_tries := c.day_tries + 1; c.code_tries := c.code_tries + 1;
    if c.code_tries >= 5 or c.tries >= 5 or c.day_tries >= 20 then c.hash := null; end if;
  end if;
  update code set hash = c.hash, code_tries = c.code_tries, tries = c.tries, tries_since = c.tries_since,
    day_tries = c.day_tries, day_since = c.day_since, touched_at = at
  where code.purpose = p_purpose and code.subject = p_subject;
end $$;
comment on function check_code is
  'Checks a code and counts the try in one statement: 5 tries of a code, 5 wrong ones in 10 minutes, 20 a day; a right one resets.';

-- What asks for a code: the same write whether or not there is such an account.
create table code_request (
  id bigint generated always as identity primary key,
  purpose text not null,
  subject text not null,
  created_at timestamptz not null default app_now()
);

create table outgoing (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  subject text not null,
  text text not null,
  html text,
  code text,
  attempts int not null default 0,
  next_attempt_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default app_now()
);
comment on table outgoing is 'Mail and SMS to deliver; a row goes when it is delivered, given up or too old to be of use.';
create index outgoing_due on outgoing (next_attempt_at);

create table sms_day (recipient text not null, day date not null, sent int not null, primary key (recipient, day));

create table reset_grant (
  account_id bigint primary key references account on delete cascade,
  token_hash bytea not null,
  client_address text not null,
  user_agent text not null,
  expires_at timestamptz not null
);

create table lockout (
  key text primary key,
  failures int not null default 0,
  since timestamptz not null default app_now(),
  locks int not null default 0,
  locked_until timestamptz,
  touched_at timestamptz not null default app_now()
);
create index lockout_touched on lockout (touched_at);

create function charge_attempt(p_key text, p_limit int) returns boolean language plpgsql as $$
declare l lockout; at timestamptz;
begin
  insert into lockout (key) values (p_key) on conflict do nothing;
  select * into l from lockout where key = p_key for update;
  at := app_now();
  if l.locked_until > at then return false; end if;
  if l.touched_at <= at - interval '1 day' then l.locks := 0; end if;
  if l.since <= at - interval '15 minutes' then l.failures := 0; l.since := at; end if;
  l.failures := l.failures + 1;
  if l.failures >= p_limit then
    l.failures := 0;
    l.locked_until := at + least(interval '1 minute' * (2 ^ least(l.locks, 6)), interval '1 hour');
    l.locks := l.locks + 1;
  end if;
  update lockout set failures = l.failures, since = l.since, locks = l.locks, locked_until = l.locked_until, touched_at = at
  where key = p_key;
  return true;
end $$;
comment on function charge_attempt is
  'Counts a failure of an account or address, unless it is locked: the p_limit''th in 15 minutes locks it for 1 minute, then 2, 4 ... 60.';

create table admin (
  id bigint primary key default nextval('person_id'),
  name text not null,
  email text not null,
  email_key text not null unique,
  phone_number text,
  password_hash text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  level text not null default 'default',
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);

create table token (
  id bigint generated always as identity primary key,
  account_id bigint references account,
  admin_id bigint references admin,
  hash bytea not null,
  name text,
  device_key text,
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz,
  check (num_nonnulls(account_id, admin_id) = 1)
);
comment on column token.name is 'Given to an API token that its owner made; null for a login.';
create index token_account on token (account_id) where account_id is not null;
create index token_admin on token (admin_id) where admin_id is not null;
create index token_device on token (device_key) where device_key is not null;
create index token_idle on token (coalesce(last_used_at, created_at));

create table presence (account_id bigint primary key references account on delete cascade, seen_at timestamptz not null);
create index presence_seen on presence (seen_at desc);

create table setting (
  id bigint generated always as identity primary key,
  name text not null unique,
  value int not null,
  description text not null,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);

create table audit (
  id bigint generated always as identity primary key,
  admin_id bigint not null,
  admin_name text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  request_id text not null,
  created_at timestamptz not null
);
create index audit_find on audit using gin (normalised(action || ' ' || subject || ' ' || admin_name) gin_trgm_ops);

create table balance_copy (user_id bigint primary key, available bigint not null, version bigint not null);
create table accepted_call (identifier text primary key, teacher_id bigint not null);
create table call_count (teacher_id bigint primary key, calls int not null);
create table stats_copy (service text primary key, data jsonb not null, as_of timestamptz not null);

-- Money that a deleted account gave up: a job tells wallet until wallet has heard it.
create table forfeit (account_id bigint primary key references account);

do $$
declare service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke update, delete, truncate on audit from %I', service_role);
  end if;
end $$;
