-- Grown tables in partitions: how a plain table becomes a partitioned one under its own name while old and new replicas
-- use it, and how its partitions are made ahead, dropped and moved out. docs/decisions/0041-partitions.md has the reasons.
-- A migration that runs without a transaction calls, for each table:
--   by time: partition_history, partition_validate, partition_by_time (the old table becomes the oldest partition);
--   by hash: partition_twin, partition_by_hash (a job copies the old table with partition_copy, which switches at the end).
-- Each of them may be called again after a failure, and does nothing once the table is partitioned.

-- Only the owner can name what is in here: a service reaches a partition through its table, with that table's rights.
create schema partitions;
-- The next table, until it takes its name: in a schema of its own its keys and indexes have their names from the start.
create schema twin;

create table partitioning (
  table_name text primary key,
  key text not null,
  -- By time: a day or a month a partition, made up to made_until; what was there before lies in one up to history_until.
  unit text check (unit in ('day', 'month')),
  made_until date,
  history_until date,
  -- A partition whose time is over goes when no row meets any of these; null: it stays.
  kept_while text[],
  -- Rows that go one by one, oldest first, where a partition is too large to go in time.
  swept_when text,
  swept_by text,
  -- By hash, while the old table is copied: how many of its blocks, and how many of them are done.
  blocks bigint,
  copied bigint not null default 0
);
comment on table partitioning is 'How tables are partitioned; only the owner''s functions write it.';

create function partition_is(t text) returns boolean language sql stable
return (select relkind = 'p' from pg_class where oid = format('public.%I', t)::regclass);

-- A table's own settings, which a partitioned table cannot have: its partitions get them.
create function partition_settings(source regclass) returns text language sql stable
return coalesce((select 'with (' || array_to_string(reloptions, ', ') || ')' from pg_class where oid = source), '');

-- Locks a table in use: waits a tenth of a second at a time, so that whoever queues behind it waits no longer.
create function partition_lock(t text, mode text default 'access exclusive', tries int default 300) returns void
language plpgsql set lock_timeout = '100ms' as $$
begin
  for attempt in 1 .. tries loop
    begin
      execute format('lock table public.%I in %s mode', t, mode);
      return;
    exception when lock_not_available then
      if attempt = tries then raise; end if;
      perform pg_sleep(0.1 + random() * 0.2);
    end;
  end loop;
end $$;

-- A day's beginning as a value of the key: a time, or the UUIDv7 that no event of an earlier day reaches.
create function partition_bound(t text, key text, day date) returns text language sql stable
return case (select atttypid::regtype::text from pg_attribute where attrelid = format('public.%I', t)::regclass and attname = key)
  when 'uuid' then (lpad(to_hex((extract(epoch from day) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid::text
  else to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00' end;

/*
 * Makes the next table, empty and beside the old one, with the columns, checks, keys, indexes, foreign keys and rights
 * that this one has now. PostgreSQL wants the partition key in every unique key: it is added where it is missing. A unique
 * index <t>_partition_key is not copied: it was built for the old table, as its key when it becomes a partition.
 */
create function partition_twin(t text, key text, strategy text, parts int default 0) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  source regclass := format('public.%I', t)::regclass;
  key_number smallint := (select attnum from pg_attribute where attrelid = source and attname = key);
  one record;
begin
  if partition_is(t) or exists (select from partitioning where table_name = t) then return; end if;
  if exists (select from pg_constraint where confrelid = source)
    or exists (select from pg_depend where refobjid = source and classid in ('pg_rewrite'::regclass, 'pg_proc'::regclass)) then
    raise exception 'tables, views or functions refer to % itself: they would stay with the old one', t;
  end if;
  execute format('drop table if exists twin.%I', t);
  execute format('create table twin.%1$I (like public.%1$I including all excluding identity excluding indexes) partition by %2$s (%3$I)',
    t, strategy, key);
  execute format('alter table twin.%I drop constraint if exists partition_history', t);
  for one in
    select conname, case when key_number = any(conkey) then pg_get_constraintdef(oid)
      else regexp_replace(pg_get_constraintdef(oid), '\)$', format(', %I)', key)) end as definition
    from pg_constraint where conrelid = source and contype in ('p', 'u') order by contype
  loop
    execute format('alter table twin.%I add constraint %I %s', t, one.conname, one.definition);
  end loop;
  for one in
    select replace(pg_get_indexdef(i.indexrelid), format(' ON public.%I ', t), format(' ON twin.%I ', t)) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = source and c.relname <> t || '_partition_key'
      and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u'))
  loop
    execute one.definition;
  end loop;
  for part in 0 .. parts - 1 loop
    execute format('create table partitions.%I partition of twin.%I for values with (modulus %s, remainder %s) %s',
      t || '_' || lpad(part::text, 2, '0'), t, parts, part, partition_settings(source));
  end loop;
  for one in
    select grantee::regrole::text as grantee, string_agg(privilege_type, ', ') as privileges
    from pg_class, aclexplode(relacl) where oid = source and grantee <> relowner and grantee <> 0 group by 1
  loop
    execute format('grant %s on twin.%I to %s', one.privileges, t, one.grantee);
  end loop;
  -- Last, since it locks the tables that it refers to until the end of the transaction.
  for one in
    select conname, pg_get_constraintdef(oid) as definition, confrelid::regclass::text as referred
    from pg_constraint where conrelid = source and contype = 'f' order by confrelid
  loop
    perform partition_lock(one.referred, 'share row exclusive');
    execute format('alter table twin.%I add constraint %I %s', t, one.conname, one.definition);
  end loop;
end $$;

/*
 * The twin takes the name: with the next ids of the old table, its triggers, and the functions that return its rows. The
 * caller has locked the old table, which moves to the schema partitions, without triggers and identity.
 */
create function partition_swap(t text) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  source regclass := format('public.%I', t)::regclass;
  row_type oid := (select reltype from pg_class where oid = source);
  one record;
  statements text[] := '{}';
  next_id bigint;
begin
  for one in select tgname, pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = source and not tgisinternal loop
    statements := statements || one.definition;
    execute format('drop trigger %I on public.%I', one.tgname, t);
  end loop;
  for one in
    select distinct p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
    from pg_depend d join pg_proc p on p.oid = d.objid
    where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_type'::regclass
      and d.refobjid in (row_type, (select typarray from pg_type where oid = row_type))
  loop
    statements := statements || one.definition;
    execute format('drop function %s', one.name);
  end loop;
  for one in
    select attname, case attidentity when 'a' then 'always' else 'by default' end as given,
      pg_get_serial_sequence(source::text, attname) as sequence
    from pg_attribute where attrelid = source and attidentity <> ''
  loop
    execute format('select last_value + is_called::int from %s', one.sequence) into next_id;
    statements := statements
      || format('alter table public.%I alter %I add generated %s as identity (start with %s)', t, one.attname, one.given, next_id);
    execute format('alter table public.%I alter %I drop identity', t, one.attname);
  end loop;
  execute format('alter table public.%I set schema partitions', t);
  execute format('alter table twin.%I set schema public', t);
  for one in select unnest(statements) as statement loop
    execute one.statement;
  end loop;
end $$;

-- BY TIME

-- Promises that the old table holds nothing after the next month: proven by partition_validate while it is in use, this
-- makes it a partition without a look at its rows. Should the migration be given up in between, drop the constraint within
-- that time.
create function partition_history(t text, key text) returns void language plpgsql
set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if partition_is(t) then return; end if;
  perform partition_lock(t);
  execute format('alter table public.%I drop constraint if exists partition_history', t);
  execute format('alter table public.%I add constraint partition_history check (%I < %L) not valid', t, key,
    partition_bound(t, key, date_trunc('month', current_date + interval '2 months')::date));
end $$;

create function partition_validate(t text) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  if not partition_is(t) then execute format('alter table public.%I validate constraint partition_history', t); end if;
end $$;

-- A partition is made apart and attached, which stops neither readers nor writers of the others.
create function partition_add(t text, name text, bounds text) returns void language plpgsql
set search_path = public, pg_temp as $$
begin
  execute format('create table partitions.%I (like public.%I including all excluding identity) %s', name, t,
    partition_settings(format('partitions.%I', t || '_default')::regclass));
  execute format('alter table public.%I attach partition partitions.%I %s', t, name, bounds);
end $$;

-- Makes the partitions of the next days or months. One is left out when the default partition has rows of its time (they
-- were written when nobody had made it): that time stays there, where old rows go one by one.
create function partition_ahead(t text) returns void language plpgsql security definer
set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '100ms' as $$
declare
  rule partitioning;
  step interval;
  till date;
  lower_bound text;
  upper_bound text;
  blocked boolean;
begin
  select * into rule from partitioning where table_name = t and unit is not null for update skip locked;
  if not found then return; end if;
  step := ('1 ' || rule.unit)::interval;
  while rule.made_until <= current_date + 3 * step loop
    till := rule.made_until + step;
    lower_bound := partition_bound(t, rule.key, rule.made_until);
    upper_bound := partition_bound(t, rule.key, till);
    execute format('select exists (select from partitions.%I where %2$I >= %3$L and %2$I < %4$L)',
      t || '_default', rule.key, lower_bound, upper_bound) into blocked;
    if not blocked then
      perform partition_add(t, t || '_' || to_char(rule.made_until, case rule.unit when 'day' then 'YYYYMMDD' else 'YYYYMM' end),
        format('for values from (%L) to (%L)', lower_bound, upper_bound));
    end if;
    update partitioning set made_until = till where table_name = t;
    rule.made_until := till;
  end loop;
end $$;

-- Rows are not removed before their time. The release before removes by ctid, which names a row in every partition.
create function partition_keep() returns trigger language plpgsql as $$
begin
  return null;
end $$;

/*
 * The switch: the old table, proven to hold nothing later, becomes the oldest partition; an empty one goes. `kept`, `swept`
 * and `by` as in the table partitioning.
 */
create function partition_by_time(t text, key text, unit text, kept text[] default null, swept text default null, by text default null)
returns void language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  key_name text := (select conname from pg_constraint where conrelid = format('public.%I', t)::regclass and contype = 'p');
  settings text := partition_settings(format('public.%I', t)::regclass);
  history date := date_trunc('month', current_date + interval '2 months');
  empty boolean;
begin
  if partition_is(t) then return; end if;
  perform partition_twin(t, key, 'range');
  perform partition_lock(t);
  execute format('select not exists (select from public.%I)', t) into empty;
  perform partition_swap(t);
  if empty then
    execute format('drop table partitions.%I', t);
    history := null;
  else
    if to_regclass(format('partitions.%I', t || '_partition_key')) is not null then
      execute format('alter table partitions.%I drop constraint %I', t, key_name);
      execute format('alter table partitions.%I add constraint %I primary key using index %I', t, key_name, t || '_partition_key');
    end if;
    execute format('alter table public.%1$I attach partition partitions.%1$I for values from (minvalue) to (%2$L)',
      t, partition_bound(t, key, history));
    execute format('alter table partitions.%I drop constraint partition_history', t);
  end if;
  execute format('create table partitions.%I partition of public.%I default %s', t || '_default', t, settings);
  insert into partitioning (table_name, key, unit, made_until, history_until, kept_while, swept_when, swept_by)
  values (t, key, unit, coalesce(history, date_trunc(unit, current_date)::date), history, kept, swept, by);
  if kept is not null then
    execute format('create trigger partition_keep before delete on public.%I for each row when (%s) execute function partition_keep()',
      t, replace(array_to_string(kept, ' or '), by, 'old.' || by));
  end if;
  perform partition_ahead(t);
end $$;

create function partition_kept(part text, kept text[]) returns boolean language plpgsql as $$
declare
  condition text;
  found_one boolean;
begin
  foreach condition in array kept loop
    execute format('select exists (select from partitions.%I where %s)', part, condition) into found_one;
    if found_one then return true; end if;
  end loop;
  return false;
end $$;

/*
 * Drops one partition whose time is over and that no row keeps, else removes at most `step` rows that are older still.
 * Returns true when there may be more. A partition that is in use for longer than a moment goes at another time.
 */
create function partition_clean(t text, step int) returns boolean language plpgsql security definer
set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '100ms' as $$
declare
  rule partitioning;
  part record;
  gone int;
begin
  select * into rule from partitioning where table_name = t and kept_while is not null;
  if not found then return false; end if;
  for part in
    select c.relname as name, coalesce(
      case when c.relname = t then rule.history_until end <= current_date,
      to_date(substring(c.relname from '_(\d{8})$'), 'YYYYMMDD') < current_date,
      to_date(substring(c.relname from '_(\d{6})$'), 'YYYYMM') + interval '1 month' <= current_date, false) as is_over
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = format('public.%I', t)::regclass order by c.relname
  loop
    if part.is_over and not partition_kept(part.name, rule.kept_while) then
      begin
        execute format('lock table public.%I in access exclusive mode', t);
        if not partition_kept(part.name, rule.kept_while) then
          execute format('drop table if exists partitions.%I', part.name);
          return true;
        end if;
      exception when lock_not_available then continue;
      end;
    end if;
    execute format('delete from partitions.%1$I where ctid = any(array(
        select ctid from partitions.%1$I where %2$s order by %3$I limit %4$s for update skip locked))',
      part.name, rule.swept_when, rule.swept_by, step);
    get diagnostics gone = row_count;
    if gone = step then return true; end if;
  end loop;
  return false;
end $$;

-- Moves the partitions that end by `before` out of the table, into the schema archive: each is a plain table there, which
-- can be dumped and dropped. For the owner. A run that was cut goes on where it was. Returns the names.
create function partition_archive(t text, before date) returns setof text language plpgsql
set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  part text;
begin
  execute 'create schema if not exists archive';
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join partitioning p
    where i.inhparent = format('public.%I', t)::regclass and p.table_name = t and p.kept_while is null and coalesce(
      case when c.relname = t then p.history_until end,
      to_date(substring(c.relname from '_(\d{8})$'), 'YYYYMMDD') + 1,
      to_date(substring(c.relname from '_(\d{6})$'), 'YYYYMM') + interval '1 month') <= least(before, current_date)
    order by c.relname
  loop
    perform partition_lock(t);
    execute format('alter table public.%I detach partition partitions.%I', t, part);
    execute format('alter table partitions.%I set schema archive', part);
    return next part;
  end loop;
end $$;

-- BY HASH

-- What is written while the table is copied is written to both, in the same transaction.
create function partition_mirror() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('insert into twin.%I select * from added', tg_table_name);
  return null;
end $$;

create function partition_frozen() returns trigger language plpgsql as $$
begin
  raise exception '% is being partitioned: until that is done its rows are only added to', tg_table_name;
end $$;

-- Only for tables whose rows are never changed. An empty one is switched at once; else the copying begins.
create function partition_by_hash(t text, key text) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  empty boolean;
begin
  if partition_is(t) or exists (select from partitioning where table_name = t) then return; end if;
  perform partition_lock(t);
  execute format('select not exists (select from public.%I)', t) into empty;
  if empty then
    perform partition_swap(t);
    execute format('drop table partitions.%I', t);
    insert into partitioning (table_name, key) values (t, key);
    return;
  end if;
  execute format('create trigger partition_mirror after insert on public.%I referencing new table as added
    for each statement execute function partition_mirror()', t);
  execute format('create trigger partition_frozen before update or delete or truncate on public.%I
    for each statement execute function partition_frozen()', t);
  -- Every row that is not mirrored lies before this: whoever wrote it has ended.
  insert into partitioning (table_name, key, blocks)
  values (t, key, pg_relation_size(format('public.%I', t)::regclass) / current_setting('block_size')::int);
end $$;

/*
 * Copies the next `step` blocks. After the last of them it compares number and sums of both tables, which agree in every
 * snapshot from then on, and switches. Returns true when there is more to do. The old table stays as partitions.<t>.
 */
create function partition_copy(t text, step int) returns boolean language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  rule partitioning;
  sums text;
  same boolean;
begin
  select * into rule from partitioning where table_name = t and blocks is not null for update skip locked;
  if not found then return false; end if;
  if rule.copied < rule.blocks then
    execute format('insert into twin.%1$I select * from public.%1$I where ctid >= ''(%2$s,0)'' and ctid < ''(%3$s,0)''
        on conflict on constraint %4$I do nothing',
      t, rule.copied, least(rule.copied + step, rule.blocks),
      (select conname from pg_constraint where conrelid = format('twin.%I', t)::regclass and contype = 'p'));
    update partitioning set copied = least(rule.copied + step, rule.blocks) where table_name = t;
    return true;
  end if;
  select string_agg(format(', sum(%I)', attname), '') into sums
  from pg_attribute where attrelid = format('public.%I', t)::regclass and atttypid = 'bigint'::regtype and attnum > 0;
  execute format('select (select row(count(*)%1$s)::text from public.%2$I) = (select row(count(*)%1$s)::text from twin.%2$I)',
    sums, t) into same;
  if not same then
    raise warning 'the copy of % differs: it is looked through again', t;
    update partitioning set copied = 0 where table_name = t;
    return false;
  end if;
  execute format('analyze twin.%I', t);
  perform partition_lock(t, tries => 10);
  execute format('drop trigger partition_mirror on public.%I', t);
  execute format('drop trigger partition_frozen on public.%I', t);
  perform partition_swap(t);
  update partitioning set blocks = null where table_name = t;
  return false;
end $$;

do $$
declare service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke insert, update, delete, truncate on partitioning from %I', service_role);
  end if;
end $$;
