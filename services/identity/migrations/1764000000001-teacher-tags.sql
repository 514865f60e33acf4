-- One index answers words, skills and plan together: what they have in common is found before any row is read.

alter table account add column tags bigint[] not null default '{}';
comment on column account.tags is 'Of a teacher: ids of his skills, and minus the id of his plan.';

update account a set tags = array(select k.skill_id from account_skill k where k.account_id = a.id) || coalesce(array[-a.plan_id], '{}')
where a.platform = 'teacher' and a.deleted_at is null;

drop index teacher_search;
drop index teacher_plan;
create index teacher_search on account using gin (search gin_trgm_ops, tags) with (fastupdate = off)
  where platform = 'teacher' and status = 'active' and deleted_at is null;
alter table account alter column search set statistics 500;
