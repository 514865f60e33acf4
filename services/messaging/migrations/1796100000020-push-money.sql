-- Notifications about a person's own money. `not valid`: the rows of today satisfy the narrower list.
alter table push drop constraint push_kind_check;
alter table push add constraint push_kind_check check (kind in ('message', 'support', 'incoming_call', 'call_over',
  'missed_call', 'booking', 'money')) not valid;
