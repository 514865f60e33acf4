-- What the previous release does not use any more: the rules of the ledger are TypeScript, its sums are in ledger_day.

drop function charge_one;
drop function charge_batch;
drop function place_hold_if_open;
drop function place_hold;
drop function expire_holds;
drop function end_hold;
drop function capture_hold;
drop function post_transfer;
drop function tell_hold;
drop function tell_account;
drop function lock_accounts;
drop function iso;
drop function count_ledger(bigint);

drop table ledger_total;
drop table ledger_mark;
