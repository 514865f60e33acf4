-- no transaction
-- For the administrators' filter by type of payment.
drop index concurrently if exists payment_type;
create index concurrently payment_type on payment (type, direction, id);
