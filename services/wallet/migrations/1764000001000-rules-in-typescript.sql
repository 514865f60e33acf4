-- The rules of the ledger are TypeScript from this release on: it calls none of charge_one, charge_batch, post_transfer,
-- place_hold_if_open, place_hold, end_hold, capture_hold, expire_holds, lock_accounts, tell_account, tell_hold, iso and
-- count_ledger(bigint). Replicas of the previous release still do during a roll-out, so the next release drops these.
-- Functions that neither release calls are dropped now.

drop function charge_many;
drop function tell_transfer(bigint, jsonb);
drop function account_name(bigint);
drop function count_ledger();
