-- no transaction
-- Find texts of one or two characters, which have no trigram.
drop index concurrently if exists account_short;
create index concurrently account_short on account
  using gin (short_parts(find), short_parts(phone_digits(phone_number))) where deleted_at is null;
drop index concurrently if exists audit_short;
create index concurrently audit_short on audit
  using gin (short_parts(normalised(action || ' ' || subject || ' ' || admin_name)));
