-- no transaction
-- Dead device keys, oldest first, and who still has them.
drop index concurrently if exists dead_device_died;
create index concurrently dead_device_died on dead_device (died_at);
drop index concurrently if exists device_copy_keys;
create index concurrently device_copy_keys on device_copy using gin (device_keys);
