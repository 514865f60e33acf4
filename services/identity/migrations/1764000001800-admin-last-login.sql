-- When an administrator logged in last. Of earlier releases only the sessions that still live tell.
alter table admin add column last_login_at timestamptz;
update admin set last_login_at = (select max(created_at) from token where admin_id = admin.id);
