-- no transaction
-- Idle tokens are found by token_idle_user and token_idle_admin.
drop index concurrently if exists token_idle;
