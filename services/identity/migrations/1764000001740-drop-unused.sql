-- Nothing in the last release uses these: failed logins are in login_failure, tries of codes in code_try.
drop table lockout;
alter table code drop column code_tries;
