-- no transaction
-- The last release searches the columns `find`.
drop index concurrently if exists deposit_text;
drop index concurrently if exists withdrawal_text;
drop index concurrently if exists payment_text;
drop index concurrently if exists user_copy_text;
drop index concurrently if exists user_copy_phone_digits;
