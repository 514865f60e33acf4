-- Who moved a withdrawal to pending last, by the name of that moment, and when; null when nobody has since this release.
alter table withdrawal add column claimer_id bigint, add column claimer_name text, add column claimed_at timestamptz;
