-- What the administrators' list of calls counts and by which it finds a far page.
select keep_tally('call', '{state, call_type}');
