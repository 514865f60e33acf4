-- What the administrators' lists count and by which they find a far page.
select keep_tally('deposit', '{status}');
select keep_tally('withdrawal', '{status}');
select keep_tally('payment', '{type, direction, status}');
