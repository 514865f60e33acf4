-- no transaction
-- The next release drops user_copy_name, by which replicas of the release before search.
drop index concurrently if exists user_copy_named;
create index concurrently user_copy_named on user_copy using gin (fold(name) gin_trgm_ops, short_parts(fold(name)));
