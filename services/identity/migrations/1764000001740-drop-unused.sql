-- Nothing in the last release uses these: failed logins are in login_failure, tries of codes in code_try.
drop table lockout;
-- Nobody queues for long behind it, whatever holds the table: a backup, say.
select partitioning.lock('public.code', 'access exclusive', 300);
alter table code drop column code_tries;
