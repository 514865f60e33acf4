-- filter_value finds the calls of people by e-mail and phone number, too.

create function phone_digits(given text) returns text language sql immutable parallel safe strict
return case when given ~ '^[0-9+(). /-]+$' then nullif(regexp_replace(given, '[^0-9]', '', 'g'), '') end;
comment on function phone_digits is 'The digits of what may be a phone number or a part of one; null for any other text.';

alter table user_copy
  add column email text not null default '',
  add column phone_number text not null default '',
  add column find text not null generated always as (
    fold(name || ' ' || email || ' ' || phone_number) || chr(1) || coalesce(phone_digits(phone_number), '')) stored;
comment on column user_copy.find is 'What is searched; chr(1), which no search contains, parts the digits of the phone number.';
create index user_copy_find on user_copy using gin (find gin_trgm_ops, short_parts(find));
drop index user_copy_named;
