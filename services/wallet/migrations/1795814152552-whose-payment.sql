-- Whose payment it is: a random key, made before the provider is asked, which the provider returns with the payment.
-- A deposit that the previous release opened has none.
alter table deposit add column payment_key text;

-- When the provider is next asked whether it was paid; null: never again. The previous release's deposits are asked about, too.
alter table deposit add column ask_at timestamptz;
alter table deposit alter column ask_at set default app_now() + interval '1 minute';
update deposit set ask_at = app_now() where status in ('initiated', 'pending') and paid_at is null;

-- A deposit that the provider refused to open leaves nothing: the role of the service may delete no other.
create function discard_unopened(_deposit bigint) returns boolean language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from deposit
    where id = _deposit and status = 'failed' and provider_ref is null and paid_at is null and entries = 0
    returning id
  ), unlisted as (
    delete from payment p using gone where p.source = 'deposit:' || gone.id
  )
  select exists (select from gone)
$$;
comment on function discard_unopened is 'Removes a failed deposit that no provider has opened and that was never paid, and its payment; false: it is another.';

-- Who moved a withdrawal to `success`, `failed` or `canceled` last, by the name of that moment, and when; nobody while it is open.
alter table withdrawal add column decider_id bigint, add column decider_name text, add column decided_at timestamptz;

create function account_signs(_account text) returns text language sql immutable parallel safe strict
return lower(regexp_replace(_account, '[^[:alnum:]]', '', 'g'));
comment on function account_signs is 'A payout account as it is searched: its letters and digits.';
