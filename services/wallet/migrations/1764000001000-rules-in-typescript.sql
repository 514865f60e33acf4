-- The rules of the ledger are TypeScript from this release on: it calls none of charge_one, charge_batch, post_transfer,
-- place_hold_if_open, place_hold, end_hold, capture_hold, expire_holds, lock_accounts, tell_account, tell_hold, iso and
-- count_ledger(bigint). Replicas of the release before still do during a roll-out, so that the next release drops these.
-- What that release does not call either goes now.

drop function charge_many;
drop function tell_transfer(bigint, jsonb);
drop function account_name(bigint);
drop function count_ledger();
