-- no transaction
-- Administrators who may not see contact data search people by name alone.
drop index concurrently if exists user_copy_name;
create index concurrently user_copy_name on user_copy using gin (fold(name) gin_trgm_ops, short_parts(fold(name)));
