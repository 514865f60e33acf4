-- no transaction
-- A plan's teachers by rating: without it a plan whose teachers are rated low is walked from the top of all plans.
drop index concurrently if exists teacher_by_plan_rating;
create index concurrently teacher_by_plan_rating on account (plan_id, rating_gain desc, id desc, verified, rating)
  where platform = 'teacher' and status = 'active' and deleted_at is null;
