-- A phone number is found however its digits are parted, in the record as in the search.

create function phone_digits(given text) returns text language sql immutable parallel safe strict
return case when given ~ '^[0-9+(). /-]+$' then nullif(regexp_replace(given, '[^0-9]', '', 'g'), '') end;
comment on function phone_digits is 'The digits of what may be a phone number or a part of one; null for any other text.';

create index account_phone_digits on account using gin (phone_digits(phone_number) gin_trgm_ops) where deleted_at is null;
