-- Old entries of the audit can be moved out, by the owner alone (docs/operations.md). The counters of the list follow by
-- their triggers.

create schema archive;
create table archive.audit (like public.audit, primary key (id));

-- Moves the entries from before a moment in short transactions. What was cut goes on when it is called again.
create procedure archive.move_audit(_before timestamptz) language plpgsql as $$
declare
  moved int;
begin
  loop
    with old as (
      delete from public.audit where id = any(array(
        select id from public.audit where created_at < _before order by id limit 2000))
      returning *
    )
    insert into archive.audit select * from old;
    get diagnostics moved = row_count;
    commit;
    exit when moved < 2000;
  end loop;
end $$;
