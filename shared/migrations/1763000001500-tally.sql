-- Exact numbers of a list's rows by range of ids, so that neither a total nor a far page is found by reading the rows.

-- Keeps the table <table>_tally: how many rows have these values in these columns, by id / 8192 and UTC day of
-- created_at. Rows whose column `_gone` is set do not count. Call fill_tally once afterwards, in a later transaction.
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

-- What a line of a tally is about: its columns but for `rows` and `settled`.
create function tally_key(_tally regclass) returns text language sql stable
as $$
  select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
  where attrelid = _tally and attnum > 0 and not attisdropped and attname not in ('rows', 'settled')
$$;

-- Adds what the tally lacks, so that it counts the rows of before; repeatable, and right beside writers.
create function fill_tally(_table text, _gone text default null) returns void language plpgsql
as $$
declare
  tally text := quote_ident(_table || '_tally');
  key text := tally_key(tally::regclass);
begin
  execute format('insert into %1$s (%2$s, rows, settled)
    select %2$s, sum(rows), false from (
      select %3$s, 1 as rows from (select id >> 13 as bucket, * from %4$I where %5$s) t
      union all select %2$s, -rows from %1$s) c
    group by %2$s having sum(rows) <> 0', tally, key,
    replace(key, 'created_at', '(created_at at time zone ''UTC'')::date as created_at'), _table,
    coalesce(quote_ident(_gone) || ' is null', 'true'));
end $$;

-- Merges up to `_limit` new lines of a tally with the earlier ones of the same key; answers how many. 0 beside another
-- run, which would merge with the same lines.
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
