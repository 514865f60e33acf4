-- What the administrators' list of reports counts and by which it finds a far page.
select keep_tally('report', '{status}');
