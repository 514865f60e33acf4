-- no transaction
-- The last release finds people by user_copy_named.
drop index concurrently if exists user_copy_name;
