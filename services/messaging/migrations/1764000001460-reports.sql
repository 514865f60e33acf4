-- What people report about each other, and what administrators did about it.

create function normalised(given text) returns text language sql immutable parallel safe strict
return btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, normalize(given, NFKC))), '[^[:alnum:]]+', ' ', 'g'));
comment on function normalised is 'Lower case, no accents, words parted by one space: both sides of every search.';

create function phone_digits(given text) returns text language sql immutable parallel safe strict
return case when given ~ '^[0-9+(). /-]+$' then nullif(regexp_replace(given, '[^0-9]', '', 'g'), '') end;
comment on function phone_digits is 'The digits of what may be a phone number or a part of one; null for any other text.';

create table report (
  id bigint generated always as identity primary key,
  reporter_id bigint not null,
  user_id bigint not null,
  reason text not null check (reason in ('spam', 'abuse', 'fraud', 'other')),
  details text not null,
  room_uuid uuid references room,
  identifier text,
  status text not null default 'open' check (status in ('open', 'resolved', 'rejected')),
  note text not null default '',
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  check (reporter_id <> user_id)
);
comment on column report.user_id is 'Who is reported.';
comment on column report.identifier is 'The call of the two that it is about.';
create index report_status on report (status, id desc);
create index report_user on report (user_id, id desc);
create index report_reporter on report (reporter_id);

do $$
declare service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke delete, truncate on report from %I', service_role);
  end if;
end $$;
