-- no transaction
-- Payments of a kind: what administrators filter by.
drop index concurrently if exists payment_type;
create index concurrently payment_type on payment (type, direction, id);
