-- no transaction
-- Counts the reports of before, beside writers; the indexes find reports by their texts and people.
select fill_tally('report');
drop index concurrently if exists report_text;
create index concurrently report_text on report using gin
  (normalised(details || ' ' || note) gin_trgm_ops, short_parts(normalised(details || ' ' || note)));
drop index concurrently if exists user_copy_text;
create index concurrently user_copy_text on user_copy using gin
  (normalised(name || ' ' || email || ' ' || phone_number) gin_trgm_ops,
   short_parts(normalised(name || ' ' || email || ' ' || phone_number)));
drop index concurrently if exists user_copy_phone_digits;
create index concurrently user_copy_phone_digits on user_copy using gin
  (phone_digits(phone_number) gin_trgm_ops, short_parts(phone_digits(phone_number)));
