-- What administrators did, in all services.

create table audit (
  id bigint generated always as identity primary key,
  admin_id bigint not null,
  admin_name text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  request_id text not null,
  created_at timestamptz not null
);
create index audit_admin on audit (admin_id, id);
create index audit_find on audit using gin (normalised(action || ' ' || subject || ' ' || admin_name) gin_trgm_ops);
create index audit_short on audit
  using gin (short_parts(normalised(action || ' ' || subject || ' ' || admin_name)));
-- History: the service writes and reads it, and can never change it.
select deny_service('update, delete, truncate', 'audit');

-- Old entries can be moved out, by the owner alone (docs/operations.md). The counters of the list follow by their triggers.
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
