-- Tables that only grow lie in partitions by hash (docs/decisions/0048-partitions.md).

-- Each partition and its indexes have the names of the whole, in a schema of its own (part_0, ...), which the service's
-- role cannot enter: errors name the table and the constraint that the code knows, and no row has a second way to it.
create function create_partitions(_table text, _parts int) returns void language plpgsql
as $$
declare
  copy record;
begin
  for part in 0 .. _parts - 1 loop
    execute format('create schema if not exists part_%s', part);
    execute format('create table part_%1$s.%2$I partition of public.%2$I for values with (modulus %3$s, remainder %1$s)',
      part, _table, _parts);
  end loop;
  for copy in
    select i.inhrelid::regclass as index, whole.relname as wanted
    from pg_index x join pg_class whole on whole.oid = x.indexrelid
      join pg_inherits i on i.inhparent = whole.oid join pg_class c on c.oid = i.inhrelid
    where x.indrelid = format('public.%I', _table)::regclass and c.relname <> whole.relname
  loop
    execute format('alter index %s rename to %I', copy.index, copy.wanted);
  end loop;
end $$;
comment on function create_partitions is 'For migrations: gives a table that is partitioned by hash its partitions.';
