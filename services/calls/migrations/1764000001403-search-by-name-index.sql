-- no transaction
-- Finds the people of a name; built while calls go on.
drop index concurrently if exists user_copy_name;
create index concurrently user_copy_name on user_copy using gin (fold(name) gin_trgm_ops);
