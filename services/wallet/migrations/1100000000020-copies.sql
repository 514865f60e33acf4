-- Copies of other services' facts, and what lists search.

create function fold(_text text) returns text language sql immutable parallel safe
as $$ select lower(public.unaccent('public.unaccent', coalesce(_text, ''))) $$;
comment on function fold is 'Case and accents gone: what filter_value compares.';

create function phone_digits(given text) returns text language sql immutable parallel safe strict
return case when given ~ '^[0-9+(). /-]+$' then nullif(regexp_replace(given, '[^0-9]', '', 'g'), '') end;
comment on function phone_digits is 'The digits of what may be a phone number or a part of one; null for any other text.';

-- What filter_value looks into is stored in the form in which it is compared: to fold the text of every row that an
-- index proposes, or that a common text makes the list walk past, costs more than all the rest of a search.
create function payment_found() returns trigger language plpgsql as $$
begin
  new.find := fold(coalesce(new.ref, '') || ' ' || coalesce(new.details, '') || ' ' || coalesce(new.method, ''));
  return new;
end $$;

-- The digits of the phone number stand after a control character, which no search contains.
create function user_found() returns trigger language plpgsql as $$
begin
  new.find := fold(new.name || ' ' || new.email || ' ' || new.phone_number) || chr(1)
    || coalesce(phone_digits(new.phone_number), '');
  return new;
end $$;

create table user_copy (
  id bigint primary key,
  platform text not null,
  status text not null,
  deleted boolean not null,
  name text not null,
  email text not null,
  phone_number text not null,
  version bigint not null,
  find text
);
create index user_copy_find on user_copy using gin (find gin_trgm_ops, short_parts(find));
create trigger found before insert or update of name, email, phone_number on user_copy
  for each row execute function user_found();

create table setting_copy (
  name text primary key,
  value bigint not null,
  version bigint not null
);
