-- no transaction
-- What is too old, oldest first.
drop index concurrently if exists outgoing_expires;
create index concurrently outgoing_expires on outgoing (expires_at);
drop index concurrently if exists reset_grant_expires;
create index concurrently reset_grant_expires on reset_grant (expires_at);
drop index concurrently if exists sms_day_day;
create index concurrently sms_day_day on sms_day (day);
drop index concurrently if exists token_idle_user;
create index concurrently token_idle_user on token (coalesce(last_used_at, created_at)) where account_id is not null;
drop index concurrently if exists token_idle_admin;
create index concurrently token_idle_admin on token (coalesce(last_used_at, created_at)) where admin_id is not null;
