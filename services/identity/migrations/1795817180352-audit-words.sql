-- no transaction
-- The audit log is searched in all that its page shows, and filtered by action and subject. The release before searches
-- by audit_find and audit_short.
drop index concurrently if exists audit_words;
create index concurrently audit_words on audit using gin (normalised(action || ' ' || subject || ' ' || admin_name
  || ' ' || coalesce(before::text, '') || ' ' || coalesce(after::text, '')) gin_trgm_ops);
drop index concurrently if exists audit_words_short;
create index concurrently audit_words_short on audit using gin (short_parts(normalised(action || ' ' || subject
  || ' ' || admin_name || ' ' || coalesce(before::text, '') || ' ' || coalesce(after::text, ''))));
drop index concurrently if exists audit_by_action;
create index concurrently audit_by_action on audit (action text_pattern_ops, id);
drop index concurrently if exists audit_by_subject;
create index concurrently audit_by_subject on audit (subject text_pattern_ops, id);
