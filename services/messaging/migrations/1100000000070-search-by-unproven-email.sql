-- no transaction
-- Finds the reports of people by an e-mail that is not proven, too.
drop index concurrently if exists user_copy_named;
create index concurrently user_copy_named on user_copy using gin
  (normalised(name || ' ' || coalesce(unproven_email, email) || ' ' || phone_number) gin_trgm_ops,
   short_parts(normalised(name || ' ' || coalesce(unproven_email, email) || ' ' || phone_number)));
drop index concurrently if exists user_copy_text;
