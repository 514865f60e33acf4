-- no transaction
-- Counts the calls of before, beside writers; the index finds calls in a rare state.
select fill_tally('call');
drop index concurrently if exists call_state;
create index concurrently call_state on call (state, call_type, id);
