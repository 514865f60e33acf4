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

alter table deposit add column find text;
alter table withdrawal add column find text;
alter table payment add column find text;
alter table user_copy add column find text;
create trigger found before insert or update of ref, details, method on deposit
  for each row execute function payment_found();
create trigger found before insert or update of ref, details, method on withdrawal
  for each row execute function payment_found();
create trigger found before insert or update of ref, details, method on payment
  for each row execute function payment_found();
create trigger found before insert or update of name, email, phone_number on user_copy
  for each row execute function user_found();

-- Sets `find` of the rows of before, some at a time, beside writers; repeatable.
create procedure fill_find(_table text, _column text) language plpgsql
as $$
declare
  first bigint := 0;
  last bigint;
begin
  loop
    execute format('select max(id) from (select id from %I where id > $1 order by id limit 2000) t', _table)
    into last using first;
    exit when last is null;
    execute format('update %I set %2$I = %2$I where id > $1 and id <= $2 and find is null', _table, _column)
    using first, last;
    commit;
    first := last;
  end loop;
end $$;
