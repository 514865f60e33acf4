-- no transaction
-- Administrators who may not see contact data search people by name alone.
drop index concurrently if exists account_name;
create index concurrently account_name on account
  using gin (normalised(name) gin_trgm_ops, short_parts(normalised(name))) where deleted_at is null;
