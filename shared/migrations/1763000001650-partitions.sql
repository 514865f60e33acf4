-- How a table that only grows becomes a partitioned one under its own name while replicas of both releases use it. A
-- migration of the service without a transaction calls twin and by_hash; a job calls copy_partitions until it is done.
-- docs/decisions/0048-partitions.md has the reasons.

create schema partitioning;
create schema twin;
comment on schema twin is 'The next table until it takes the name: apart, so that keys and indexes have their names from the start.';
create schema retired;
comment on schema retired is 'Tables of before, after the switch. The next release drops them.';

create table partitioning.progress (
  table_name text primary key,
  -- of the old table, how many there are to copy and how many are done
  blocks bigint not null,
  copied bigint not null default 0,
  analyzed boolean not null default false,
  switched_at timestamptz
);

create function partitioning.is_done(_table text) returns boolean language sql stable
return (select relkind = 'p' from pg_class where oid = format('public.%I', _table)::regclass)
  or exists (select from partitioning.progress where table_name = _table);

-- Locks a table in use. Waits a tenth of a second at a time, so that whoever queues behind waits no longer.
create function partitioning.lock(_table text, _mode text, _tries int) returns void
language plpgsql set lock_timeout = '100ms' as $$
begin
  for attempt in 1 .. _tries loop
    begin
      execute format('lock table %s in %s mode', _table::regclass, _mode);
      return;
    exception when lock_not_available then
      if attempt = _tries then raise; end if;
      perform pg_sleep(0.1 + random() * 0.2);
    end;
  end loop;
end $$;

/*
 * Makes the next table, empty and beside the old one, with its columns, checks, keys, indexes, foreign keys and rights.
 * PostgreSQL wants the partition key in every unique key: a key without it becomes a plain index, and must be unique by
 * itself, as ids of one sequence are. Each partition has the table's name in a schema of its own (part_0, ...), so that
 * errors name the same table and the same constraint as before.
 */
create function partitioning.twin(_table text, _key text, _parts int) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  source regclass := format('public.%I', _table)::regclass;
  key_number smallint := (select attnum from pg_attribute where attrelid = source and attname = _key);
  one record;
begin
  if partitioning.is_done(_table) then return; end if;
  if exists (select from pg_constraint where confrelid = source)
    or exists (select from pg_trigger where tgrelid = source and not tgisinternal)
    or exists (select from pg_depend where refobjid = source and classid in ('pg_rewrite'::regclass, 'pg_proc'::regclass))
    or exists (select from pg_depend d join pg_type t on t.oid = d.refobjid left join pg_type e on e.oid = t.typelem
      where d.classid = 'pg_proc'::regclass and source in (t.typrelid, e.typrelid)) then
    raise exception 'foreign keys, triggers, views or functions belong to % itself: they would stay with the old table', _table;
  end if;
  execute format('drop table if exists twin.%I', _table);
  execute format('create table twin.%1$I (like public.%1$I including all excluding identity excluding indexes)
    partition by hash (%2$I)', _table, _key);
  for part in 0 .. _parts - 1 loop
    execute format('create schema if not exists part_%s', part);
    execute format('create table part_%1$s.%2$I partition of twin.%2$I for values with (modulus %3$s, remainder %1$s)',
      part, _table, _parts);
  end loop;
  for one in
    select conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = source and contype in ('p', 'u') and key_number = any(conkey)
  loop
    execute format('alter table twin.%I add constraint %I %s', _table, one.conname, one.definition);
  end loop;
  for one in
    select replace(case when key_number = any(indkey) then pg_get_indexdef(indexrelid)
        else replace(pg_get_indexdef(indexrelid), 'CREATE UNIQUE INDEX', 'CREATE INDEX') end,
      format(' ON public.%I ', _table), format(' ON twin.%I ', _table)) as definition
    from pg_index where indrelid = source and not exists (
      select from pg_constraint where conindid = indexrelid and contype in ('p', 'u') and key_number = any(conkey))
  loop
    execute one.definition;
  end loop;
  for one in
    select i.inhrelid::regclass as part, whole.relname as wanted
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class whole on whole.oid = i.inhparent
      join pg_index x on x.indexrelid = whole.oid
    where x.indrelid = format('twin.%I', _table)::regclass and c.relname <> whole.relname
  loop
    execute format('alter index %s rename to %I', one.part, one.wanted);
  end loop;
  for one in
    select grantee::regrole as grantee, string_agg(privilege_type, ', ') as privileges
    from pg_class, aclexplode(relacl) where oid = source and grantee not in (relowner, 0) group by 1
  loop
    execute format('grant %s on twin.%I to %s', one.privileges, _table, one.grantee);
  end loop;
  -- Last, since it locks the tables that it refers to until the end of the transaction.
  for one in
    select conname, pg_get_constraintdef(oid) as definition, confrelid::regclass::text as referred
    from pg_constraint where conrelid = source and contype = 'f' order by confrelid
  loop
    perform partitioning.lock(one.referred, 'share row exclusive', 300);
    execute format('alter table twin.%I add constraint %I %s', _table, one.conname, one.definition);
  end loop;
end $$;

-- The twin takes the name, and its ids go on where the old table's were. The caller has locked the old table.
create function partitioning.swap(_table text) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  id record;
  next_id bigint;
begin
  select attname as name, case attidentity when 'a' then 'always' else 'by default' end as given,
    pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence
  into strict id from pg_attribute where attrelid = format('public.%I', _table)::regclass and attidentity <> '';
  execute format('select last_value + is_called::int from %s', id.sequence) into next_id;
  execute format('alter table public.%I alter %I drop identity', _table, id.name);
  execute format('alter table public.%I set schema retired', _table);
  execute format('alter table twin.%I set schema public', _table);
  execute format('alter table public.%I alter %I add generated %s as identity (start with %s)',
    _table, id.name, id.given, next_id);
end $$;

-- While the table is copied, what is written to it is written to both in the same transaction.
create function partitioning.mirror() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('insert into twin.%I select * from added', tg_table_name);
  return null;
end $$;

create function partitioning.frozen() returns trigger language plpgsql as $$
begin
  raise exception '% is being partitioned: until that is done its rows are only added to', tg_table_name;
end $$;

-- Begins the copy; an empty table is switched at once. For tables whose rows are never changed.
create function partitioning.by_hash(_table text) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  is_empty boolean;
begin
  if partitioning.is_done(_table) then return; end if;
  perform partitioning.lock(format('public.%I', _table), 'access exclusive', 300);
  execute format('select not exists (select from public.%I)', _table) into is_empty;
  if is_empty then
    perform partitioning.swap(_table);
    execute format('drop table retired.%I', _table);
    return;
  end if;
  execute format('create trigger mirror after insert on public.%I referencing new table as added
    for each statement execute function partitioning.mirror()', _table);
  execute format('create trigger frozen before update or delete or truncate on public.%I
    for each statement execute function partitioning.frozen()', _table);
  -- Whoever wrote without the trigger has ended: those rows lie before this.
  insert into partitioning.progress (table_name, blocks)
  values (_table, pg_relation_size(format('public.%I', _table)::regclass) / current_setting('block_size')::int);
end $$;

-- Copies some blocks and compares every row of them with its copy, by the key: the twin may have no statistics yet.
create function partitioning.copy(_table text, _from bigint, _till bigint) returns void language plpgsql
set search_path = public, pg_temp set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  blocks text := format('o.ctid >= ''(%s,0)'' and o.ctid < ''(%s,0)''', _from, _till);
  same_key text := (
    select string_agg(format('n.%1$I = o.%1$I', attname), ' and ')
    from (select * from pg_constraint where conrelid = format('twin.%I', _table)::regclass and contype in ('p', 'u')
      order by contype limit 1) as key
    join pg_attribute on attrelid = conrelid and attnum = any(conkey));
  different bigint;
begin
  execute format('insert into twin.%1$I select o.* from public.%1$I o where %2$s on conflict do nothing', _table, blocks);
  execute format('select count(*) from public.%1$I o where %2$s and not exists (
    select from twin.%1$I n where %3$s and row(n.*) is not distinct from row(o.*))', _table, blocks, same_key) into different;
  if different > 0 then
    raise exception '% rows of % differ from their copies: it is not switched', different, _table;
  end if;
end $$;

create function copy_partitions(_blocks int) returns boolean language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  at partitioning.progress;
  upto bigint;
begin
  select * into at from partitioning.progress where switched_at is null order by table_name limit 1 for update skip locked;
  if not found then return false; end if;
  if at.copied < at.blocks then
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
  return exists (select from partitioning.progress where switched_at is null);
end $$;
comment on function copy_partitions is
  'One step for a table that is being partitioned: copies blocks, and after the last one switches. True when there is more.';
