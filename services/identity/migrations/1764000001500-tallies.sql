-- What the administrators' lists count and by which they find a far page.
select keep_tally('account', '{status, platform, verified}', 'deleted_at');
select keep_tally('audit', '{admin_id}');
