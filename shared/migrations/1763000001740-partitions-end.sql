-- The old table of a table in partitions goes by a last step of the job and not by a migration: the copy may be under way
-- when this release comes, or only begin then. It goes when each of its rows has been found in the table in use.

alter table partitioning.progress
  -- of the retired table
  add column compared bigint not null default 0,
  add column dropped_at timestamptz;
comment on schema retired is 'Tables of before, after the switch, until the job has compared them with those in use.';

-- Locks tables in use, all or none. Waits a tenth of a second at a time, so that whoever queues behind waits no longer.
create function partitioning.lock(_tables regclass[], _mode text, _tries int) returns void
language plpgsql set lock_timeout = '100ms' as $$
begin
  for attempt in 1 .. _tries loop
    begin
      execute format('lock table %s in %s mode', array_to_string(_tables, ', '), _mode);
      return;
    exception when lock_not_available then
      if attempt = _tries then raise; end if;
      perform pg_sleep(0.1 + random() * 0.2);
    end;
  end loop;
end $$;

create or replace function partitioning.lock(_table text, _mode text, _tries int) returns void language sql
return partitioning.lock(array[_table::regclass], _mode, _tries);

-- How many rows in some blocks of a table have no equal in the other one, by the key of that one, which may have no
-- statistics yet.
create function partitioning.missing(_old regclass, _new regclass, _from bigint, _till bigint) returns bigint
language plpgsql
set search_path = public, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  same_key text := (
    select string_agg(format('n.%1$I = o.%1$I', attname), ' and ')
    from (select * from pg_constraint where conrelid = _new and contype in ('p', 'u') order by contype limit 1) as key
    join pg_attribute on attrelid = conrelid and attnum = any(conkey));
  -- A later release may add columns to the new one, or drop some.
  same_row text := (
    select format('row(%s) is not distinct from row(%s)', string_agg(format('n.%I', attname), ', '),
      string_agg(format('o.%I', attname), ', '))
    from pg_attribute o where attrelid = _old and attnum > 0 and not attisdropped and exists (
      select from pg_attribute n where n.attrelid = _new and n.attname = o.attname and not n.attisdropped));
  missing bigint;
begin
  execute format('select count(*) from %s o where o.ctid >= ''(%s,0)'' and o.ctid < ''(%s,0)'' and not exists (
    select from %s n where %s and %s)', _old, _from, _till, _new, same_key, same_row) into missing;
  return missing;
end $$;

create or replace function partitioning.copy(_table text, _from bigint, _till bigint) returns void language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  different bigint;
begin
  execute format('insert into twin.%1$I select o.* from public.%1$I o
    where o.ctid >= ''(%2$s,0)'' and o.ctid < ''(%3$s,0)'' on conflict do nothing', _table, _from, _till);
  different := partitioning.missing(format('public.%I', _table), format('twin.%I', _table), _from, _till);
  if different > 0 then
    raise exception '% rows of % differ from their copies: it is not switched', different, _table;
  end if;
end $$;

-- One step towards the end of the retired table. Dropping it locks the tables that it refers to.
create function partitioning.retire(_table text, _blocks int) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  old regclass := to_regclass(format('retired.%I', _table));
  block bigint := (select compared from partitioning.progress where table_name = _table);
  blocks bigint := pg_relation_size(old) / current_setting('block_size')::int;
  upto bigint := least(block + _blocks, blocks);
  lacking bigint;
begin
  if block < blocks then
    lacking := partitioning.missing(old, format('public.%I', _table), block, upto);
    if lacking > 0 then
      raise exception '% rows of retired.% are not in % as they were: it stays', lacking, _table, _table;
    end if;
    update partitioning.progress set compared = upto where table_name = _table;
    return;
  end if;
  if old is not null then
    perform partitioning.lock(old || array(
      select distinct confrelid::regclass from pg_constraint where conrelid = old and contype = 'f'), 'access exclusive', 10);
    execute format('drop table %s', old);
  end if;
  update partitioning.progress set dropped_at = clock_timestamp() where table_name = _table;
end $$;

create or replace function copy_partitions(_blocks int) returns boolean language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  at partitioning.progress;
  upto bigint;
begin
  select * into at from partitioning.progress where dropped_at is null order by table_name limit 1 for update skip locked;
  if not found then return false; end if;
  if at.switched_at is not null then
    perform partitioning.retire(at.table_name, _blocks);
  elsif at.copied < at.blocks then
    upto := least(at.copied + _blocks, at.blocks);
    perform partitioning.copy(at.table_name, at.copied, upto);
    update partitioning.progress set copied = upto where table_name = at.table_name;
  elsif not at.analyzed then
    execute format('analyze twin.%I', at.table_name);
    update partitioning.progress set analyzed = true where table_name = at.table_name;
  else
    perform partitioning.lock(format('public.%I', at.table_name), 'access exclusive', 10);
    execute format('drop trigger mirror on public.%I', at.table_name);
    execute format('drop trigger frozen on public.%I', at.table_name);
    perform partitioning.swap(at.table_name);
    update partitioning.progress set switched_at = clock_timestamp() where table_name = at.table_name;
  end if;
  return exists (select from partitioning.progress where dropped_at is null);
end $$;
comment on function copy_partitions is
  'One step for a table that is being partitioned: copies blocks, switches, compares blocks again, drops the old table. True when there is more.';
