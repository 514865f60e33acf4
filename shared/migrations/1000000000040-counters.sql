-- Exact numbers, kept in the transaction of whoever writes, so that nobody reads the rows to count them. Triggers keep
-- them and decide nothing: no statement can forget to count.

create function utc_day(at timestamptz) returns date language sql immutable parallel safe
return (at at time zone 'UTC')::date;

-- Keeps the table <table>_tally: how many rows there are, and the sum of `_amount` over them, for each value of `_key`
-- (expressions of the row, none of them null in the first). A list's first is `id >> 13 as bucket`: by it, far pages are
-- found. For a table that is empty.
create function keep_tally(_table text, _key text, _amount text default '0') returns void language plpgsql
as $$
declare
  tally text := quote_ident(_table || '_tally');
  key text;
  places text;
  was text;
  becomes text;
begin
  execute format('create table %s as select %s, 0::bigint as rows, 0::numeric as amount, false as settled from %I
    with no data', tally, _key, _table);
  key := tally_key(tally::regclass);
  execute format('create index on %s (settled, %s)', tally, split_part(key, ',', 1));
  execute format('comment on table %s is %L', tally, 'Exact as the sum of `rows` and `amount`: writers only add lines, and '
    'settle_tallies merges them, so that nobody waits for a line.');
  select string_agg(place::text, ', ') into places from generate_series(1, cardinality(string_to_array(key, ','))) place;
  -- The columns that the numbers depend on.
  select string_agg('old.' || quote_ident(attname), ', '), string_agg('new.' || quote_ident(attname), ', ')
  into was, becomes from pg_attribute
  where attrelid = _table::regclass and attnum > 0 and concat_ws(' ', _key, _amount) ~ ('\m' || attname || '\M');

  execute format($f$
    create function %1$s_add() returns trigger language plpgsql as $b$
    begin
      if tg_level = 'ROW' then
        insert into %1$s (%2$s, rows, amount, settled)
        select %3$s, change, change * (%5$s), false from (select (old).*, -1 as change union all select (new).*, 1) c;
      else
        insert into %1$s (%2$s, rows, amount, settled)
        select %3$s, case tg_op when 'INSERT' then count(*) else -count(*) end,
          case tg_op when 'INSERT' then sum(%5$s) else -sum(%5$s) end, false
        from changed group by %4$s;
      end if;
      return null;
    end $b$ $f$, tally, key, _key, places, _amount);
  execute format('create trigger tally_inserted after insert on %I referencing new table as changed
    for each statement execute function %s_add()', _table, tally);
  execute format('create trigger tally_deleted after delete on %I referencing old table as changed
    for each statement execute function %s_add()', _table, tally);
  execute format('create trigger tally_updated after update on %I for each row when ((%s) is distinct from (%s))
    execute function %s_add()', _table, was, becomes, tally);
end $$;
comment on function keep_tally is 'For migrations: counts the rows of a table in <table>_tally from now on.';

create function tally_key(_tally regclass) returns text language sql stable
as $$
  select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
  where attrelid = _tally and attnum > 0 and attname not in ('rows', 'amount', 'settled')
$$;
comment on function tally_key is 'What a line of a tally is about: its columns but for the numbers.';

create function settle_tallies(_limit int) returns boolean language plpgsql
as $$
declare
  tally regclass;
  key text;
  is_new boolean;
  merged bigint;
  is_more boolean := false;
begin
  for tally in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname ~ '_tally$' loop
    execute format('select exists (select from %s where not settled)', tally) into is_new;
    continue when not is_new or not pg_try_advisory_xact_lock(tally::oid::bigint);
    key := tally_key(tally);
    execute format('
      with fresh as (
        delete from %1$s where ctid = any(array(select ctid from %1$s where not settled order by %3$s limit $1))
        returning *
      ), earlier as (
        delete from %1$s t using (select distinct %2$s from fresh) f
        where t.settled and t.%3$s = f.%3$s and (t.%4$s) is not distinct from (f.%5$s)
        returning t.*
      ), merged as (
        insert into %1$s (%2$s, rows, amount, settled)
        select %2$s, sum(rows), sum(amount), true from (table fresh union all table earlier) a
        group by %2$s having sum(rows) <> 0 or sum(amount) <> 0
      )
      select count(*) from fresh', tally, key, split_part(key, ',', 1), replace(key, ', ', ', t.'), replace(key, ', ', ', f.'))
    into merged using _limit;
    is_more := is_more or merged = _limit;
  end loop;
  return is_more;
end $$;
comment on function settle_tallies is
  'Merges up to _limit new lines of each tally with the earlier ones of the same key; true when some may be left.';
