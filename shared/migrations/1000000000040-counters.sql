-- Numbers that are kept in the transaction of whoever writes, so that nobody reads the rows to count them. Triggers keep
-- them and decide nothing: no statement can forget to count.

-- Counters in slots: a transaction adds to a slot that no other one is at, so nobody ever waits.
create table tally (
  name text collate "C" not null,
  slot bigint generated always as identity,
  count bigint not null,
  amount numeric not null,
  primary key (name, slot)
) with (fillfactor = 50);
comment on table tally is 'A counter is the sum of its slots.';
comment on column tally.name is 'What is counted, in words parted by colons: `deposit:success`.';

create function tally_add(_name text, _count bigint, _amount numeric default 0) returns void language plpgsql
as $$
declare
  free bigint;
begin
  if _count = 0 and _amount = 0 then return; end if;
  select slot into free from tally where name = _name order by slot limit 1 for update skip locked;
  if found then
    update tally set count = count + _count, amount = amount + _amount where name = _name and slot = free;
  else
    insert into tally (name, count, amount) values (_name, _count, _amount);
  end if;
end $$;
comment on function tally_add is 'Adds to a counter. Call it as often as you like: it waits for nobody.';

-- Exact numbers of a list's rows by range of ids, so that neither a total nor a far page is found by reading the rows.
-- Keeps the table <table>_tally: how many rows have these values in these columns, by id / 8192 and UTC day of
-- created_at. Rows whose column `_gone` is set do not count. For a table that is empty.
create function keep_tally(_table text, _columns text[], _gone text default null) returns void language plpgsql
as $$
declare
  tally text := quote_ident(_table || '_tally');
  names text := array_to_string(_columns, ', ');
  counted text := coalesce(quote_ident(_gone) || ' is null', 'true');
  -- what of a row its number depends on; `~` is the row
  seen text := '~.id, ~.' || array_to_string(_columns, ', ~.') || ', ~.created_at' || coalesce(', ~.' || _gone || ' is null', '');
begin
  execute format('create table %s as select id >> 13 as bucket, %s, (created_at at time zone ''UTC'')::date as created_at,
    0::bigint as rows, false as settled from %I with no data', tally, names, _table);
  execute format('create index on %s (settled, bucket)', tally);
  execute format('comment on table %s is %L', tally, 'Exact as the sum of `rows`: writers only add lines, and settle_tally '
    'merges them, so that nobody waits for a line. created_at is a day.');

  execute format($f$
    create function %1$s_rows() returns trigger language plpgsql as $b$
    begin
      insert into %1$s (bucket, %2$s, created_at, rows, settled)
      select bucket, %2$s, day, case tg_op when 'INSERT' then count(*) else -count(*) end, false
      from (select id >> 13 as bucket, %2$s, (created_at at time zone 'UTC')::date as day from changed where %3$s) c
      group by bucket, %2$s, day;
      return null;
    end $b$;
    create function %1$s_row() returns trigger language plpgsql as $b$
    begin
      insert into %1$s (bucket, %2$s, created_at, rows, settled)
      select id >> 13, %2$s, (created_at at time zone 'UTC')::date, change, false
      from (select (old).*, -1 as change union all select (new).*, 1) c where %3$s;
      return null;
    end $b$ $f$, tally, names, counted);
  execute format('create trigger tally_inserted after insert on %I referencing new table as changed
    for each statement execute function %s_rows()', _table, tally);
  execute format('create trigger tally_deleted after delete on %I referencing old table as changed
    for each statement execute function %s_rows()', _table, tally);
  execute format('create trigger tally_updated after update on %I for each row when ((%s) is distinct from (%s))
    execute function %s_row()', _table, replace(seen, '~', 'old'), replace(seen, '~', 'new'), tally);
end $$;
comment on function keep_tally is 'For migrations: counts the rows of a list in <table>_tally from now on.';

create function tally_key(_tally regclass) returns text language sql stable
as $$
  select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
  where attrelid = _tally and attnum > 0 and not attisdropped and attname not in ('rows', 'settled')
$$;
comment on function tally_key is 'What a line of a tally is about: its columns but for `rows` and `settled`.';

create function settle_tally(_table text, _limit int) returns bigint language plpgsql
as $$
declare
  tally text := quote_ident(_table || '_tally');
  key text := tally_key(tally::regclass);
  merged bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext(tally)) then return 0; end if;
  execute format('
    with fresh as (
      delete from %1$s where ctid = any(array(select ctid from %1$s where not settled order by bucket limit $1))
      returning *
    ), earlier as (
      delete from %1$s t using (select distinct %2$s from fresh) f
      where t.settled and t.bucket = f.bucket and (t.%3$s) is not distinct from (f.%4$s)
      returning t.*
    ), merged as (
      insert into %1$s (%2$s, rows, settled)
      select %2$s, sum(rows), true from (table fresh union all table earlier) a group by %2$s having sum(rows) <> 0
    )
    select count(*) from fresh', tally, key, replace(key, ', ', ', t.'), replace(key, ', ', ', f.'))
  into merged using _limit;
  return merged;
end $$;
comment on function settle_tally is
  'Merges up to _limit new lines of a tally with the earlier ones of the same key; answers how many, 0 beside another run.';
