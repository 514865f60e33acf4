-- What the previous release does not use any more: tries are counted in code_try, failed logins in login_failure, and no
-- new phone account gets an e-mail key. From this release on nothing uses lockout and code.code_tries: the next one drops
-- them.

drop function check_code;
drop function try_code;
drop function charge_attempt;

drop trigger account_registered on account;
drop trigger account_email_changed on account;
drop function follow_email_key;

alter table code
  drop column tries,
  drop column tries_since,
  drop column day_tries,
  drop column day_since;
