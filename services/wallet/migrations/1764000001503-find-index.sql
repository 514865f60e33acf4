-- no transaction
-- The next release drops deposit_text, withdrawal_text, payment_text, user_copy_text and user_copy_phone_digits, by
-- which replicas of the release before search.
call fill_find('deposit', 'ref');
call fill_find('withdrawal', 'ref');
call fill_find('payment', 'ref');
call fill_find('user_copy', 'name');
drop index concurrently if exists deposit_find;
create index concurrently deposit_find on deposit using gin (find gin_trgm_ops, short_parts(find));
drop index concurrently if exists withdrawal_find;
create index concurrently withdrawal_find on withdrawal using gin (find gin_trgm_ops, short_parts(find));
drop index concurrently if exists payment_find;
create index concurrently payment_find on payment using gin (find gin_trgm_ops, short_parts(find));
drop index concurrently if exists user_copy_find;
create index concurrently user_copy_find on user_copy using gin (find gin_trgm_ops, short_parts(find));
