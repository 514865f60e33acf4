-- A notification that takes an incoming call away again.
alter table push drop constraint push_kind_check;
alter table push add constraint push_kind_check
  check (kind in ('message', 'support', 'incoming_call', 'call_over', 'missed_call'));
