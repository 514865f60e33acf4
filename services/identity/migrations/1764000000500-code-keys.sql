-- Codes have keys of their own, which rotate: a try comes with its hash by each key.

create function try_code(p_purpose text, p_subject text, p_hashes bytea[], p_consume boolean, out accepted boolean, out reference text)
language plpgsql as $$
declare c code; at timestamptz;
begin
  accepted := false;
  insert into code (purpose, subject) values (p_purpose, p_subject) on conflict do nothing;
  select * into c from code where code.purpose = p_purpose and code.subject = p_subject for update;
  at := app_now();
  if c.tries_since is null or c.tries_since <= at - interval '10 minutes' then c.tries := 0; c.tries_since := at; end if;
  if c.day_since is null or c.day_since <= at - interval '1 day' then c.day_tries := 0; c.day_since := at; end if;
  if c.tries >= 5 or c.day_tries >= 20 then return; end if;
  if c.hash = any(p_hashes) and c.expires_at > at then
    accepted := true;
    reference := c.reference;
    c.tries := 0; c.day_tries := 0; c.code_tries := 0;
    if p_consume then c.hash := null; end if;
  else
    c.tries := c.tries + 1; c.day_tries := c.day_tries + 1; c.code_tries := c.code_tries + 1;
    if c.code_tries >= 5 or c.tries >= 5 or c.day_tries >= 20 then c.hash := null; end if;
  end if;
  update code set hash = c.hash, code_tries = c.code_tries, tries = c.tries, tries_since = c.tries_since,
    day_tries = c.day_tries, day_since = c.day_since, touched_at = at
  where code.purpose = p_purpose and code.subject = p_subject;
end $$;
comment on function try_code is
  'Checks a code by its hashes and counts the try in one statement: 5 tries of a code, 5 wrong ones in 10 minutes, 20 a day; a right one resets.';

-- For replicas of the release before; drop it when none is left.
create or replace function check_code(p_purpose text, p_subject text, p_hash bytea, p_consume boolean, out accepted boolean, out reference text)
language sql as $$ select t.accepted, t.reference from try_code(p_purpose, p_subject, array[p_hash], p_consume) t $$;
